// The page of a profile in a browser.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { address, downloaded, launch, open, patient } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const TABS = ["graph", "flame", "timeline", "heat", "table", "source", "traffic"];
const LIVE = '[data-viewer="live"] #view';

/** Opens a page and waits until it is live. */
async function live(name, { hash = "", ...options } = {}) {
  const opened = await open(browser, `profile-${name}`, options);
  if (hash) await opened.page.evaluate((to) => (location.hash = to), hash);
  await opened.page.waitForSelector(LIVE);
  return opened;
}

/** Goes to a tab, and waits for its drawing. */
async function go(page, tab) {
  await page.click(`#tab-${tab}`);
  await page.waitForSelector(`.view.${tab}`);
  if (await page.$(`.view.${tab} .paper`)) await page.waitForSelector(`.view.${tab} canvas[data-drawn]`);
}

const selected = (page) => page.textContent('#view [role="row"][aria-selected="true"] .name bdi');
const hash = async (page, pattern) => {
  await page.waitForFunction((text) => new RegExp(text).test(location.hash), pattern);
  return page.evaluate(() => location.hash);
};

/**
 * The link of what is drawn. A page writes it 150 ms after the last change: a timer that is set once the effects have
 * run, and is longer, ends behind that one, however busy the machine is.
 */
const written = (page) =>
  page.evaluate(async () => {
    for (let k = 0; k < 2; k++) await new Promise((then) => requestAnimationFrame(() => setTimeout(then)));
    await new Promise((then) => setTimeout(then, 200));
    return location.hash;
  });

describe("every tab", () => {
  test("of every page: nothing goes wrong, nothing is asked of a network", async () => {
    for (const [name, tabs] of [
      ["compared", TABS],
      ["sums", ["timeline", "heat", "traffic"]],
      ["alone", TABS],
      ["nothing", TABS],
    ]) {
      const { page, wrong } = await live(name);
      for (const tab of tabs) await go(page, tab);
      assert.deepEqual(await wrong(), [], name);
      await page.context().close();
    }
  });

  for (const [look, options, tabs] of [
    ["light", {}, ["diff", ...TABS]],
    ["dark", { colorScheme: "dark" }, ["diff", "graph", "source"]],
    ["forced colours", { forcedColors: "active" }, ["graph", "timeline"]],
  ]) {
    test(`axe finds nothing, ${look}`, async () => {
      const { page } = await live("compared", options);
      await page.evaluate(axe);
      for (const tab of tabs) {
        await go(page, tab);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`);
        assert.deepEqual(found, [], tab);
      }
      await page.context().close();
    });
  }

  test("is drawn, and saved as SVG", async () => {
    const { page } = await live("compared", { hash: "path=imbalance:0" });
    for (const tab of ["diff", "graph", "flame", "timeline", "heat", "traffic"]) {
      await go(page, tab);
      // What the browser decompresses first comes a moment later.
      await page.waitForFunction(
        (at) => {
          const canvas = document.querySelector(`.view.${at} canvas`);
          const pixels = new Uint32Array(
            canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer,
          );
          return new Set(pixels).size > 2;
          // Not at each frame: it reads all pixels, and the page has to draw meanwhile.
        },
        tab,
        { polling: 100 },
      );
      const file = await downloaded(page, () => page.click(`.view.${tab} .under button`));
      assert.match(file.name, /\.svg$/);
      assert.match(file.text, /^<svg .*<path .*<\/svg>\n$/s, tab);
    }
    await page.context().close();
  });
});

describe("a drawing", () => {
  test("has a heading, axes with units and a legend in its file", async () => {
    const { page } = await live("broadcasts");
    const file = async (tab) => {
      await go(page, tab);
      if (tab === "heat") await page.waitForSelector("text=at most. Drag over");
      const { text } = await downloaded(page, () => page.click(`.view.${tab} .under button`));
      return [...text.matchAll(/<text [^>]*>([^<]*)</g)].map(([, words]) => words);
    };
    for (const [tab, ...needed] of [
      [
        "heat",
        /^Heat map of h-relation/,
        /^processor$/,
        /^superstep$/,
        /^15$/,
        /^h-relation: 0$/,
        /^not in the machine/,
      ],
      ["timeline", /^Supersteps 0 to 2/, /^average, s$/, /^superstep$/, /^1\.0$/, /^waiting$/],
      ["traffic", /^Communication matrix/, /^from processor$/, /^to processor$/, /^sent: 0$/],
      [
        "flame",
        /^Flame graph of h-relation/,
        /^The full width is .* of h-relation \(maximum\) of broadcasts\.$/,
        /^rank by imbalance:h-relation: 0$/,
      ],
      ["graph", /^Call graph/, /^rank by imbalance:h-relation: 0$/],
    ]) {
      const words = await file(tab);
      for (const pattern of [...needed, /^broadcasts \(.*\): P = 16, 6\.30 s$/]) {
        assert.ok(
          words.some((word) => pattern.test(word)),
          `${tab}: ${pattern} is not in ${words.join("; ")}`,
        );
      }
    }
    await page.context().close();
  });

  test("has the names of cards that are too small for their figures", async () => {
    const { page } = await live("broadcasts", { hash: "zoom=-20.000,-20.000,0.300" });
    await go(page, "graph");
    const { text } = await downloaded(page, () => page.click(".view.graph .under button"));
    const words = [...text.matchAll(/<text [^>]*>([^<]*)</g)].map(([, word]) => word);
    assert.ok(words.includes("main") && words.includes("b.c:5"), words.join("; "));
    assert.ok(!words.includes("comp"), words.join("; "));
    await page.context().close();
  });

  test("says what is not drawn in the rows of processors", async () => {
    const { page } = await live("broadcasts");
    await go(page, "timeline");
    await page.click("text=each processor");
    await page.waitForSelector(
      "text=nothing is drawn: shorter than the average, or not in the machine of the superstep",
    );
    await page.context().close();
  });
});

describe("the figures", () => {
  test("are those of the paper: an h-relation of (12% | 7%), and its path", async () => {
    const { page } = await live("broadcasts");
    assert.equal(await selected(page), "b.c:5");
    const row = page.locator('#view [role="row"][aria-selected="true"]');
    const cells = await row.locator('[role="gridcell"]').allTextContents();
    assert.equal(cells.at(-1), "11.3e6 words (12% | 7%)".replace("11.3e6", cells.at(-1).split(" ")[0]));
    assert.match(cells.at(-1), /\(12% \| 7%\)$/);
    const marked = await page.locator("#view .on-path").count();
    assert.ok(marked >= 4, `${marked} on the path`);
    await page.context().close();
  });

  test("every critical path is one press and two keys away, and both agree", async () => {
    const { page } = await live("broadcasts");
    const ranks = () => page.locator('#view [role="row"] .name + .cell').allTextContents();
    const kinds = { absolute: "a", imbalance: "i", relative: "r", weighted: "w" };
    for (const [kind, letter] of Object.entries(kinds)) {
      for (const [k, metric] of ["computation", "communication", "idle", "h-relation"].entries()) {
        await page.getByRole("radio", { name: `${kind}:${metric}`, exact: true }).click();
        const pressed = await ranks();
        await page.keyboard.press("y");
        await page.keyboard.press(letter);
        await page.keyboard.press(String(k + 1));
        await page.keyboard.press(letter);
        assert.deepEqual(await ranks(), pressed, `${kind}:${metric}`);
      }
    }
    await page.keyboard.press("y");
    assert.equal((await ranks())[1], "1.00");
    await page.context().close();
  });

  test("communication as on a machine is g·h + l", async () => {
    const { page } = await live("broadcasts");
    await page.selectOption(".machine select", "known");
    await page.waitForSelector(".run .caution");
    // 1e-8 s per byte, 4 bytes a word, 3 supersteps of 15 · 750,000 words, and 3 · 0.1 ms.
    const cell = page.locator('#view [role="row"][aria-rowindex="2"] [role="gridcell"]').nth(4);
    assert.match(await cell.textContent(), /^1\.35 s /);
    // The same, typed: s = 100 Mflop/s, g = 4 flop per word is 1e-8 s per byte, l = 10,000 flop.
    await page.selectOption(".machine select", "typed");
    const fields = page.locator(".typed input");
    for (const [k, text] of ["100", "4", "10000"].entries()) await fields.nth(k).fill(text);
    assert.match(await cell.textContent(), /^1\.35 s /);
    await fields.nth(0).fill("none");
    assert.match(await page.textContent("#machine-wrong"), /three numbers/);
    await page.context().close();
  });

  test("on the scale 1 - A/M a balanced node has no shade", async () => {
    const { page } = await live("compared", { hash: "tab=table&log=1" });
    const shade = (label) =>
      page.evaluate((text) => {
        const row = [...document.querySelectorAll('#view [role="row"]')].find(
          (r) => r.querySelector(".name bdi")?.textContent === text,
        );
        return getComputedStyle(row.querySelector(".name + .cell")).backgroundColor;
      }, label);
    await page.getByRole("radio", { name: "absolute:computation" }).click();
    assert.notEqual(await shade("bcast_twostage"), "rgb(255, 255, 255)");
    await page.keyboard.press("s");
    assert.equal(await shade("bcast_twostage"), "rgb(255, 255, 255)");
    await page.context().close();
  });
});

describe("the first view", () => {
  test("of a recursion is the merged graph, with the whole critical path, under what matters most", async () => {
    const { page } = await live("deep");
    await page.waitForSelector(".view.graph canvas[data-drawn]");
    assert.equal(await page.getByRole("button", { name: "graph", exact: true }).getAttribute("aria-pressed"), "true");
    // The names of the path's cards are inside of the drawing.
    const { text } = await downloaded(page, () => page.click(".view.graph .under button"));
    const [, width] = text.match(/<rect x="0" y="0" width="([\d.]+)"/);
    const placed = [...text.matchAll(/<text x="(-?[\d.]+)" [^>]*>([^<]*)</g)].map(([, x, name]) => [name, Number(x)]);
    for (const name of ["deep", "main", "descend_to_the_left", "deep.c:17"]) {
      assert.ok(
        placed.some(([own, x]) => own === name && x > 0 && x < Number(width)),
        `${name}: ${placed.map(String).join("; ")}`,
      );
    }
    const headline = page.locator(".headline");
    assert.match(await headline.textContent(), /deep\.c:17/);
    // It leads to the processor at the place.
    await headline.getByRole("link", { name: "processor 3" }).click();
    await page.getByRole("button", { name: "all processors" }).waitFor();
    assert.equal(await page.locator("aside .pane h2").last().textContent(), "deep.c:17");
    await page.context().close();
  });

  test("has ranks of two digits that count", async () => {
    const { page } = await live("deep", { hash: "tab=table" });
    await page.waitForSelector(".view.table");
    const ranks = await page.$$eval('#view [role="row"][aria-level] .name + .cell', (all) =>
      all.map((cell) => cell.textContent),
    );
    assert.ok(
      ranks.some((rank) => Number(rank) > 0 && Number(rank) < 0.005),
      String(ranks),
    );
    assert.ok(
      ranks.every((rank) => /^(0\.00|1\.00|0\.0*[1-9]\d(e-\d+)?|\d\.\de-\d+)$/.test(rank)),
      String(ranks),
    );
    await page.context().close();
  });
});

describe("the tree", () => {
  /** Names of rows that cannot be read: less than three letters of them have room. */
  const blank = (page) =>
    page.$$eval('#view [role="row"][aria-level] .name', (cells) =>
      cells
        .map((cell) => {
          const name = cell.querySelector("bdi");
          return {
            text: name.textContent,
            room: cell.getBoundingClientRect().right - name.getBoundingClientRect().left,
          };
        })
        .filter(({ text, room }) => room < Math.min(3, text.length) * 9),
    );

  test("has names at any depth, and its column is as wide as wanted", async () => {
    const { page } = await live("deep", { hash: "tab=table" });
    await page.waitForSelector('.view.table [role="row"][aria-level]');
    // To the deepest row that the end of the critical path is at.
    await page.keyboard.press("k");
    assert.deepEqual(await blank(page), []);
    const level = await page.getAttribute('#view [role="row"][aria-selected="true"]', "aria-level");
    assert.ok(Number(level) > 20, level);
    assert.match(await page.textContent(".where"), /^deep > main > … > .* > deep\.c:17$/);
    const grip = page.getByRole("separator", { name: "Width of call tree" });
    const before = Number(await grip.getAttribute("aria-valuenow"));
    await grip.focus();
    for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowRight");
    assert.equal(await grip.getAttribute("aria-valuenow"), String(before + 60));
    const box = await grip.boundingBox();
    await page.mouse.move(box.x + 2, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 42, box.y + 5);
    await page.mouse.up();
    assert.equal(await grip.getAttribute("aria-valuenow"), String(before + 100));
    await page.context().close();
  });

  test("shows all metrics at 1280 pixels", async () => {
    const { page } = await live("alone", { hash: "tab=table" });
    for (const tab of ["graph", "table"]) {
      await go(page, tab);
      const cut = await page.$$eval('#view .grid [role="row"] > .cell', (cells) => {
        const grid = cells[0].closest(".grid").getBoundingClientRect();
        return cells
          .filter((cell) => cell.getBoundingClientRect().right > grid.right + 1)
          .map((cell) => cell.textContent);
      });
      assert.deepEqual(cut, [], tab);
    }
    await page.context().close();
  });

  test("has siblings in the order of their ranks, or another one", async () => {
    const { page } = await live("broadcasts", { hash: "path=absolute:0" });
    await go(page, "table");
    const rows = () =>
      page.$$eval('#view [role="row"][aria-level]', (all) =>
        all.map((row) => [
          Number(row.getAttribute("aria-level")),
          Number(row.querySelectorAll(".cell")[0].textContent),
          row.querySelector(".name bdi").textContent,
        ]),
      );
    const ranked = await rows();
    ranked.forEach(([level, rank], k) => {
      const next = ranked.slice(k + 1).find(([other]) => other <= level);
      if (next?.[0] === level) assert.ok(rank >= next[1], `${rank} before ${next[1]}`);
    });
    await page.selectOption(".siblings select", "called");
    assert.match(await hash(page, "order=called"), /order=called/);
    const called = await rows();
    assert.deepEqual(called.map(([, , name]) => name).sort(), ranked.map(([, , name]) => name).sort());
    assert.notDeepEqual(called, ranked);
    await page.context().close();
  });
});

describe("on paper", () => {
  /** What is there when the browser begins to print. */
  const onPaper = async (page) => {
    await page.evaluate(() => {
      const look = () => {
        const brightness = (element) =>
          Math.max(...getComputedStyle(element).backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
        globalThis.paper = {
          tree: document.querySelectorAll(".printed tbody tr").length,
          caption: document.querySelector(".printed caption")?.textContent,
          dark: [...document.querySelectorAll(".printed td[style*=rgb]")].map(brightness),
          drawings: [...document.querySelectorAll(".paper")].map((paper) => {
            const { width, height } = paper.getBoundingClientRect();
            const canvas = paper.querySelector("canvas");
            return { shape: width / height, drawn: canvas.width / canvas.height };
          }),
        };
      };
      addEventListener("beforeprint", look, { once: true });
    });
    await page.pdf();
    return page.evaluate(() => globalThis.paper);
  };

  test("the tree has all of its rows, in light colours, and nothing is squeezed", async () => {
    const { page, wrong } = await live("compared", { colorScheme: "dark" });
    for (const [tab, rows] of [
      ["diff", 10],
      ["table", 9],
      ["graph", 9],
    ]) {
      await go(page, tab);
      const paper = await onPaper(page);
      assert.equal(paper.tree, rows, tab);
      for (const { shape, drawn } of paper.drawings)
        assert.ok(Math.abs(shape / drawn - 1) < 0.02, `${tab}: ${shape} ${drawn}`);
      assert.ok(
        paper.dark.every((light) => light > 100),
        `${tab}: ${paper.dark}`,
      );
      // Afterwards the page is as it was.
      assert.equal(await page.locator(".printed").count(), 0);
      assert.equal(await page.getAttribute("html", "data-theme"), "auto");
    }
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("a table has the rows that were not in sight, up to a limit that it names", async () => {
    const { page } = await live("large");
    await go(page, "table");
    const paper = await onPaper(page);
    assert.equal(paper.tree, 2000);
    assert.match(paper.caption, /The first 2000 of 100,\d{3} rows/);
    await page.context().close();
  });
});

describe("on a phone", () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  test("no view is wider than the screen, and the drawing comes first", async () => {
    for (const [name, tabs] of [
      ["compared", ["diff", ...TABS]],
      ["wide", ["graph"]],
      ["calls", ["calls", "graph", "table"]],
    ]) {
      const { page } = await live(name, phone);
      for (const tab of tabs) {
        await go(page, tab);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, `${name}: ${tab}`);
      }
      await go(page, "graph");
      const paper = await page.locator(".view.graph .paper").first().boundingBox();
      const bar = await page.locator(".functions").boundingBox();
      assert.ok(paper.y < bar.y, `${paper.y} ${bar.y}`);
      await page.context().close();
    }
  });

  test("one finger scrolls over the graph, two move it", async () => {
    const { page } = await live("broadcasts", phone);
    await page.waitForSelector(".view.graph canvas[data-drawn]");
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const place = await page.locator(".view.graph .paper").first().boundingBox();
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    await touch("touchStart", [x - 30, y], [x + 30, y]);
    for (let k = 1; k <= 5; k++) await touch("touchMove", [x - 30 - 8 * k, y], [x + 30 + 8 * k, y]);
    await touch("touchEnd");
    const zoomed = await written(page);
    assert.match(zoomed, /zoom=/);
    assert.equal(await page.evaluate(() => scrollY), 0);
    await touch("touchStart", [x, y]);
    for (let k = 1; k <= 10; k++) await touch("touchMove", [x, y - 20 * k]);
    await touch("touchEnd");
    await page.waitForFunction(() => scrollY > 50);
    assert.equal(await written(page), zoomed);
    await page.context().close();
  });
});

describe("controls", () => {
  test("are where they act only", async () => {
    const { page } = await live("broadcasts");
    const seen = async () => ({
      path: await page.getByRole("radiogroup", { name: "critical path" }).count(),
      metric: await page.getByRole("radiogroup", { name: "metric" }).count(),
      machine: await page.locator(".machine").count(),
      cards: await page.getByRole("button", { name: "full cards" }).count(),
      search: await page.locator("#search").count(),
    });
    const none = { path: 0, metric: 0, machine: 0, cards: 0, search: 0 };
    assert.deepEqual(await seen(), { ...none, path: 1, machine: 1, cards: 1, search: 1 });
    for (const [tab, there] of [
      ["table", { path: 1, machine: 1, search: 1 }],
      ["heat", { metric: 1 }],
      ["timeline", {}],
      ["traffic", {}],
    ]) {
      await go(page, tab);
      assert.deepEqual(await seen(), { ...none, ...there }, tab);
    }
    await page.context().close();
  });

  test("of critical paths are one stop of Tab, and arrow keys go through them", async () => {
    const { page } = await live("broadcasts");
    const stops = await page.$$eval(
      '.functions [role="radio"]',
      (all) => all.filter(({ tabIndex }) => tabIndex === 0).length,
    );
    assert.equal(stops, 1);
    await page.focus('.functions [role="radio"][aria-checked="true"]');
    await page.keyboard.press("ArrowLeft");
    assert.equal(
      await page.getAttribute('.functions [role="radio"][aria-checked="true"]', "aria-label"),
      "imbalance:idle",
    );
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "relative:idle");
    await page.context().close();
  });
});

describe("one selection", () => {
  test("Back goes to the view before, as it was left", async () => {
    const { page } = await live("compared");
    await page.locator('#view [role="row"][aria-rowindex="4"] .fold').click();
    const folded = await page.locator('#view [role="row"][aria-level]').count();
    await hash(page, "folded=");
    await go(page, "graph");
    await page.locator(".view.graph .paper").first().focus();
    await page.keyboard.press("+");
    const zoomed = await hash(page, "zoom=");
    await go(page, "heat");
    // Drawn is sooner than written.
    await hash(page, "tab=heat");
    await page.goBack();
    await page.waitForSelector(".view.graph");
    assert.equal(await page.evaluate(() => location.hash), zoomed);
    await page.goBack();
    await page.waitForSelector(".view.diff");
    assert.equal(await page.locator('#view [role="row"][aria-level]').count(), folded);
    await page.goForward();
    await page.waitForSelector(".view.graph");
    await page.context().close();
  });

  test("a view that was left does not write over the one that Back goes to", async () => {
    const { page } = await live("compared");
    await go(page, "graph");
    const left = await hash(page, "tab=graph");
    // Back comes just before the link would be written, and the page is busy until after.
    await page.evaluate(
      () =>
        new Promise((done) => {
          const busy = () => {
            for (const end = performance.now() + 300; performance.now() < end; );
            setTimeout(done, 50);
          };
          const back = () => {
            addEventListener("hashchange", busy, { once: true });
            history.back();
          };
          const wait = () => (location.hash.includes("tab=heat") ? setTimeout(back, 120) : setTimeout(wait, 1));
          document.querySelector("#tab-heat").click();
          wait();
        }),
    );
    await page.waitForSelector(".view.graph");
    assert.equal(await page.evaluate(() => location.hash), left);
    await page.context().close();
  });

  test("is kept by all tabs, and restored by the link", async () => {
    const { page } = await live("broadcasts", { hash: "order=called" });
    await page.focus('#view [role="treegrid"]');
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await selected(page), "foo");
    for (const tab of ["flame", "table"]) {
      await go(page, tab);
      assert.equal(await selected(page), "foo", tab);
    }
    await page.keyboard.press("p");
    const link = await hash(page, "percent=1");
    const other = await live("broadcasts", { hash: link });
    await other.page.waitForSelector("#tab-table[aria-selected=true]");
    assert.equal(await selected(other.page), "foo");
    await other.page.context().close();
    // A link that was changed by hand is read as far as it makes sense.
    const wrong = await live("broadcasts", {
      hash: "node=99999&tab=none&path=x:9&hidden=a.-1&supersteps=5-1&zoom=a,b,c",
    });
    assert.equal(await selected(wrong.page), "b.c:5");
    assert.deepEqual(await wrong.wrong(), []);
    await wrong.page.context().close();
    await page.context().close();
  });

  test("by keys: hide, undo, fold, search, only what was found, tabs", async () => {
    const { page } = await live("broadcasts", { hash: "order=called" });
    await page.click("#tab-table");
    const names = () => page.locator('#view [role="treegrid"] .body .name bdi').allTextContents();
    const all = await names();
    await page.focus('#view [role="treegrid"]');
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const figures = await page.locator('#view [role="row"][aria-rowindex="2"]').textContent();
    await page.keyboard.press("x");
    assert.ok(!(await names()).includes("foo"));
    // No other node's figures change.
    assert.equal(await page.locator('#view [role="row"][aria-rowindex="2"]').textContent(), figures);
    await page.keyboard.press("u");
    assert.deepEqual(await names(), all);
    await page.keyboard.press("e");
    assert.equal((await names()).length, all.length - 2);
    await page.keyboard.press("E");
    await page.keyboard.press("/");
    await page.keyboard.type("onestage");
    await page.keyboard.press("Enter");
    assert.equal(await selected(page), "bcast_onestage");
    await page.getByLabel("only these").check();
    assert.ok(!(await names()).some((name) => name.startsWith("b.c")), String(await names()));
    await page.getByLabel("only these").uncheck();
    await page.focus('#view [role="treegrid"]');
    await page.keyboard.press("]");
    await page.waitForSelector("#tab-source[aria-selected=true]");
    await page.keyboard.press("?");
    assert.ok(await page.isVisible(".keys"));
    await page.getByLabel("keys of one letter").uncheck();
    await page.focus("#tab-source");
    await page.keyboard.press("]");
    assert.ok(await page.isVisible("#tab-source[aria-selected=true]"));
    await page.context().close();
  });

  test("every drawing is moved by keys", async () => {
    const { page } = await live("broadcasts");
    const readout = (tab) => page.textContent(`.view.${tab} .readout`);
    for (const [tab, key] of [
      ["graph", "ArrowLeft"],
      ["flame", "ArrowUp"],
      ["timeline", "ArrowRight"],
      ["heat", "ArrowDown"],
      ["traffic", "ArrowRight"],
    ]) {
      await go(page, tab);
      const old = await readout(tab);
      await page.focus(`.view.${tab} .paper`);
      await page.keyboard.press(key);
      await page.waitForFunction(
        ([at, before]) => document.querySelector(`.view.${at} .readout`).textContent !== before,
        [tab, old],
      );
    }
    await go(page, "timeline");
    await page.focus(".view.timeline .paper");
    await page.keyboard.press("+");
    await hash(page, "supersteps=");
    await page.keyboard.press("0");
    await page.waitForFunction(() => !location.hash.includes("supersteps="));
    await page.context().close();
  });
});

describe("two profiles", () => {
  test("of one run each have no interval, and pale colours", async () => {
    const { page } = await live("compared");
    await page.waitForSelector("text=One run each: no interval");
    const strongest = await page.$$eval('#view [role="gridcell"]', (cells) => {
      const shares = cells
        .filter((cell) => cell.style.background)
        .map((cell) => {
          const [r, g, b] = getComputedStyle(cell).backgroundColor.match(/\d+/g).map(Number);
          return 255 - Math.min(r, g, b);
        });
      return Math.max(...shares);
    });
    // The whole blue is 74, 159, 216; white is none of it.
    assert.ok(strongest > 20 && strongest < 0.4 * (255 - 74), `${strongest}`);
    const { text } = await downloaded(page, () => page.click(".view.diff .under button"));
    assert.match(text, />One run each: no interval\./);
    assert.match(text, />before: [^<]*; after: /);
    await page.context().close();
  });

  test("of several runs each have intervals, and no colour where they include 0", async () => {
    const { page } = await live("runs");
    await page.waitForSelector("text=5 runs before, 5 after: means, with intervals");
    const rows = await page.$$eval('#view [role="row"][aria-level]', (all) =>
      all.map((row) => {
        const cells = [...row.querySelectorAll(".cell")];
        return {
          interval: cells[3].textContent,
          colour: getComputedStyle(cells[2]).backgroundColor,
          remark: cells.at(-1).textContent,
        };
      }),
    );
    for (const { interval, colour, remark } of rows) {
      const includes = /^-.* to \+/.test(interval) || interval.includes("0 to 0");
      assert.match(interval, / to /);
      assert.equal(colour === "rgb(255, 255, 255)", includes, interval);
      assert.equal(remark.includes("may be chance"), includes, interval);
    }
    assert.ok(
      rows.some(({ remark }) => remark.includes("may be chance")) &&
        rows.some(({ remark }) => !remark.includes("may be chance")),
    );
    const { text } = await downloaded(page, () => page.click(".view.diff .under button"));
    assert.match(text, />5 runs before, 5 after: means/);
    await page.context().close();
  });

  test("begin with the difference, in words too", async () => {
    const { page } = await live("compared");
    await page.waitForSelector("#tab-diff[aria-selected=true]");
    const rows = await page.locator('#view [role="treegrid"] .body [role="row"]').allTextContents();
    assert.ok(
      rows.some((row) => /bcast_twostage-.*only after/.test(row)),
      rows.join("\n"),
    );
    assert.ok(
      rows.some((row) => /^b\.c:2, 4.*moved: now b\.c:3/.test(row)),
      rows.join("\n"),
    );
    await page.getByRole("button", { name: "h-relation", exact: true }).click();
    assert.match(await page.textContent('#view [role="row"][aria-rowindex="2"]'), /words.*words.*-.*words/);
    // As on a machine both are predicted: 1.35 s, and 0.93 s with one stage less.
    await page.keyboard.press("2");
    await page.selectOption(".machine select", "known");
    assert.match(await page.textContent('#view [role="row"][aria-rowindex="2"]'), /1\.35 s928 ms-422 ms/);
    await hash(page, "compared=3");
    // The other run selects the same node.
    await page.locator('#view [role="row"]', { hasText: "foo" }).first().click();
    await page.keyboard.press("l");
    await go(page, "table");
    assert.equal(await selected(page), "foo");
    await page.context().close();
  });
});

describe("bad input", () => {
  test("names are shown, not obeyed", async () => {
    const { page, wrong } = await live("hostile", { hash: "tab=table" });
    const text = await page.textContent("#view");
    assert.match(text, /<img src=x onerror=alert\(1\)>\\u\{202e\}gnp\.exe\\u\{0\}\\u\{7\}/);
    assert.ok(!/[\u202e\u2067\u0000\u0007]/.test(text));
    await go(page, "source");
    await go(page, "graph");
    const file = await downloaded(page, () => page.click(".view.graph .under button"));
    assert.ok(!/<img|<script|\u202e/.test(file.text));
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("10,000 processors have a box plot and a strip", async () => {
    const { page, wrong } = await live("wide");
    assert.match(await page.textContent("aside .readout"), /Box plot/);
    await go(page, "heat");
    await go(page, "traffic");
    assert.match(await page.textContent(".view.traffic .tools"), /consecutive processors are one row/);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  const folder = mkdtempSync(join(tmpdir(), "cll-profile-"));
  /** A page that was changed by hand. */
  async function changed(change, prepare = () => {}) {
    const text = readFileSync(fileURLToPath(address("profile-broadcasts")), "utf8");
    const file = join(folder, "changed.html");
    writeFileSync(file, change(text));
    const context = await patient(browser);
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.addInitScript(prepare);
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector("[role=alert]");
    const said = await page.textContent("[role=alert]");
    assert.ok(await page.isVisible("#static"), "the report stays");
    assert.deepEqual(errors, []);
    await context.close();
    return said;
  }

  test("a page edited by hand says what is wrong, and keeps its report", async () => {
    const data = /(id="cll-p0"[^>]*>)([^<]*)/;
    assert.match(await changed((text) => text.replace(data, "$1!!!")), /no base64/);
    assert.match(
      await changed((text) => text.replace(data, (_, a, b) => a + b.slice(0, 400))),
      /do not decompress|no base64/,
    );
    assert.match(await changed((text) => text.replace(data, "$1eJwDAAAAAAE=")), /head is damaged/);
    assert.match(await changed((text) => text.replace('id="cll-p0"', 'id="other"')), /has none/);
  });

  test("a browser without DecompressionStream gets a message", async () => {
    const said = await changed(
      (text) => text,
      () => delete globalThis.DecompressionStream,
    );
    assert.match(said, /DecompressionStream/);
  });
});

describe("large data", () => {
  test("100,000 nodes with 2000 supersteps of 1024 processors: few elements, little memory", async () => {
    const { page, wrong } = await live("large", { hash: "tab=table" });
    const session = await page.context().newCDPSession(page);
    for (const tab of ["table", "graph"]) {
      await go(page, tab);
      const elements = await page.evaluate(() => document.querySelectorAll("*").length);
      assert.ok(elements < 3000, `${elements} elements in ${tab}`);
    }
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
    const megabytes = (usedSize + backingStorageSize) / 1e6;
    assert.ok(megabytes < 100, `${megabytes} MB`);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });
});
