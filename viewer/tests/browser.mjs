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
  // Without JavaScript nothing is drawn anew, and no frame is ever announced.
  if (options?.javaScriptEnabled !== false) context.on("page", settleBeforeReading);
  return context;
}

/** What a reader does: it changes the page. */
const DEEDS = [
  "check",
  "click",
  "dblclick",
  "dispatchEvent",
  "dragAndDrop",
  "fill",
  "focus",
  "hover",
  "press",
  "selectOption",
  "uncheck",
];
/** How tests look at a page, also by locators. */
const LOOKS = [
  "$",
  "$$",
  "$eval",
  "$$eval",
  "_queryCount",
  "evaluate",
  "getAttribute",
  "innerText",
  "inputValue",
  "isChecked",
  "isEnabled",
  "isHidden",
  "isVisible",
  "textContent",
  "waitForSelector",
];

/**
 * After a deed a page draws itself anew: at once, and in effects that run behind the next frame. A test that looks
 * sees what is there after them. Between two deeds nothing waits.
 */
function settleBeforeReading(page) {
  const frame = page.mainFrame();
  const evaluate = frame.evaluate.bind(frame);
  // What is waited for, or nothing after a deed that nobody has waited for.
  let settled = Promise.resolve();
  const deed = (of, name) => {
    const original = of[name].bind(of);
    of[name] = (...given) => {
      settled = undefined;
      return original(...given);
    };
  };
  for (const name of DEEDS) deed(frame, name);
  for (const name of ["press", "type", "insertText", "down", "up"]) deed(page.keyboard, name);
  for (const name of ["click", "down", "up", "move", "wheel"]) deed(page.mouse, name);
  for (const name of LOOKS) {
    const original = frame[name].bind(frame);
    frame[name] = async (...given) => {
      // An effect may cause another one. A page that is left has nothing more to draw.
      settled ??= evaluate(async () => {
        for (let k = 0; k < 2; k++) {
          await new Promise((then) => {
            requestAnimationFrame(() => setTimeout(then));
            // A browser may announce no frame where nothing is to be drawn.
            setTimeout(then, 5000);
          });
        }
      }).catch(() => {});
      await settled;
      return original(...given);
    };
  }
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
    // A browser may announce no frame where nothing is to be drawn.
    const frame = () =>
      new Promise((done) => {
        requestAnimationFrame(done);
        setTimeout(done, 5000);
      });
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
