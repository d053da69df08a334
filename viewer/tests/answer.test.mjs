// The first screen: the answer beside the plot, sliders and fields that move the prediction, and its link.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { address, launch, open, patient } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const SCREEN = { viewport: { width: 1280, height: 800 } };
const first = "#ask .try";
const field = `${first} input[type=text]`;
const slider = `${first} input[type=range]`;
const said = `${first} .predictions li`;

/** Opens a page of which the first screen is live, at a link. */
async function live(name, options = SCREEN, link = "") {
  const opened = await open(browser, name, options);
  if (link !== "") {
    await opened.page.goto(`${address(name)}${link}`);
    await opened.page.reload();
  }
  await opened.page.waitForSelector(said);
  return opened;
}

/** Waits until the prediction of the first screen matches. */
function says(page, pattern) {
  return page.waitForFunction(
    ([at, source]) => new RegExp(source).test(document.querySelector(at)?.textContent ?? ""),
    [said, pattern.source],
  );
}

const drawing = (page) => page.evaluate(() => document.querySelector("#ask .drawn canvas").toDataURL());
const value = (page) => page.evaluate((at) => Number(document.querySelector(at).dataset.value), said);

describe("the first screen", () => {
  for (const colorScheme of ["light", "dark"]) {
    test(`${colorScheme}: plot, slider, field, sentence and link fit 1280 x 800`, async () => {
      const { page, wrong } = await live("matrix", { ...SCREEN, colorScheme });
      await page.waitForSelector("#ask .plot canvas");
      for (const at of [
        slider,
        field,
        said,
        `${first} .share button`,
        "#ask .answer .remarks",
        "#ask .plot .canvas",
        "#ask .plot .key",
      ]) {
        const box = await page.locator(at).first().boundingBox();
        assert.ok(box && box.y > 0 && box.y + box.height <= 800, `${at}: ${JSON.stringify(box)}`);
      }
      const [told, drawn] = await Promise.all(
        [".told", ".drawn"].map((at) => page.locator(`#ask ${at}`).boundingBox()),
      );
      assert.ok(told.x + told.width <= drawn.x, "beside the plot");
      assert.match(await page.innerText("#ask .told"), /matrix\.c:12 · 25 sizes, N = 64 to 4096/);
      assert.deepEqual(await wrong(), []);
      await page.context().close();
    });
  }

  test("begins at the prediction of the page, and says the same as the static answer", async () => {
    const { page: still } = await open(browser, "matrix", { ...SCREEN, javaScriptEnabled: false });
    const expected = (await still.locator("#ask .predictions li").innerText()).replace(/\s+/g, " ");
    assert.match(expected, /^N = 9000 154\.0 ms \(152\.1 to 156\.0\) 2\.2 times beyond the data, disturbed$/);
    const { page } = await live("matrix");
    // Behind it the interval of a single run.
    const moved = (await page.innerText(said)).replace(/\s+/g, " ");
    assert.match(moved.slice(expected.length), /^ one run \([\d.]+ to [\d.]+\)$/);
    assert.equal(moved.slice(0, expected.length), expected);
    assert.equal(await page.inputValue(field), "9000");
    await still.context().close();
    await page.context().close();
  });

  test("on a phone all of it is there, and nothing sticks out", async () => {
    const { page, wrong } = await live("several", { viewport: { width: 360, height: 740 } });
    for (const at of [slider, field, said]) assert.ok(await page.locator(at).first().isVisible(), at);
    const boxes = await page
      .locator(`${first} input, ${first} button`)
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    assert.ok(
      boxes.every((right) => right <= 360),
      `${boxes}`,
    );
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("without JavaScript the answer stands there", async () => {
    const { page } = await open(browser, "matrix", { ...SCREEN, javaScriptEnabled: false });
    const text = (await page.innerText("#ask .answer")).replace(/\s+/g, " ");
    for (const part of ["t = 1.1 µs + 4.5 ns·N + 609 ps·N·N", "error 0.5 % (median)", "N = 9000", "beyond the data"]) {
      assert.ok(text.includes(part), `${part}: ${text}`);
    }
    assert.equal(await page.locator(first).count(), 0);
    const picture = await page.locator("#ask .still svg").boundingBox();
    assert.ok(picture.y + picture.height <= 800, JSON.stringify(picture));
    await page.context().close();
  });

  test("a model that is not measurable keeps its marks when it is moved", async () => {
    const { page } = await live("doubtful");
    await page.fill(field, "1000");
    await says(page, /N = 1000\? .*inside the data, not measurable/);
    assert.equal(await page.locator(`${said} .value`).count(), 0);
    await page.context().close();
  });
});

describe("a slider", () => {
  test("moves the field, the sentence and the marker; keys move it, too", async () => {
    const { page, wrong } = await live("matrix");
    await page.waitForSelector("#ask .plot canvas");
    const [before, at] = [await drawing(page), await value(page)];
    await page.focus(slider);
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(([at, old]) => Number(document.querySelector(at).dataset.value) < old, [said, at]);
    assert.notEqual(await drawing(page), before);
    assert.ok(Number(await page.inputValue(field)) < 9000);
    await page.keyboard.press("Home");
    await says(page, /^N = 32.*2 times below the data/);
    await page.keyboard.press("End");
    await says(page, /times beyond the data/);
    // Over the data and some way beyond: both ends can be reached.
    assert.equal(await page.inputValue(field), "72000");
    assert.match(await page.getAttribute(slider, "aria-valuetext"), /^N = 72000$/);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("stands for each variable, and the curve goes through values that were not measured", async () => {
    const { page, wrong } = await live("several");
    assert.deepEqual(
      await page.locator(slider).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))),
      ["N", "P"],
    );
    await page.locator("#ask .drawn").scrollIntoViewIfNeeded();
    await page.waitForSelector("#ask .drawn canvas");
    await page.locator(field).nth(0).fill("65536");
    await page.locator(field).nth(1).fill("8");
    await says(page, /N = 65536, P = 8.*inside the data/);
    const measured = await drawing(page);
    await page.locator(field).nth(1).fill("5");
    await says(page, /N = 65536, P = 5.*inside the data/);
    assert.notEqual(await drawing(page), measured);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });
});

describe("a field", () => {
  test("takes what the commands take, and says what is wrong", async () => {
    const { page, wrong } = await live("matrix");
    await page.fill(field, "2^12");
    await says(page, /N = 4096.*inside the data/);
    assert.equal(await page.inputValue(field), "2^12", "as it was typed");
    await page.fill(field, "20k");
    await says(page, /N = 20000.*4\.88 times beyond the data/);
    for (const [typed, message] of [
      ["", /give values/],
      ["many", /is no number/],
      ["1:3", /one value/],
      ["P=3", /no model has a variable P/],
    ]) {
      await page.fill(field, typed);
      assert.match(await page.textContent(`${first} [role=alert]`), message);
      assert.equal(await page.getAttribute(field, "aria-invalid"), "true");
      // The last number that could be read stays.
      assert.match(await page.textContent(said), /N = 20000/);
    }
    await page.fill(field, "-5");
    await says(page, /no measured N is below 0/);
    assert.equal(await page.locator(`${said} .value`).count(), 0);
    await page.fill(field, "300");
    await says(page, /N = 300.*inside the data/);
    assert.equal(await page.textContent(`${first} [role=alert]`), "");
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("gives the numbers of the native code", async () => {
    const { page } = await live("matrix");
    const predicted = await page.evaluate(
      () => JSON.parse(document.getElementById("cll-data").textContent).model.predictions[0],
    );
    const shown = await value(page);
    assert.ok(Math.abs(shown - predicted.value) <= 1e-12 * predicted.value, `${shown}`);
    await page.context().close();
  });
});

describe("the link", () => {
  test("carries the values of all variables; who opens it sees the same", async () => {
    const { page, wrong } = await live("several");
    await page.locator(field).nth(0).fill("40000");
    await page.locator(field).nth(1).fill("12");
    await says(page, /N = 40000, P = 12/);
    const link = await page.getAttribute(`${first} .share a`, "href");
    assert.equal(decodeURIComponent(link), "#at=N=40000, P=12");
    await page.waitForFunction((link) => location.hash === link, link);
    const seen = await page.textContent(said);
    const { page: other } = await live("several", SCREEN, link);
    await says(other, /N = 40000, P = 12/);
    assert.equal(await other.textContent(said), seen);
    assert.deepEqual(await other.locator(field).evaluateAll((all) => all.map((one) => one.value)), ["40000", "12"]);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
    await other.context().close();
  });

  test("is copied by the button; where that is refused, it can be taken from a field", async () => {
    const context = await patient(browser, SCREEN);
    const page = await context.newPage();
    await page.addInitScript(() => {
      window.refused = false;
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText: async (text) => {
            if (window.refused) throw new Error("refused");
            window.copied = text;
          },
        },
      });
    });
    await page.goto(address("matrix"));
    await page.waitForSelector(said);
    await page.fill(field, "2000");
    await says(page, /N = 2000/);
    await page.click(`${first} .share button`);
    await page.waitForFunction((at) => document.querySelector(at).textContent.includes("copied"), `${first} .share`);
    assert.equal(await page.evaluate(() => window.copied), `${address("matrix")}#at=N%3D2000`);
    await page.evaluate(() => {
      window.refused = true;
    });
    await page.fill(field, "3000");
    await says(page, /N = 3000/);
    assert.ok(!(await page.textContent(`${first} .share`)).includes("copied"), "of the values before");
    await page.click(`${first} .share button`);
    assert.equal(await page.inputValue(`${first} .share input`), `${address("matrix")}#at=N%3D3000`);
    await context.close();
  });

  test("that is damaged or of another model leaves the page as it begins", async () => {
    for (const link of ["#at=%E0%A4%A", "#at=Q%3D3", "#at=N%3Dmany", "#e9/at=N%3D3"]) {
      const { page, wrong } = await live("matrix", SCREEN, link);
      await says(page, /N = 9000/);
      assert.equal(await page.inputValue(field), "9000", link);
      assert.deepEqual(await wrong(), []);
      await page.context().close();
    }
  });

  test("to another experiment unfolds its part", async () => {
    const { page, wrong } = await live("crowd", SCREEN, "#e44/at=N%3D500");
    const own = "#e44 .try .predictions li";
    await page.waitForFunction((at) => /N = 500/.test(document.querySelector(at)?.textContent ?? ""), own);
    assert.ok(await page.isVisible(own));
    assert.equal(await page.locator("details.experiment[open]").count(), 1);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });
});

describe("several experiments", () => {
  test("begin with a table: name, place, formula or why there is none, prediction, doubt", async () => {
    const { page, wrong } = await live("several");
    const table = await page.locator("#experiments").boundingBox();
    const answer = await page.locator("#ask").boundingBox();
    assert.ok(table.y < 300 && table.y + table.height <= answer.y, JSON.stringify([table, answer]));
    const rows = await page.locator("#experiments tbody tr").allInnerTexts();
    const plain = rows.map((row) => row.replace(/\s+/g, " "));
    assert.match(
      plain[0],
      /^fft fft\.c:3 t = 2\.5 µs .* 6\.41 ms \(6\.24 to 6\.59\) N = 2097152, P = 32 beyond the data/,
    );
    assert.match(plain[1], /^lost no fit: it was never reached no fit/);
    assert.match(plain[2], /^walk fft\.c:9 instructions = .* N = 3000/);
    await page.fill("#experiments input[type=search]", "never reached");
    assert.equal(await page.locator("#experiments tbody tr:not([hidden])").count(), 1);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });
});
