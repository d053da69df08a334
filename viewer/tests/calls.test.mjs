// The page of calls of MPI without supersteps, in a browser: a wavefront on four ranks.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { downloaded, launch, open } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TABS = ["graph", "flame", "timeline", "heat", "table", "source", "traffic", "calls"];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function live(name, options = {}) {
  const opened = await open(browser, `profile-${name}`, options);
  await opened.page.waitForSelector('[data-viewer="live"] #view');
  return opened;
}

async function go(page, tab) {
  await page.click(`#tab-${tab}`);
  await page.waitForSelector(`.view.${tab}`);
  if (await page.$(`.view.${tab} .paper`)) await page.waitForSelector(`.view.${tab} canvas[data-drawn]`);
}

const rows = (page, label) =>
  page
    .getByRole("group", { name: label, exact: label === "Ranks" })
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

/** The cells of a node in the call tree. */
const node = (page, name) =>
  page.locator('#view [role="row"]', { hasText: name }).first().locator('[role="gridcell"]').allTextContents();

describe("calls without supersteps", () => {
  test("begin with the path of the longest waiting, and say that supersteps are missing", async () => {
    const { page, wrong } = await live("calls");
    assert.match(await page.textContent(".run"), /calls of Open MPI/);
    assert.match(await page.textContent(".run"), /43 % = load balance 85 % × serialisation 51 % × transfer 98 %/);
    assert.match(await page.textContent(".run details"), /no supersteps, so the page shows calls of MPI/);
    assert.equal(await page.textContent('#view [role="row"][aria-selected="true"] .name bdi'), "MPI_Recv wave.c:4");
    assert.equal(await page.textContent("#tab-timeline"), "Time line");
    assert.equal(await page.locator(".machine").count(), 0, "no machine's g and l");
    assert.ok(!(await page.textContent("body")).includes("supersteps 0"));
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("have waiting by its cause at every node", async () => {
    const { page } = await live("calls");
    await go(page, "table");
    // Where there is little room the title is short.
    const titles = await page.$$eval('#view [role="columnheader"]', (all) =>
      all.map((one) => one.title.split(": ")[0] || one.textContent),
    );
    assert.deepEqual(titles, [
      "call tree",
      "rank",
      "calls",
      "waiting",
      "waiting was for",
      "computation",
      "communication",
      "bytes",
    ]);
    // Waits of the ranks: 0, 1, 2, 3 s as receivers; 3, 2, 1, 0 s in the collective; 0.1 s as a sender.
    const receive = await node(page, "MPI_Recv");
    assert.match(receive[3], /^3\.00 s \(50% \| 0%\)$/);
    assert.equal(receive[4], "late sender 100 %");
    const main = await node(page, "main");
    assert.match(main[3], /^3\.10 s \(98% \| 97%\)$/);
    assert.equal(main[4], "late sender 50 %, collective 50 %, late receiver 0.8 %");
    await page.locator('#view [role="row"]', { hasText: "main" }).first().click();
    const detail = await page.locator("aside .pane").last().locator("tbody tr").allTextContents();
    assert.ok(
      detail.some((row) => row.startsWith("- late receiver100 ms25.0 ms0 s")),
      detail.join("\n"),
    );
    await page.context().close();
  });

  test("show each rank, what sent to what, phases of time, and lines of the source", async () => {
    const { page, wrong } = await live("calls");
    // Processors are read behind the first view.
    await page.getByRole("group", { name: "Processors, waiting" }).waitFor();
    const ranks = await rows(page, "Processors, waiting");
    assert.deepEqual(
      ranks.map((row) => row.slice(0, 2)),
      [
        ["0", "0 s"],
        ["1", "1.00 s"],
        ["2", "2.00 s"],
        ["3", "3.00 s"],
      ],
    );
    await go(page, "traffic");
    assert.deepEqual(
      (await rows(page, "Pairs of processors")).map((row) => row.slice(0, 2)),
      [
        ["0", "1"],
        ["1", "2"],
        ["2", "3"],
      ],
    );
    await go(page, "timeline");
    const phases = await rows(page, "Phases");
    assert.deepEqual(
      phases.map((row) => row.slice(0, 3)),
      [
        ["0 s", "2.00 s", "MPI_Send wave.c:6"],
        ["2.00 s", "2.00 s", "MPI_Recv wave.c:4"],
        ["4.00 s", "1.00 s", "MPI_Allreduce wave.c:7"],
      ],
    );
    // In the first second rank 0 computes alone, in the second rank 1, too.
    assert.equal(phases[0][3], "675 ms (34 %)");
    await page.focus(".view.timeline .paper");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent(".view.timeline .readout"), /^0 s to 10\.0 ms, mostly MPI_Send wave\.c:6: /);
    await page.getByRole("button", { name: "each processor" }).click();
    await page.waitForFunction(() =>
      document.querySelectorAll(".view.timeline .readout")[1]?.textContent.includes("A row for each of 4"),
    );
    await go(page, "source");
    assert.match(await page.textContent(".code-line:nth-child(4) .figure"), /^3\.00 s \(50% \| 0%\)/);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("name causes of waiting, calls and segments as cll mpi stats does", async () => {
    const { page, wrong } = await live("calls");
    await go(page, "calls");
    assert.match(
      await page.textContent("#view"),
      /36 calls on 4 ranks, Open MPI v4\.1; all ranks together waited 12\.1 s/,
    );
    assert.deepEqual((await rows(page, "Waiting by cause"))[0], ["late sender", "9", "6.00 s", "50 %"]);
    const [cause] = await rows(page, "Where waiting comes from");
    assert.deepEqual(cause, [
      "6.00 s",
      "0",
      "computing in <img src=x onerror=alert(1)>\\u{202e}",
      "0 s",
      "",
      "MPI_Recv wave.c:4",
      "late sender",
    ]);
    assert.equal((await rows(page, "Calls by path"))[0][0], "MPI_Recv wave.c:4");
    assert.deepEqual((await rows(page, "Computation between"))[0].slice(0, 3), [
      "sweep",
      "MPI_Recv wave.c:4",
      "MPI_Send wave.c:6",
    ]);
    assert.equal((await rows(page, "Ranks")).length, 4);
    // By keyboard: a table is sorted by its head.
    await page.getByRole("group", { name: "Calls by path" }).getByRole("button", { name: /^time/ }).focus();
    await page.keyboard.press("Enter");
    assert.equal((await rows(page, "Calls by path"))[0][0], "MPI_Send wave.c:6");
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  test("are printed with their tables", async () => {
    const { page } = await live("calls");
    await go(page, "calls");
    await page.emulateMedia({ media: "print" });
    const seen = await page
      .locator(".calls table")
      .evaluateAll((all) => all.filter((table) => table.getBoundingClientRect().height > 0).length);
    assert.equal(seen, 5);
    await page.context().close();
  });

  test("of two runs begin with the difference", async () => {
    const { page, wrong } = await live("calls-compared");
    await page.waitForSelector("#tab-diff[aria-selected=true]");
    await page.waitForSelector('button[aria-pressed="true"]:text-is("waiting")');
    const receive = await node(page, "MPI_Recv");
    assert.deepEqual(receive.slice(1, 5), ["3.00 s", "1.50 s", "-1.50 s", "0.50"]);
    await page.getByRole("button", { name: "calls", exact: true }).click();
    assert.deepEqual((await node(page, "MPI_Recv")).slice(1, 4), ["12", "12", "0"]);
    await page.keyboard.press("l");
    await go(page, "calls");
    assert.deepEqual((await rows(page, "Waiting by cause"))[0].slice(0, 3), ["late sender", "9", "3.00 s"]);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  for (const [look, options, tabs] of [
    ["light", {}, ["diff", ...TABS.slice(0, 4)]],
    ["light, other tabs", {}, TABS.slice(4)],
    ["dark", { colorScheme: "dark" }, ["timeline", "table", "calls"]],
    ["forced colours", { forcedColors: "active" }, ["timeline", "table", "calls"]],
  ]) {
    test(`axe finds nothing, ${look}`, async () => {
      const { page } = await live("calls-compared", options);
      await page.evaluate(axe);
      for (const tab of tabs) {
        await go(page, tab);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`),
          [],
          tab,
        );
      }
      await page.context().close();
    });
  }

  test("are drawn, and saved as SVG", async () => {
    const { page } = await live("calls");
    for (const tab of ["graph", "flame", "timeline", "heat", "traffic"]) {
      await go(page, tab);
      const file = await downloaded(page, () => page.click(`.view.${tab} .under button`));
      assert.match(file.text, /^<svg .*<path .*<\/svg>\n$/s, tab);
    }
    await page.context().close();
  });
});
