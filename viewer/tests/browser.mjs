// A browser for tests: Debian's Chromium, or the one that CHROMIUM names.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** The folder of example pages: `cargo run -p cll-report --example pages -- FOLDER`. */
export const pages = process.env.CLL_PAGES ?? "";
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

if (!existsSync(join(pages, "matrix.html"))) {
  throw new Error("CLL_PAGES must name the folder that `cargo run -p cll-report --example pages -- FOLDER` made");
}

/** Milliseconds: longer than anything here takes on a loaded machine. What never happens fails after it. */
const PATIENCE = 300_000;

/** A browser; to be closed. */
export function launch() {
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], timeout: PATIENCE });
}

/** The address of an example page. */
export function address(name) {
  return pathToFileURL(join(pages, `${name}.html`)).href;
}

/** A context of a browser's, in which a busy machine has time. */
export async function patient(browser, options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  return context;
}

/**
 * Opens a page. What it did wrong is collected: messages on the console, errors, violations of its
 * policy, requests.
 */
export async function open(browser, name, options = {}) {
  const context = await patient(browser, { viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => wrong.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.isNavigationRequest() && !/^(data|blob):/.test(request.url())) {
      wrong.push(`request: ${request.url()}`);
    }
  });
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
      window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`);
    });
  });
  await page.goto(address(name));
  return {
    page,
    /** What was wrong so far. */
    wrong: async () => [...wrong, ...(await page.evaluate(() => window.violations ?? []))],
  };
}

/** Goes through the page, so that all that waits to be seen is made live. */
export async function readThrough(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    // The height grows with what becomes live.
    for (let y = 0; y < document.documentElement.scrollHeight; y += 600) {
      scrollTo(0, y);
      // What is seen is told to the page in the frame after it was drawn, however long that takes.
      await frame();
      await frame();
    }
    scrollTo(0, 0);
  });
}

/** The text of a download that an action starts, with its name. */
export async function downloaded(page, action) {
  const [download] = await Promise.all([page.waitForEvent("download"), action()]);
  const stream = await download.createReadStream();
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
}
