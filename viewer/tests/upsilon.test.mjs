// The statements of each constant in the source of a model's page: shown, corrected, downloaded, written.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { downloaded, launch, open, pages, patient, readThrough } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const file = (name) => readFileSync(join(pages, name), "utf8");

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Ways to what is tested. */
const of = (page) => ({
  line: (number) => page.getByRole("button", { name: new RegExp(`^Line ${number}: `) }),
  box: (number) => page.getByRole("group", { name: `Constants of line ${number}` }),
  choice: (text, constant) =>
    page
      .getByRole("group", { name: `${text}, init`, exact: true })
      .getByRole("checkbox", { name: constant, exact: true }),
  button: (name) => page.locator(".upsilon").getByRole("button", { name, exact: true }),
  status: () => page.locator(".upsilon [role=status]").innerText(),
  /** The table's rows of a constant. */
  rows: (constant) => page.locator(".upsilon tbody", { has: page.locator("th", { hasText: constant }) }).locator("tr"),
});

/** What is corrected in `sets.corrected.toml`. */
async function correct(page) {
  const { line, choice, box } = of(page);
  await line(11).click();
  await choice("i = 0", "init[2]").check();
  await page.keyboard.press("Escape");
  await page.locator(".upsilon").getByRole("spinbutton").fill("17");
  await page.keyboard.press("Enter");
  await choice('note("after")', "init[0]").check();
  await box(17).getByRole("button", { name: "Close" }).click();
}

describe("the sets", () => {
  test("stand beside the source, by name, without JavaScript and on paper, too", async () => {
    const { page } = await open(browser, "sets", { javaScriptEnabled: false });
    const beside = (number) => page.locator(`#s0-${number} .sets`).innerText();
    assert.equal((await beside(10)).trim(), "init[0], init[1]");
    assert.equal((await beside(11)).trim(), "init[1], init[2]");
    assert.equal((await beside(13)).trim(), "in no set");
    assert.equal((await beside(2)).trim(), "");
    const text = (await page.locator(".upsilon").innerText()).replace(/\s+/g, " ");
    assert.match(text, /Υ init/);
    assert.match(text, /11 i < N N\*N \+ N nesting/);
    assert.match(text, /Proposed by the nesting of loops/);
    await page.context().close();
  });

  test("have the values of the constants, and each statement under its constant", async () => {
    const { page, wrong } = await open(browser, "sets");
    const { rows, line } = of(page);
    const one = (await rows("init[2]").first().innerText()).replace(/\s+/g, " ");
    assert.match(one, /^init\[2\] ?609 ± 7 ps for N .*N > 1579 11 i < N N\*N \+ N nesting/);
    assert.equal(await rows("init[2]").count(), 3);
    assert.match((await rows("in no set").allInnerTexts()).join(" "), /depends on `a`/);
    assert.match(await line(11).innerText(), /^init\[1\], init\[2\]$/);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });

  for (const [look, options] of [
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["narrow", { viewport: { width: 360, height: 740 } }],
  ]) {
    test(`${look}: axe finds nothing, nothing sticks out, closed and open`, async () => {
      const { page } = await open(browser, "sets", options);
      await readThrough(page);
      await page.evaluate(axe);
      for (const is of look === "light" ? ["closed", "open"] : ["open"]) {
        if (is === "open") await of(page).line(11).click();
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`),
          [],
        );
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${is}: ${over} pixels`);
      }
      await page.context().close();
    });
  }
});

describe("a correction", () => {
  test("changes line and table, says what was before, and is taken back", async () => {
    const { page } = await open(browser, "sets");
    const { line, choice, rows, button, status } = of(page);
    assert.ok(await button("Undo").isDisabled());
    await line(15).first().click();
    await choice('note("done")', "init[0]").uncheck();
    await choice('note("it\'s\\tdone")', "init[1]").check();
    assert.match(await line(15).innerText(), /^init\[0\], init\[1\]$/);
    assert.match(await status(), /2 statements corrected here/);
    assert.match((await rows("in no set").allInnerTexts()).join(" "), /note\("done"\)\s+1\s+hand, was init\[0\]/);
    assert.match((await rows("init[1]").allInnerTexts()).join(" "), /hand, was init\[0\]/);
    await button("Undo").click();
    await button("Undo").click();
    assert.match(await line(15).innerText(), /^init\[0\]$/);
    assert.doesNotMatch(await status(), /corrected/);
    await page.context().close();
  });

  test("is made by keys alone: line, constant, out again", async () => {
    const { page } = await open(browser, "sets");
    const { line, box } = of(page);
    await line(12).focus();
    await page.keyboard.press("Enter");
    // The first constant of the first statement has the focus.
    const focus = () => page.evaluate(() => document.activeElement.closest("label")?.innerText ?? "");
    assert.equal(await focus(), "init[0]");
    assert.equal(await line(12).getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Tab");
    assert.equal(await focus(), "init[1]");
    await page.keyboard.press("Space");
    assert.match(await line(12).innerText(), /^init\[1\], init\[2\]$/);
    await page.keyboard.press("Escape");
    assert.equal(await box(12).count(), 0);
    assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Line 12: /);
    // A line of the table leads to the source, and back.
    const first = page.getByRole("button", { name: "Correct line 11" }).first();
    await first.focus();
    await page.keyboard.press("Enter");
    assert.equal(await box(11).count(), 1);
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Correct line 11");
    await page.context().close();
  });

  test("of a line that has no statement is refused in words", async () => {
    const { page } = await open(browser, "sets");
    for (const number of ["1", "999"]) {
      await page.locator(".upsilon").getByRole("spinbutton").fill(number);
      await page.keyboard.press("Enter");
      assert.match(await page.locator(".upsilon [role=alert]").innerText(), new RegExp(`^Line ${number} is not`));
    }
    await page.context().close();
  });

  test("is in the file that is downloaded, byte for byte as cll writes it", async () => {
    const { page, wrong } = await open(browser, "sets");
    const { button } = of(page);
    const before = await downloaded(page, () => button("Download clear.upsilon.toml").click());
    assert.equal(before.name, "clear.upsilon.toml");
    assert.equal(before.text, file("sets.toml"));
    await correct(page);
    const after = await downloaded(page, () => button("Download clear.upsilon.toml").click());
    assert.equal(after.text, file("sets.corrected.toml"));
    assert.equal(await page.getByRole("button", { name: /^Write / }).count(), 0);
    assert.deepEqual(await wrong(), []);
    await page.context().close();
  });
});

describe("a served page", () => {
  /** The page from a server that answers a POST so; what it was sent. */
  async function served(t, answer) {
    const sent = [];
    const html = file("sets-served.html");
    const server = createServer((request, response) => {
      if (request.method !== "POST") return response.end(html);
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => {
        sent.push({ headers: request.headers, url: request.url, body });
        const { status, text } = answer(sent.length);
        response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(text);
      });
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const context = await patient(browser, { viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const origin = `http://127.0.0.1:${server.address().port}`;
    await page.goto(`${origin}/?0f1e2d`);
    t.after(async () => {
      await context.close();
      server.closeAllConnections();
      server.close();
    });
    return { page, sent, origin };
  }

  test("sends the corrected file with token and version, and goes on from what was written", async (t) => {
    const { page, sent, origin } = await served(t, (k) => ({ status: 200, text: `v${k + 1}` }));
    const { button, line, choice, status } = of(page);
    const write = button("Write clear.upsilon.toml");
    assert.ok(await write.isDisabled());
    await correct(page);
    await write.click();
    await page.getByText("clear.upsilon.toml is written.").waitFor();
    assert.ok(await write.isDisabled());
    await line(12).click();
    await choice("a[i][j] = 0", "init[1]").check();
    await write.click();
    await page.getByText("clear.upsilon.toml is written.").waitFor();
    assert.doesNotMatch(await status(), /corrected/);
    assert.equal(sent.length, 2);
    assert.equal(sent[0].body, file("sets.corrected.toml"));
    assert.deepEqual(
      sent.map(({ url, headers }) => [url, headers.origin, headers["x-cll-token"], headers["if-match"]]),
      [
        ["/", origin, "0f1e2d", '"v1"'],
        ["/", origin, "0f1e2d", '"v2"'],
      ],
    );
  });

  test("shows why a file is refused, as text, and keeps the corrections", async (t) => {
    const { page } = await served(t, () => ({ status: 422, text: "<b>no</b> constant" }));
    const { button, status } = of(page);
    await correct(page);
    await button("Write clear.upsilon.toml").click();
    const alert = page.locator(".upsilon [role=alert]");
    await alert.filter({ hasText: "is not written" }).waitFor();
    assert.equal(await alert.innerText(), "clear.upsilon.toml is not written: <b>no</b> constant");
    assert.match(await status(), /2 statements corrected here/);
    assert.ok(await button("Write clear.upsilon.toml").isEnabled());
  });

  test("sends nothing to another place", async (t) => {
    const { page } = await served(t, () => ({ status: 200, text: "" }));
    const found = await page.evaluate(
      () =>
        new Promise((done) => {
          document.addEventListener("securitypolicyviolation", (event) => done(event.violatedDirective));
          fetch("http://127.0.0.1:1/").catch(() => {});
        }),
    );
    assert.equal(found, "connect-src");
  });
});
