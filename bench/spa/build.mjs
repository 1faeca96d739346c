// build.mjs OUT - the four applications as static files, from the packages of package.json.
import { build } from 'esbuild';
import { compile } from 'svelte/compiler';
import fs from 'node:fs';
import path from 'node:path';

const out = process.argv[2];
const shell = (name, mount, extra = '') => `<!doctype html><html><head><meta charset="utf-8"><title>${name}</title></head><body>${mount}<script type="module" src="/app.js"></script>${extra}</body></html>`;
const svelte = {
  name: 'svelte',
  setup(b) {
    b.onLoad({ filter: /\.svelte$/ }, (args) => ({ contents: compile(fs.readFileSync(args.path, 'utf8'), { generate: 'client', customElement: true, filename: args.path }).js.code, loader: 'js' }));
  },
};
const apps = {
  react: ['react.jsx', shell('React', '<div id="root"></div>')],
  vue: ['vue.js', shell('Vue', '<div id="app"></div>')],
  angular: ['angular.ts', shell('Angular', '<base href="/"><app-root></app-root>')],
  // Its service worker answers from its own cache first, as offline applications do.
  svelte: ['svelte.js', shell('Svelte', '<record-app></record-app>', "<script>navigator.serviceWorker && navigator.serviceWorker.register('/sw.js').catch(() => 0)</script>")],
};
for (const [name, [entry, html]] of Object.entries(apps)) {
  const dir = path.join(out, name);
  fs.mkdirSync(dir, { recursive: true });
  await build({
    entryPoints: [entry], bundle: true, minify: true, format: 'esm', outfile: path.join(dir, 'app.js'), plugins: [svelte], conditions: ['browser', 'svelte'],
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false, target: 'es2022' } },
  });
  fs.writeFileSync(path.join(dir, 'index.html'), html);
}
fs.copyFileSync('sw.js', path.join(out, 'svelte', 'sw.js'));
