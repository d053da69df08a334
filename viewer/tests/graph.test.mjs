// The page of a graph of an MPI program in a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function live(name, options = {}) {
  const opened = await open(browser, name, options);
  await opened.page.waitForSelector("#search input");
  return opened;
}

const chosen = (page) => page.$eval(".node.chosen", (node) => node.id);
const marked = (page) => page.$$eval(".line.in .no", (lines) => lines.map((line) => Number(line.dataset.line)));

test("nothing goes wrong, nothing is asked of a network, axe finds nothing", async () => {
  for (const [name, options] of [
    ["graph", {}],
    ["graph", { colorScheme: "dark" }],
    ["graph-hostile", {}],
  ]) {
    const { page, wrong } = await live(name, options);
    assert.deepEqual(await wrong(), [], name);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`);
    assert.deepEqual(found, [], name);
    await page.context().close();
  }
});

test("a search marks nodes, and goes from one to the next", async () => {
  const { page } = await live("graph");
  await page.keyboard.press("/");
  await page.keyboard.type("recv rank");
  assert.equal(await page.textContent("#search output"), "2 found");
  assert.equal(await page.$$eval(".node.found", (all) => all.length), 2);
  for (const [key, id] of [
    ["Enter", "n3"],
    ["Enter", "n4"],
    ["Enter", "n3"],
    ["Shift+Enter", "n4"],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await chosen(page), id);
  }
  await page.keyboard.press("Escape");
  assert.equal(await page.$$eval(".node.found", (all) => all.length), 0);
  await page.context().close();
});

test("nodes lead to lines, lines to nodes, tasks to their calls", async () => {
  const { page } = await live("graph");
  await page.click("#n5 text.bold");
  assert.deepEqual(await marked(page), [11, 12, 13]);
  await page.click("text=Tasks");
  assert.equal(await page.isVisible("#n5"), false);
  assert.equal(await chosen(page), "t2");
  assert.deepEqual(await marked(page), [11, 12, 13]);
  await page.click("text=Calls");
  assert.equal(await chosen(page), "n4", "the first call of the task");
  await page.click('.line:has([data-line="4"])');
  assert.equal(await chosen(page), "n1");
  await page.context().close();
});

test("the drawing is made larger and smaller", async () => {
  const { page } = await live("graph");
  const wide = () => page.$eval(".drawing:not([hidden]) svg", (svg) => Number(svg.getAttribute("width")));
  const first = await wide();
  await page.keyboard.press("+");
  assert.ok(Math.abs((await wide()) / first - 1.25) < 1e-6);
  await page.keyboard.press("0");
  assert.equal(await wide(), first);
  await page.click("text=Fit");
  const room = await page.$eval("#drawings", (pane) => pane.clientWidth);
  assert.ok((await wide()) <= room);
  await page.context().close();
});

test("without JavaScript all of it is there", async () => {
  const { page } = await open(browser, "graph", { javaScriptEnabled: false });
  assert.equal(await page.locator(".drawing svg").count(), 2);
  assert.equal(await page.locator("#sources .line").count(), 20);
  await page.context().close();
});
