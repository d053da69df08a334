// Every page: nothing goes wrong, axe finds nothing, keys reach everything.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { launch, open, readThrough } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const ALL = ["matrix", "doubtful", "several", "crowd", "hostile", "many", "bare"];

describe("every page", () => {
  for (const name of ALL) {
    test(`${name}: nothing goes wrong, nothing is asked of a network`, async () => {
      const { page, wrong } = await open(browser, name);
      await readThrough(page);
      assert.equal(await page.getAttribute("html", "data-viewer"), "live");
      assert.deepEqual(await wrong(), []);
      await page.context().close();
    });

    const looks = [
      ["light", {}],
      ["dark", { colorScheme: "dark" }],
      ["narrow", { viewport: { width: 360, height: 740 } }],
    ];
    for (const [look, options] of looks) {
      test(`${name}, ${look}: axe finds nothing, nothing sticks out`, async () => {
        const { page } = await open(browser, name, options);
        await readThrough(page);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`);
        assert.deepEqual(found, []);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${over} pixels`);
        await page.context().close();
      });
    }
  }
});

describe("by keys alone", () => {
  for (const name of ["matrix", "sets"])
    test(`${name}: everything that can be used is reached, and seen when it is`, async () => {
      const { page } = await open(browser, name);
      await readThrough(page);
      const wanted = await page.evaluate(() => {
        const all = "a[href], button:enabled, select, input:enabled, summary, [tabindex='0']";
        return [...document.querySelectorAll(all)].filter((e) => e.checkVisibility()).length;
      });
      const seen = new Set();
      for (let k = 0; k < wanted + 5; k++) {
        await page.keyboard.press("Tab");
        const found = await page.evaluate(() => {
          const element = document.activeElement;
          if (!element || element === document.body) return null;
          const style = getComputedStyle(element);
          const box = element.getBoundingClientRect();
          return {
            path: [...document.querySelectorAll("*")].indexOf(element),
            html: element.outerHTML.slice(0, 90),
            outline: style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1,
            inside: box.bottom > 0 && box.top < innerHeight,
          };
        });
        if (!found) continue;
        assert.ok(found.outline, `focus is not seen: ${found.html}`);
        assert.ok(found.inside, `not in the window: ${found.html}`);
        seen.add(found.path);
      }
      assert.ok(seen.size >= wanted, `${seen.size} of ${wanted}`);
      await page.context().close();
    });

  test("the first key leads past the bar", async () => {
    const { page } = await open(browser, "matrix");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the answer");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    await page.context().close();
  });
});
