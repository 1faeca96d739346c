self.addEventListener('install', (e) => e.waitUntil(caches.open('v1').then((c) => c.addAll(['/', '/app.js'])).then(() => self.skipWaiting())));
self.addEventListener('activate', (e) => e.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (e) => e.respondWith(caches.match(e.request).then((hit) => hit || fetch(e.request))));
