// Profiles as speedscope reads them: loads each file in speedscope in a browser, as its users do, has it export what
// it understood, and prints that as JSON: for each file its profiles, each with the sums of its frames.
//
// node speedscope.mjs FILE...

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const speedscope = join(
  dirname(createRequire(import.meta.url).resolve("speedscope/package.json")),
  "dist/release/index.html",
);

/** What speedscope exports of a file that was dropped on it. */
async function read(browser, path) {
  const page = await (await browser.newContext()).newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => wrong.push(message.text()));
  page.on("dialog", (dialog) => {
    wrong.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(speedscope).href);
  await page.setInputFiles("input[type=file]", { name: basename(path), mimeType: "text/plain", buffer: readFileSync(path) });
  try {
    const exported = page.getByText("Export", { exact: false }).first();
    const refused = page.getByText("Something went wrong").first();
    await exported.or(refused).waitFor({ timeout: 60_000 });
    if (await refused.isVisible()) throw new Error("speedscope cannot read it");
    const [download] = await Promise.all([page.waitForEvent("download"), exported.click()]);
    return JSON.parse(readFileSync(await download.path(), "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${[error.message, ...wrong].join("\n")}`);
  } finally {
    await page.context().close();
  }
}

/** Self and total of each frame by name: what is below a frame of the same name counts once. */
function sums({ profiles, shared }) {
  return profiles.map((profile) => {
    const frames = {};
    const add = (stack, weight) => {
      if (weight === 0 || stack.length === 0) return;
      const names = stack.map((at) => shared.frames[at].name);
      for (const name of new Set(names)) (frames[name] ??= { self: 0, total: 0 }).total += weight;
      frames[names.at(-1)].self += weight;
    };
    if (profile.type === "sampled") {
      profile.samples.forEach((stack, at) => add(stack, profile.weights[at]));
    } else {
      const stack = [];
      let before = profile.startValue;
      for (const { type, frame, at } of profile.events) {
        add(stack, at - before);
        before = at;
        if (type === "O") stack.push(frame);
        else if (stack.pop() !== frame) throw new Error("frames are closed in another order");
      }
    }
    return { name: profile.name, unit: profile.unit, whole: profile.endValue - profile.startValue, frames };
  });
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const files = {};
  for (const path of process.argv.slice(2)) files[basename(path)] = sums(await read(browser, path));
  console.log(JSON.stringify(files));
} finally {
  await browser.close();
}
