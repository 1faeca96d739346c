// every_page.mjs LIST OUT - every page of LIST in a browser, as browser-based archiving crawlers do it: a fresh page per URL, network idle, scrolled to its
// end in steps, its document written to OUT.  Needs puppeteer-core; RULES is given to --host-resolver-rules, CHROMIUM is the program.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const puppeteer = createRequire(process.cwd() + '/')('puppeteer-core');
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', `--host-resolver-rules=${process.env.RULES}`], headless: 'shell' });
const urls = fs.readFileSync(process.argv[2], 'utf8').trim().split('\n');
const out = fs.openSync(process.argv[3], 'w');
async function one(url) {
  const page = await browser.newPage();
  try {
    await page.setViewport({ width: 1280, height: 800 });
    page.on('response', (r) => r.buffer().catch(() => 0)); // what would be archived
    await page.goto(url, { waitUntil: 'networkidle2', timeout: 60000 });
    await page.evaluate(async () => {
      for (let still = 0; still < 3;) {
        const before = document.documentElement.scrollHeight + scrollY;
        scrollBy(0, 600);
        await new Promise((r) => setTimeout(r, 100));
        still = document.documentElement.scrollHeight + scrollY === before ? still + 1 : 0;
      }
    });
    fs.writeSync(out, (await page.content()) + '\n');
  } catch (e) { console.error(url, e.message); }
  await page.close();
}
for (let i = 0; i < urls.length; i += 2) await Promise.all(urls.slice(i, i + 2).map(one));
await browser.close();
