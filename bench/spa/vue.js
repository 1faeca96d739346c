// 300 records behind client routing; the list grows by a button.
import { createApp, ref, watchEffect } from 'vue/dist/vue.esm-bundler.js';
import { createRouter, createWebHistory, useRoute } from 'vue-router';

const json = (url) => fetch(url).then((r) => r.json());
const List = {
  template: '<main><h1>Records</h1><ul><li v-for="r in records" :key="r.id"><router-link :to="`/record/${r.id}`">{{ r.title }}</router-link></li></ul><button v-if="!done" @click="more">Load more</button></main>',
  setup() {
    const records = ref([]), done = ref(false);
    let page = 0;
    const more = async () => {
      const next = await json(`/api/records?page=${page++}`);
      records.value = records.value.concat(next);
      done.value = next.length < 20;
    };
    more();
    return { records, done, more };
  },
};
const Detail = {
  template: '<main v-if="record"><h1>{{ record.title }}</h1><p>{{ record.text }}</p></main><p v-else>Loading</p>',
  setup() {
    const route = useRoute(), record = ref(null);
    watchEffect(async () => { if (route.params.id) record.value = await json(`/api/records/${route.params.id}`); });
    return { record };
  },
};
const router = createRouter({ history: createWebHistory(), routes: [{ path: '/', component: List }, { path: '/record/:id', component: Detail }] });
createApp({ template: '<nav><router-link to="/">Home</router-link></nav><router-view></router-view>' }).use(router).mount('#app');
