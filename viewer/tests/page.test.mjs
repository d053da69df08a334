// The page in a browser, as its readers meet it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { downloaded, launch, open, readThrough } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** The plot of the first experiment, wherever it stands. */
const first = '[data-island="plot"][data-experiment="0"]';
const plot = `${first} .plot .canvas`;
const readout = `${first} .plot .readout`;

describe("the policy", () => {
  test("another script does not run, another style does not apply", async () => {
    const { page, wrong } = await open(browser, "matrix");
    const changed = await page.evaluate(async () => {
      const script = document.createElement("script");
      try {
        script.textContent = "window.ran = true";
      } catch {
        // Text is no script here.
      }
      document.body.append(script);
      const style = document.createElement("style");
      style.textContent = "body { display: none }";
      document.head.append(style);
      await fetch("https://example.org/").catch(() => {});
      return [window.ran, getComputedStyle(document.body).display];
    });
    assert.deepEqual(changed, [undefined, "block"]);
    const violations = (await wrong()).join("\n");
    for (const directive of ["style-src", "connect-src"]) {
      assert.match(violations, new RegExp(directive));
    }
    await page.context().close();
  });
});

describe("a plot", () => {
  /** Opens a page and waits until its first plot is drawn. */
  async function drawn(name, options) {
    const opened = await open(browser, name, options);
    await opened.page.locator(first).scrollIntoViewIfNeeded();
    await opened.page.waitForSelector(`${plot} canvas`);
    // The prediction that the sliders ask for is drawn when its program is unpacked.
    await opened.page.waitForSelector("#ask .try .predictions li");
    return opened.page;
  }
  const button = (page, name) => page.locator(`${first} .plot`).getByRole("button", { name, exact: true });
  const image = (page) => page.evaluate((at) => document.querySelector(`${at} canvas`).toDataURL(), plot);

  test("tells what is under the pointer", async () => {
    const page = await drawn("matrix");
    const box = await page.locator(`${plot} .u-over`).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y];
    for (let down = 0; down < box.height; down += 6) {
      await page.mouse.move(x, y + down);
      if ((await page.textContent(readout)).startsWith("N =")) break;
    }
    assert.match(
      await page.textContent(readout),
      /^N = \d+: measured [\d.]+ [mµ]s, 5 times, .*model [\d.]+ [mµ]s, error -?[\d.]+ %/,
    );
    assert.ok(await page.isVisible(`${plot} .ring`));
    await page.mouse.move(5, 5);
    assert.match(await page.textContent(readout), /^Point at the plot/);
    await page.context().close();
  });

  test("is read by keys", async () => {
    const page = await drawn("matrix");
    await page.focus(plot);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent(readout), /^N = 64: /);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent(readout), /^N = 76: /);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.match(await page.textContent(readout), /^N = 64: /);
    await page.keyboard.press("End");
    assert.match(await page.textContent(readout), /^Predicted: 15\d\.?\d* ms, .*beyond the data/);
    await page.context().close();
  });

  test("is zoomed by dragging, by keys and by buttons, and shows all again", async () => {
    const page = await drawn("matrix");
    const first = await image(page);
    const all = button(page, "Show all");
    assert.ok(await all.isDisabled());
    const box = await page.locator(`${plot} .u-over`).boundingBox();
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.3 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.7 * box.height, { steps: 5 });
    await page.mouse.up();
    assert.notEqual(await image(page), first);
    await all.click();
    await page.mouse.move(5, 5);
    assert.equal(await image(page), first);
    await page.focus(plot);
    await page.keyboard.press("+");
    assert.ok(await all.isEnabled());
    assert.notEqual(await image(page), first);
    await page.keyboard.press("0");
    assert.equal(await image(page), first);
    await button(page, "Zoom in").click();
    await button(page, "Zoom out").click();
    assert.ok(await all.isDisabled());
    await page.context().close();
  });

  test("changes its axes, its samples and its colours", async () => {
    const page = await drawn("matrix");
    const images = [await image(page)];
    for (const name of ["log x", "log y", "samples"]) {
      const toggle = button(page, name);
      const before = await toggle.getAttribute("aria-pressed");
      await toggle.click();
      assert.notEqual(await toggle.getAttribute("aria-pressed"), before);
      images.push(await image(page));
    }
    await page.locator(".theme").click();
    await page.locator(".theme").click();
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    images.push(await image(page));
    assert.equal(new Set(images).size, images.length);
    await page.context().close();
  });

  test("goes along each variable, with the slices that are chosen", async () => {
    const page = await drawn("several");
    const along = page.getByLabel("along");
    assert.deepEqual(await along.locator("option").allTextContents(), ["N", "P"]);
    const boxes = page.locator(`${first} .slices input`);
    assert.equal(await boxes.count(), 7);
    const before = await image(page);
    await boxes.nth(0).click();
    assert.notEqual(await image(page), before);
    await along.selectOption({ label: "P" });
    assert.match(await page.locator(`${first} .slices`).textContent(), /N = 1024/);
    await page.focus(plot);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent(readout), /^N = \d+, P = 1, team = 1: /);
    await page.context().close();
  });

  test("follows the window", async () => {
    const page = await drawn("matrix");
    await page.setViewportSize({ width: 500, height: 800 });
    await page.waitForFunction((at) => document.querySelector(at).clientWidth < 500, plot);
    await page.waitForFunction((at) => document.querySelector(`${at} .uplot`).clientWidth < 500, plot);
    await page.context().close();
  });

  test("is handed over as an SVG file", async () => {
    const page = await drawn("matrix");
    const { name, text } = await downloaded(page, () => button(page, "SVG").click());
    assert.equal(name, "init-N.svg");
    assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    const sound = await page.evaluate((svg) => {
      // In a page of its own: here text is never markup.
      return svg.split("<path").length + svg.split("<circle").length;
    }, text);
    assert.ok(sound > 30, `${sound}`);
    assert.match(text, />L2 is full</);
    await page.context().close();
  });
});

describe("counts over several decades", () => {
  test("have their unit beside the axis, and labels that fit before it", async () => {
    const { page } = await open(browser, "several");
    await readThrough(page);
    const { text } = await downloaded(page, () =>
      page.locator("#e2 .plot").getByRole("button", { name: "SVG" }).click(),
    );
    assert.match(text, />instructions</);
    const labels = [...text.matchAll(/<text [^>]*text-anchor="end"[^>]*>([^<]*)</g)].map((m) => m[1]);
    // The prediction is a value of its own.
    const ticks = labels.filter((label) => label !== "45027294 instructions");
    assert.ok(ticks.length >= 4 && ticks.length === labels.length - 1, text);
    for (const label of ticks) assert.match(label, /^[\d.e]*$/);
    await page.context().close();
  });
});

describe("a machine that was too disturbed to measure", () => {
  test("leaves no number without a word about it", async () => {
    const { page } = await open(browser, "doubtful");
    await readThrough(page);
    assert.match(await page.innerText(".verdict"), /no number on this page can be trusted/);
    assert.equal(await page.locator(".answer .value").count(), 0);
    assert.match(await page.innerText(".answer .predictions"), /\? 15\d\.\d ms/);
    for (const formula of await page.locator(".formulas code").allInnerTexts()) {
      assert.match(formula, /^\? t = /);
    }
    assert.match(await page.innerText("#e0 > .bad"), /no number here can be trusted/);
    await page.focus(plot);
    await page.keyboard.press("End");
    assert.match(await page.textContent(readout), /^Predicted: .*not reliable/);
    const { text } = await downloaded(page, () =>
      page.locator(`${first} .plot`).getByRole("button", { name: "SVG" }).click(),
    );
    assert.match(text, /no number here can be trusted/);
    assert.match(text, />\? 154 ms</);
    await page.context().close();
  });
});

describe("counters", () => {
  /** The panels of an experiment, live. */
  async function panels(name, section = "#e0") {
    const { page } = await open(browser, name);
    await readThrough(page);
    return { page, panels: page.locator(`${section} .counters .panel`) };
  }

  test("are told: which, in how many samples and runs, of what, and which were not there", async () => {
    const { page } = await panels("matrix");
    const part = page.locator("#e0 .part", { has: page.locator(".counters") });
    const told = (await part.locator("table").first().innerText()).replace(/[ \t]+/g, " ");
    assert.match(told, /LLC-load-misses misses \d+ of \d+ 2 of 3 3.2 % of LLC-loads/);
    assert.match(told, /page-faults faults \d+ of \d+ 1 of 3/);
    assert.match(told, /r01c2 events 0 of \d+ not counted: no sample has it/);
    await page.context().close();
  });

  test("are drawn, misses in percent, and read by keys", async () => {
    const { page, panels: all } = await panels("matrix");
    assert.deepEqual(await all.locator("figcaption").allTextContents(), [
      "LLC-load-misses per access",
      "LLC-loads",
      "LLC-load-misses",
      "page-faults",
      "cpu-time",
    ]);
    const first = async (k) => {
      await all.nth(k).locator(".canvas").focus();
      await page.keyboard.press("ArrowRight");
      return all.nth(k).locator(".readout").textContent();
    };
    assert.match(await first(0), /^N = 64: 0.4\d? % of LLC-loads, [\d.]+ [nµm]s$/);
    assert.match(await first(1), /^N = 64: 512 events, median of 3, 461 to 614$/);
    assert.match(await first(3), /^N = 64: 0 faults, median of 3, 0 to 0$/);
    assert.match(await first(4), /^N = 64: [\d.]+ [nµ]s, median of 3, /);
    assert.ok(await all.nth(0).locator(".ring").isVisible());
    await page.context().close();
  });

  test("stand over the axis of the plot above, whatever that is", async () => {
    const { page, panels: all } = await panels("several");
    const panel = all.first();
    const image = () =>
      panel
        .locator("canvas")
        .first()
        .evaluate((canvas) => canvas.toDataURL());
    const images = [await image()];
    const plot = page.locator(`${first} .plot`);
    await plot.getByRole("button", { name: "log x" }).click();
    images.push(await image());
    await page.locator(`${first} .slices input`).first().click();
    images.push(await image());
    await page.getByLabel("along").selectOption({ label: "P" });
    images.push(await image());
    assert.equal(new Set(images).size, images.length);
    await panel.locator(".canvas").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await panel.locator(".readout").textContent(), /P = 1, .*: \d+ reads/);
    await page.context().close();
  });

  test("are there without a fit", async () => {
    const { page, panels: all } = await panels("several", "#e1");
    assert.equal(await all.count(), 1);
    await all.locator(".canvas").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await all.locator(".readout").textContent(), "N = 10: 100 reads");
    const rows = page.locator("#e1 .long tbody tr");
    assert.deepEqual(await rows.allInnerTexts(), ["10\t100 reads", "20\t400 reads", "40\t1600 reads"]);
    await page.context().close();
  });

  test("that are no counts leave a hole, not a broken page", async () => {
    const { page, panels: all } = await panels("hostile");
    assert.equal(await all.count(), 3);
    for (let k = 0; k < 3; k++) {
      await all.nth(k).locator(".canvas").focus();
      await page.keyboard.press("ArrowRight");
      assert.match(await all.nth(k).locator(".readout").textContent(), /^N = \d+, /);
    }
    await page.context().close();
  });
});

describe("residuals", () => {
  test("are shown against every variable that varies, used or not, and the model", async () => {
    const { page } = await open(browser, "several");
    await readThrough(page);
    const titles = await page.locator("#e0 .panels:not(.counters) figcaption").allTextContents();
    assert.deepEqual(titles, ["against N", "against P", "against model, the fitted value"]);
    const panel = page.locator("#e0 .panels:not(.counters) .panel").first();
    await panel.locator(".canvas").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await panel.locator(".readout").textContent(), /N = \d+.*: -?[\d.]+ %/);
    await page.context().close();
  });
});

describe("tables and files", () => {
  const table = "#data .scroll";

  test("100,000 samples: only rows that are seen are there, sorted by any column", async () => {
    const { page } = await open(browser, "many");
    await page.locator("#data").scrollIntoViewIfNeeded();
    await page.waitForSelector(`${table} tbody tr`);
    assert.ok((await page.locator(`${table} tbody tr`).count()) < 60);
    assert.equal(await page.getAttribute(`${table} table`, "aria-rowcount"), "100001");
    const cell = (column) =>
      page.locator(`${table} tbody tr:not(.space) td:nth-child(${column})`).first().textContent();
    assert.equal(await cell(1), "16");
    const by = page.locator(table).getByRole("button", { name: "N", exact: false }).first();
    await by.click();
    await by.click();
    assert.equal(await page.getAttribute(`${table} th`, "aria-sort"), "descending");
    assert.equal(await cell(1), "16000");
    await page.locator(table).evaluate((element) => (element.scrollTop = element.scrollHeight));
    await page.waitForFunction((at) => {
      const last = document.querySelector(`${at} tbody tr:last-child`);
      return last.getAttribute("aria-rowindex") === "100001";
    }, table);
    await page.context().close();
  });

  test("downloads are complete and hold what was measured", async () => {
    const { page } = await open(browser, "many");
    await page.locator("#data").scrollIntoViewIfNeeded();
    const get = (name) => downloaded(page, () => page.getByRole("button", { name }).click());
    const samples = await get("Samples, CSV");
    assert.equal(samples.name, "walk-samples.csv");
    const lines = samples.text.trimEnd().split("\n");
    assert.equal(lines.length, 100_001);
    assert.equal(lines[0], "N,time_s");
    const model = JSON.parse((await get("Model, JSON")).text);
    assert.equal(model.format, "cll-model");
    const point = model.experiments[0].fit.residuals[0];
    const own = lines.filter((line) => line.startsWith("16,")).map((line) => +line.split(",")[1]);
    assert.equal(own.length, 100);
    assert.ok(Math.abs(Math.min(...own) / point.spread.minimum - 1) < 1e-6);
    const points = await get("Points, CSV");
    const rows = points.text.trimEnd().split("\n");
    assert.equal(rows.length, 1001);
    assert.match(rows[0], /^N,measured_s,repetitions,.*,model_s,error,left_out$/);
    assert.equal(+rows[1].split(",")[1], point.measured);
    await page.context().close();
  });

  test("rounds of the sampling are drawn", async () => {
    const { page } = await open(browser, "matrix");
    await page.locator("#sampling").scrollIntoViewIfNeeded();
    const panel = page.locator("#sampling .panel");
    await panel.locator(".canvas").focus();
    for (let k = 0; k < 7; k++) await page.keyboard.press("ArrowRight");
    assert.match(await panel.locator(".readout").textContent(), /^round 3, chain: 1.4 times/);
    await page.context().close();
  });
});

describe("hostile names", () => {
  test("are text, in the page and in files", async () => {
    const { page, wrong } = await open(browser, "hostile");
    await readThrough(page);
    assert.equal(await page.locator("img").count(), 0);
    assert.match(await page.textContent("h1"), /^<\/script><img src=x onerror=alert\(1\)>/);
    assert.equal((await page.innerText("body")).includes("\u202e"), false);
    await page.focus(plot);
    await page.keyboard.press("ArrowRight");
    const said = await page.textContent(readout);
    assert.match(said, /<\/script>.*\\u\{202e\}gnp\\u\{0\}/);
    const svg = await downloaded(page, () =>
      page.locator(`${first} .plot`).getByRole("button", { name: "SVG" }).click(),
    );
    assert.match(svg.name, /^[\p{L}\p{N}._-]+\.svg$/u);
    assert.equal(svg.text.includes("<img"), false);
    const json = await downloaded(page, () => page.getByRole("button", { name: "Model, JSON" }).click());
    assert.equal(JSON.parse(json.text).experiments[0].formula.length > 1_000_000, true);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });
});

describe("colours", () => {
  test("the reader's choice is kept", async () => {
    const { page } = await open(browser, "matrix");
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.locator(".theme").click();
    assert.equal(await ground(), light);
    await page.locator(".theme").click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await ground(), dark);
    await page.context().close();
  });
});

describe("without JavaScript", () => {
  test("the page is a readable report", async () => {
    const { page } = await open(browser, "matrix", { javaScriptEnabled: false });
    const text = (await page.locator("main").innerText()).replace(/\s+/g, " ");
    for (const part of [
      "N = 9000:",
      "beyond the data",
      "609 ± 7 ps",
      "lack of fit",
      "The machine was disturbed.",
      "a[12] = 0; /* <b> & */",
      "cc 12.2.0",
    ]) {
      assert.ok(text.includes(part), part);
    }
    const picture = await page.locator(`${first} .still svg`).boundingBox();
    assert.ok(picture.width > 500 && picture.height > 300);
    await page.context().close();
  });
});

describe("printed", () => {
  test("the report is printed as it is without JavaScript, in light colours", async () => {
    const { page } = await open(browser, "matrix", { colorScheme: "dark" });
    await readThrough(page);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.isVisible(`${first} .still svg`), true);
    assert.equal(await page.isVisible(`${first} .plot`), false);
    assert.equal(await page.isVisible(".top"), false);
    const [ground, picture] = await page.evaluate(
      (at) => [
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector(`${at} .still svg .ground`)).fill,
      ],
      first,
    );
    assert.equal(ground, "rgb(255, 255, 255)");
    assert.equal(picture, "rgb(255, 255, 255)");
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 20_000);
    await page.context().close();
  });
});
