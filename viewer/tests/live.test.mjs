// The page of `cll model --live` in a browser. The program that is measured waits for a file in its second round.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, patient } from "./browser.mjs";

/** The program itself: its build for tests, or the one that CLL names. */
const cll = process.env.CLL ?? join(dirname(fileURLToPath(import.meta.url)), "../../target/debug/cll");

const WAITING = (folder) => `
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static double a[300000];
int main(int count, char **words)
{
    int N = count > 1 ? atoi(words[1]) : 1;
    double sum = 0;
    if (N == 1000) {
        FILE *runs = fopen("${folder}/runs", "a");
        fputc('x', runs);
        int is_second = ftell(runs) > 1;
        fclose(runs);
        while (is_second && access("${folder}/go", F_OK) != 0 && access("${folder}/runs", F_OK) == 0) usleep(10000);
    }
#pragma cll sum sum[0] + sum[1]*N
    for (int i = 0; i < N; i++) sum += a[i];
#pragma cll end sum
    printf("%g\\n", sum);
    return 0;
}
`;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** A measurement of which the page is served: its process, its folder, the address of the page. */
async function measuring() {
  const folder = mkdtempSync(join(tmpdir(), "cll-live-"));
  writeFileSync(join(folder, "sum.c"), WAITING(folder));
  const line = [
    "model",
    "sum.c",
    "--vary",
    "N=1000,3000,10000,30000,100000,300000",
    "--launches",
    "2",
    "--live",
    "--loaded",
    "accept",
    "--",
    "{N}",
  ];
  const child = spawn(cll, line, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((then) => child.on("exit", then));
  const said = [];
  const address = await new Promise((then, fail) => {
    createInterface({ input: child.stderr }).on("line", (text) => {
      said.push(text);
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/\?\w+/.exec(text) ?? [];
      if (found) then(found);
    });
    child.on("exit", () => fail(new Error(said.join("\n"))));
  });
  const go = () => writeFileSync(join(folder, "go"), "");
  const end = async () => {
    go();
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, child, ended, address, go, end };
}

describe("a page that is measured", () => {
  test("gets the points of each round, then is the finished page; its link stays", async () => {
    const measured = await measuring();
    const context = await patient(browser, { viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    await page.goto(measured.address);
    // It loads itself again when the first round has ended.
    await page.waitForSelector('[data-live="1"]');
    await page.waitForSelector("#ask .drawn canvas");
    assert.match(await page.textContent("[data-live]"), /1 round has ended/);
    await page.fill("#ask .try input[type=text]", "50000");
    await page.waitForFunction(() => location.hash === "#at=N%3D50000");
    measured.go();
    await page.waitForFunction(
      () => document.querySelector("#ask .try .predictions") && !document.querySelector("[data-live]"),
    );
    assert.equal(await measured.ended, 0);
    assert.match(await page.textContent("#ask .try .predictions"), /N = 50000/);
    assert.ok(await page.locator("#sampling").count(), "the finished page has all parts");
    assert.equal(
      await page.title(),
      /<title>(.*)<\/title>/.exec(readFileSync(join(measured.folder, "sum.cll/sum.html"), "utf8"))[1],
    );
    assert.deepEqual(wrong, []);
    await context.close();
    await measured.end();
  });

  test("says so if the command ends without a result", async () => {
    const measured = await measuring();
    const context = await patient(browser);
    const page = await context.newPage();
    await page.goto(measured.address);
    await page.waitForSelector('[data-live="1"]');
    measured.child.kill("SIGKILL");
    await measured.ended;
    await page.waitForFunction(() => /The command has ended/.test(document.querySelector("[data-live]").textContent));
    await context.close();
    await measured.end();
  });
});
