// 300 records behind client routing; the list has pages of its own.
import 'zone.js';
import '@angular/compiler';
import { Component, inject, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { ActivatedRoute, provideRouter, RouterLink, RouterOutlet } from '@angular/router';

const json = (url: string) => fetch(url).then((r) => r.json());

@Component({
  selector: 'record-list', standalone: true, imports: [RouterLink],
  template: `<main><h1>Records</h1>@for (r of records(); track r.id) {<p><a [routerLink]="['/record', r.id]">{{ r.title }}</a></p>}
    <a [routerLink]="['/page', page() + 1]">Next</a></main>`,
})
class List {
  records = signal<any[]>([]);
  page = signal(0);
  constructor() {
    inject(ActivatedRoute).paramMap.subscribe(async (p) => {
      this.page.set(Number(p.get('page') || 0));
      this.records.set(await json(`/api/records?page=${this.page()}`));
    });
  }
}

@Component({ selector: 'record-detail', standalone: true, template: `@if (record()) {<main><h1>{{ record().title }}</h1><p>{{ record().text }}</p></main>}` })
class Detail {
  record = signal<any>(null);
  constructor() { inject(ActivatedRoute).paramMap.subscribe(async (p) => this.record.set(await json(`/api/records/${p.get('id')}`))); }
}

@Component({ selector: 'app-root', standalone: true, imports: [RouterOutlet, RouterLink], template: `<nav><a routerLink="/">Home</a></nav><router-outlet></router-outlet>` })
class Root {}

bootstrapApplication(Root, { providers: [provideRouter([
  { path: '', component: List }, { path: 'page/:page', component: List }, { path: 'record/:id', component: Detail },
])] });
