// The predictions of a page are those of `cll predict`: native.json has what the same code says compiled for this machine.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { address, launch, open, pages } from "./browser.mjs";

const native = JSON.parse(readFileSync(join(pages, "native.json"), "utf8"));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const ask = "#ask form";

/** Types a size; the row of each experiment, with the exact value. */
async function answers(page, size) {
  await page.fill(`${ask} input`, size);
  await page.press(`${ask} input`, "Enter");
  await page.waitForFunction(
    () => document.querySelector("#ask tbody tr") || document.querySelector("#ask form [role=alert]").textContent,
  );
  return page.evaluate(() => ({
    wrong: document.querySelector("#ask form [role=alert]").textContent,
    rows: [...document.querySelectorAll("#ask tbody tr")].map((row) => ({
      name: row.querySelector("th").textContent,
      value: Number(row.querySelector("[data-value]")?.dataset.value ?? Number.NaN),
      text: row.textContent,
    })),
  }));
}

/** All numbers of an answer, with their paths. */
function numbers(value, path = "") {
  if (typeof value === "number") return [[path, value]];
  if (value === null || typeof value !== "object") return [[path, String(value)]];
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.flatMap(([key, one]) => numbers(one, `${path}.${key}`));
}

/** Calls the program of a page as the page does, with the page's data. */
async function program(page) {
  return page.evaluateHandle(async () => {
    const text = document.getElementById("cll-predict").textContent;
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const bytes = await new Response(stream).arrayBuffer();
    const { instance } = await WebAssembly.instantiate(bytes);
    const code = instance.exports;
    const data = JSON.parse(document.getElementById("cll-data").textContent);
    const write = (value) => {
      const text = new TextEncoder().encode(JSON.stringify(value));
      // It may move the memory.
      const at = code.input(text.length);
      new Uint8Array(code.memory.buffer, at, text.length).set(text);
    };
    return (experiment, given) => {
      const { fit, search } = data.model.experiments[experiment];
      write({ fit, average: search?.average ?? null });
      const model = code.load();
      if (model < 0) return null;
      write(given);
      const length = code.predict(model);
      const answer = new Uint8Array(code.memory.buffer, code.output(), length);
      return JSON.parse(new TextDecoder().decode(answer));
    };
  });
}

/** Every number of an answer of the command is the page's to 1e-12, and every word. */
function same(found, answer, keys) {
  for (const key of keys) {
    const [ours, theirs] = [new Map(numbers(found[key])), numbers(answer[key])];
    for (const [path, expected] of theirs) {
      const got = ours.get(path);
      if (typeof expected !== "number") assert.equal(got, expected, `${key}${path}`);
      else assert.ok(Math.abs(got - expected) <= 1e-12 * Math.abs(expected), `${key}${path}: ${got}, ${expected}`);
    }
  }
}

/** The program itself: its build for tests, or the one that CLL names. */
const cll = process.env.CLL ?? join(dirname(fileURLToPath(import.meta.url)), "../../target/debug/cll");

describe("predictions in a page", () => {
  test("of a searched model: the numbers of cll predict --json to 1e-12, averaged over formulas, too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cll-searched-"));
    const run = (...line) =>
      execFileSync(cll, line, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const rows = [1, 2, 4, 8].flatMap((p) =>
      [1000, 2000, 4000, 8000, 16000, 32000].map((n, k) => {
        const time = (3e-7 * n * Math.log2(n)) / p + 2e-5 * Math.sqrt(n);
        return `${n},${p},${time * (1 + 0.01 * Math.sin(7 * (k + 6 * p)))}`;
      }),
    );
    writeFileSync(join(folder, "times.csv"), ["N,P,time_s", ...rows, ""].join("\n"));
    run("fit", "times.csv", "--search", "-o", "model.json");
    run("page", "model.json", "-o", join(pages, "searched.html"));
    const { page, wrong } = await open(browser, "searched");
    const predict = await program(page);
    for (const at of ["N=3000,P=2", "N=17000,P=3", "N=64000,P=16", "N=1000000,P=1"]) {
      const [answer] = JSON.parse(run("predict", "model.json", "--at", at, "--json")).predictions;
      assert.ok(answer.averaged.value > 0 && answer.averaged.value !== answer.value, at);
      const given = at
        .split(",")
        .map((one) => one.split("="))
        .map(([name, value]) => [name, Number(value)]);
      const found = await predict.evaluate((call, values) => call(0, values), given);
      same(found, answer, ["value", "low", "high", "confidence", "domain", "follows", "averaged", "warnings", "error"]);
      // The field says the same.
      await page.locator("#ask").scrollIntoViewIfNeeded();
      await page.waitForSelector(`${ask} input`);
      await page.fill(`${ask} input`, at.replace(",", ", "));
      await page.press(`${ask} input`, "Enter");
      await page.waitForFunction((expected) => {
        const shown = Number(document.querySelector("#ask tbody [data-value]")?.dataset.value);
        return Math.abs(shown - expected) <= 1e-12 * expected;
      }, answer.value);
    }
    assert.deepEqual(await wrong(), []);
    await page.context().close();
    rmSync(folder, { recursive: true });
  });

  for (const name of [...new Set(native.map((one) => one.page))]) {
    test(`${name}: the numbers of the native code to 1e-12`, async () => {
      const { page, wrong } = await open(browser, name);
      const predict = await program(page);
      const own = native.filter((one) => one.page === name);
      assert.ok(own.length >= 6);
      for (const { experiment, answer } of own) {
        const found = await predict.evaluate((call, [e, at]) => call(e, at), [experiment, Object.entries(answer.at)]);
        for (const key of ["value", "low", "high", "confidence", "domain", "follows", "warnings", "error"]) {
          const [ours, theirs] = [numbers(found[key]), numbers(answer[key])];
          assert.equal(ours.length, theirs.length, `${key}: ${JSON.stringify([found, answer])}`);
          theirs.forEach(([path, expected], k) => {
            assert.equal(ours[k][0], path);
            const got = ours[k][1];
            if (typeof expected !== "number") return assert.equal(got, expected);
            assert.ok(Math.abs(got - expected) <= 1e-12 * Math.abs(expected), `${key}${path}: ${got}, ${expected}`);
          });
        }
      }
      assert.deepEqual(await wrong(), []);
      await page.context().close();
    });
  }

  test("the field reads powers, says where the values are, and nothing leaves the page", async () => {
    const { page, wrong } = await open(browser, "several");
    await page.locator("#ask").scrollIntoViewIfNeeded();
    await page.waitForSelector(`${ask} input`);
    const names = await page.evaluate(() => {
      const data = JSON.parse(document.getElementById("cll-data").textContent);
      return data.model.experiments[0].fit.variables;
    });
    const { rows } = await answers(page, names.map((name, k) => `${name}=${k === 0 ? "2^30" : "3"}`).join(", "));
    assert.equal(rows.length, 2);
    assert.ok(rows[0].value > 0);
    assert.match(rows[0].text, /beyond the data/);
    for (const [size, message] of [
      ["Q=3", /no model has a variable Q/],
      [`${names[0]}=abc`, /is no number/],
      ["3", /written as N=2\^21/],
      ["", /give values/],
    ]) {
      const { wrong, rows } = await answers(page, size).then(async (found) => {
        await page.waitForFunction(() => !document.querySelector("#ask tbody tr"));
        return { ...found, wrong: await page.textContent("#ask form [role=alert]") };
      });
      assert.match(wrong, message, `${size} ${rows.length}`);
    }
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("sizes are written as for the commands; the question is in the link", async () => {
    const { page, wrong } = await open(browser, "matrix");
    await page.waitForSelector(`${ask} input`);
    const count = async (size, expected) => {
      await page.fill(`${ask} input`, size);
      await page.press(`${ask} input`, "Enter");
      await page.waitForFunction((n) => document.querySelectorAll("#ask tbody tr").length === n, expected);
      return page.locator("#ask tbody tr td:nth-child(2)").allTextContents();
    };
    assert.deepEqual(await count("3000", 1), ["N = 3000"]);
    assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /^#at=3000$/);
    assert.deepEqual(await count("N=100:1000:*2", 4), ["N = 100", "N = 200", "N = 400", "N = 800"]);
    assert.deepEqual(await count("100:300:+100, 2^10", 4), ["N = 100", "N = 200", "N = 300", "N = 1024"]);
    assert.deepEqual(await count("4k", 1), ["N = 4000"]);
    assert.deepEqual(await count("N=1000.5", 1), ["N = 1000.5"]);
    // Where nothing can be measured there is no answer.
    await count("N=-5", 1);
    await page.waitForFunction(() => document.querySelector("#ask tbody tr td:nth-child(2)").textContent === "N = -5");
    const row = page.locator("#ask tbody tr");
    assert.match(await row.textContent(), /none.*no measured N is below 0/);
    for (const [size, message] of [
      ["100:10", /is empty/],
      ["100:1000:2", /a step is written as \*2 or \+100/],
      ["0:10:*2", /never ends/],
      ["1:2:3:4", /is not a range/],
      ["0:1e6", /more than 500 sizes/],
    ]) {
      await page.fill(`${ask} input`, size);
      await page.press(`${ask} input`, "Enter");
      await page.waitForFunction(
        (pattern) => new RegExp(pattern).test(document.querySelector("#ask form [role=alert]").textContent),
        message.source,
      );
    }
    // A link with a question is answered.
    await page.goto(`${address("matrix")}#at=N%3D2000%3A4000%3A%2B1000`);
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll("#ask tbody tr").length === 3);
    assert.equal(await page.inputValue(`${ask} input`), "N=2000:4000:+1000");
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("a model that is not measurable is marked in its answers, the others are not", async () => {
    const { page, wrong } = await open(browser, "crowd");
    await page.waitForSelector(`${ask} input`);
    await page.fill(`${ask} input`, "N=3000, P=2");
    await page.press(`${ask} input`, "Enter");
    await page.waitForFunction(() => document.querySelectorAll("#ask tbody tr").length === 59);
    const texts = await page.locator("#ask tbody tr").allTextContents();
    const doubtful = texts.filter((text) => text.includes("? ") && text.includes("not measurable"));
    assert.deepEqual(
      doubtful.map((text) => text.match(/^loop_\d+?(?=N)/)?.[0]),
      ["loop_5", "loop_25", "loop_45"],
    );
    assert.equal(texts.filter((text) => text.includes("? ")).length, 3);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("all models stand in one plot, and can be taken out of it", async () => {
    const { page, wrong } = await open(browser, "several");
    await page.locator("#together").scrollIntoViewIfNeeded();
    await page.waitForSelector("#together canvas");
    const image = () => page.evaluate(() => document.querySelector("#together canvas").toDataURL());
    const before = await image();
    const boxes = page.locator("#together fieldset input:enabled");
    await boxes.first().uncheck();
    assert.notEqual(await image(), before);
    await boxes.first().check();
    await page.focus("#together .canvas");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent("#together .readout"), /measured .*model/);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });
});
