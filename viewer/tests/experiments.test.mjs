// A page of many experiments: a table first, details on demand.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, open } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

describe("many experiments", () => {
  const rows = (page) =>
    page
      .locator("#experiments tbody tr:not([hidden])")
      .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

  test("stand in a table; their parts are folded, and a link unfolds its part", async () => {
    const { page, wrong } = await open(browser, "crowd");
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height < 9000, `${height} pixels`);
    assert.ok((await page.locator("#experiments").boundingBox()).y < 600, "on the first screen");
    assert.equal((await rows(page)).length, 60);
    assert.equal(await page.locator("#experiments a").count(), 60);
    assert.equal(await page.isVisible("#e42"), false);
    await page.locator('#experiments a[href="#e42"]').click();
    await page.waitForFunction(() => document.querySelector("#e42").getBoundingClientRect().height > 300);
    await page.waitForSelector("#e42 .plot canvas");
    assert.equal(await page.locator("details.experiment[open]").count(), 1);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("are sorted by what a column means, and filtered", async () => {
    const { page, wrong } = await open(browser, "crowd");
    const column = (name) => page.locator("#experiments th", { hasText: name });
    const sorted = async (name) => {
      await column(name).getByRole("button").click();
      const index = await column(name).evaluate((cell) => cell.cellIndex);
      return (await rows(page)).map((cells) => cells[index]);
    };
    const growth = await sorted("grows like");
    assert.deepEqual([growth[0], growth.at(-1)], ["N·N", ""], "the quickest growth first, what has no fit last");
    assert.equal(await column("grows like").getAttribute("aria-sort"), "descending");
    assert.match((await sorted("doubts"))[0], /not measurable/);
    const names = await sorted("experiment");
    assert.deepEqual(names, [...names].sort());
    assert.equal(await column("doubts").getAttribute("aria-sort"), "none");
    await page.fill("#experiments input[type=search]", "not measurable");
    const left = await rows(page);
    assert.equal(left.length, 3);
    assert.ok(
      left.every((cells) => cells.some((cell) => cell.startsWith("? "))),
      "each with its mark",
    );
    assert.match(await page.textContent("#experiments [role=status]"), /3 of 60/);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("can be read without JavaScript", async () => {
    const { page } = await open(browser, "crowd", { javaScriptEnabled: false });
    assert.equal(await page.locator("#experiments tbody tr").count(), 60);
    await page.locator("details.experiment summary").nth(1).click();
    assert.ok(await page.isVisible("#e1 .still svg"));
    await page.context().close();
  });
});
