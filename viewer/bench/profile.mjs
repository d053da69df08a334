// How long the pages of large profiles take, and how much memory: 100,000 nodes with 2000 supersteps of 1024 processors, and
// 1,000,000 nodes. One command: benches/viewer/run, which makes the pages in CLL_PAGES.
//
// Reference, medians in headless Chromium on a quiet machine: 100,000 nodes open in at most 0.7 s with 100 MB of heap, a
// critical path is chosen in at most 50 ms, a frame of the zoomed call graph takes at most 16 ms; 1,000,000 nodes open in at
// most 3 s. Times are also given as a ratio to a bare page that only decodes the same data, which depends less on the
// machine.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const REPEATS = 15;
const folder = process.env.CLL_PAGES ?? "";
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = ["--no-sandbox", "--disable-gpu"];

/** A page of the data that a page needs without single supersteps, which decodes them and does nothing else. */
function bare(name) {
  const page = readFileSync(join(folder, `${name}.html`), "utf8");
  const all = [...page.matchAll(/<script type="application\/octet-stream" id="cll-([^"]*)"[^>]*>[^<]*<\/script>/g)];
  const read = all.map((found) => found[1]).filter((id) => /^p0(?!-values)/.test(id));
  const file = join(folder, `bare-${name}.html`);
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><title>bare</title><div id="view">${all.map((found) => found[0]).join("\n")}</div><script>
const decode = (id) => {
  const bytes = Uint8Array.fromBase64(document.getElementById("cll-" + id).textContent);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
};
Promise.all(${JSON.stringify(read)}.map(decode)).then((kept) => {
  window.kept = kept;
  requestAnimationFrame(() => setTimeout(() => (window.opened = performance.now())));
});
</script>`,
  );
  return file;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** One opening in a browser context of its own, in milliseconds since the navigation began. */
async function opening(browser, path) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector("#view canvas[data-drawn]")) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (window.opened = performance.now())));
    }).observe(document, { childList: true, subtree: true, attributes: true });
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => window.opened !== undefined);
  return { context, page, time: await page.evaluate(() => window.opened) };
}

/** From a key to the frame after what it changed was drawn. */
async function after(page, keys) {
  const found = [];
  for (let k = 0; k < REPEATS; k++) {
    await page.focus("#view .paper");
    found.push(
      await page.evaluate(
        (key) =>
          new Promise((done) => {
            const canvas = document.querySelector("#view canvas");
            const old = canvas.dataset.drawn;
            const begun = performance.now();
            const observer = new MutationObserver(() => {
              if (canvas.dataset.drawn === old) return;
              observer.disconnect();
              done(performance.now() - begun);
            });
            observer.observe(canvas, { attributes: true });
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          }),
        keys[k % keys.length],
      ),
    );
  }
  return median(found);
}

/** Heap with ArrayBuffers after a collection, MB. */
async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
  return (usedSize + backingStorageSize) / 1e6;
}

let isWithin = true;
for (const [name, nodes, openings, limit] of [
  ["profile-large", "100,000 nodes, 2000 supersteps of 1024 processors", 7, 700],
  ["profile-million", "1,000,000 nodes", 3, 3000],
]) {
  const file = join(folder, `${name}.html`);
  const plain = bare(name);
  const browser = await chromium.launch({ executablePath, args });
  const times = { page: [], bare: [] };
  await (await opening(browser, plain)).context.close(); // The browser's own start is not the page's.
  for (let k = 0; k < openings; k++) {
    for (const [kind, path] of [
      ["bare", plain],
      ["page", file],
    ]) {
      const { context, time } = await opening(browser, path);
      times[kind].push(time);
      await context.close();
    }
  }
  const { context, page } = await opening(browser, file);
  await page.waitForTimeout(300);
  const megabytes = await heap(page);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  const path = await after(page, ["a", "i", "r", "w"]);
  const frame = await after(page, ["+", "-"]);
  await context.close();
  await browser.close();
  const [opened, base] = [median(times.page), median(times.bare)];
  console.log(`${nodes}: a page of ${(statSync(file).size / 1e6).toFixed(1)} MB, ${elements} elements`);
  console.log(
    `  open: ${opened.toFixed(0)} ms (at most ${limit}), ${(opened / base).toFixed(2)} times a bare page that decodes the same data (${base.toFixed(0)} ms)`,
  );
  console.log(`  heap with ArrayBuffers: ${megabytes.toFixed(0)} MB${limit === 700 ? " (at most 100)" : ""}`);
  console.log(`  a critical path: ${path.toFixed(1)} ms${limit === 700 ? " (at most 50)" : ""}`);
  console.log(
    `  a zoomed frame, with the wait for the browser's next frame: ${frame.toFixed(1)} ms${limit === 700 ? " (at most 16, with the wait 33)" : ""}`,
  );
  isWithin &&= opened <= limit && (limit !== 700 || (megabytes <= 100 && path <= 50 && frame <= 33));
}
process.exitCode = isWithin ? 0 : 1;
