// Parts of the viewer without a browser: ticks of axes, and sizes as people type them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** A module of the viewer. */
async function part(path) {
  const entry = fileURLToPath(new URL(`../src/${path}`, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

test("an axis never has a single tick, whatever its range", async () => {
  const { ticks, room } = await part("plots/scale.ts");
  for (let largest = 0.001; largest < 1e6; largest *= 1.07) {
    const range = room([-largest, largest], "linear");
    // As high as a panel of residuals.
    const { at, labels } = ticks(range, "linear", 2.6, "%", 5);
    assert.ok(at.length >= 3 && at.length <= 9, `±${largest}: ${labels}`);
    assert.ok(at.includes(0) && at[0] < 0 && at.at(-1) > 0, `±${largest}: ${labels}`);
    assert.equal(new Set(labels).size, labels.length, `±${largest}: ${labels}`);
  }
  for (const about of [1, 2, 3, 5, 8]) {
    const { at } = ticks({ low: 100, high: 131 }, "linear", about, "");
    assert.ok(at.length >= 3, `${about}: ${at}`);
  }
});

test("values are written to the digits of their interval, long times as people say them", async () => {
  const { within, times, clock } = await part("shell/numbers.ts");
  assert.equal(within(0.0208, 0.0204, 0.0212, "s"), "20.8 ms");
  assert.equal(within(0.154, 0.1521, 0.156, "s"), "154.0 ms");
  assert.equal(within(5e-9, 4e-9, 7e-9, "s"), "5.00 ns");
  assert.equal(within(0, 0, 0, "s"), "0 s");
  assert.deepEqual([2.197, 4.8828, 12.34, 250.4].map(times), ["2.2", "4.88", "12.3", "250"]);
  assert.deepEqual([119.9, 120, 125.4, 3600, 90_000, 400 * 86_400, 4e10, Number.NaN].map(clock), [
    null,
    "2 min",
    "2 min 5 s",
    "1 h",
    "1 d 1 h",
    "1 year 35 d",
    "1267 years",
    null,
  ]);
});

test("a slider stops at the measured values, and goes beyond them on both sides", async () => {
  const { stopsOf, nearest } = await part("model/stops.ts");
  const fit = (values) => ({
    recorded: ["N"],
    residuals: values.map((value) => ({ values: [value], excluded: null })),
  });
  const whole = stopsOf(fit([1, 2, 4, 32]), "N", 8);
  assert.deepEqual([whole[0], whole.at(-1)], [1, 256]);
  assert.ok(whole.every(Number.isInteger) && new Set(whole).size === whole.length);
  for (const value of [1, 2, 4, 8, 32]) assert.equal(whole[nearest(whole, value)], value);
  const broken = stopsOf(fit([0.5, 2.25]), "N", 2.25);
  assert.deepEqual([broken[0], broken.at(-1)], [0.25, 18]);
  const zero = stopsOf(fit([0, 10]), "N", 10);
  assert.deepEqual([zero[0], zero.at(-1)], [0, 20]);
  const below = stopsOf(fit([-4, 6]), "N", 6);
  assert.deepEqual([below[0], below.at(-1)], [-14, 16]);
  assert.deepEqual(stopsOf(fit([5]), "N", 5).includes(5), true);
  assert.deepEqual(stopsOf(fit([]), "N", Number.NaN), []);
});

test("rounds have no places between whole numbers", async () => {
  const { ticks } = await part("plots/scale.ts");
  assert.deepEqual(ticks({ low: -0.5, high: 0.5 }, "linear", 7, "", 6, true).labels, ["0"]);
  assert.deepEqual(ticks({ low: -0.5, high: 2.5 }, "linear", 7, "", 6, true).labels, ["0", "1", "2"]);
});

test("sizes are read as the commands read them", async () => {
  const { parse } = await part("model/size.ts");
  const values = (text, names = ["N"]) => {
    const { sizes, error } = parse(text, names);
    return error || sizes.map((size) => size.map(([, value]) => value).join(" ")).join(", ");
  };
  for (const [text, expected] of [
    ["3000", "3000"],
    ["N=2^10", "1024"],
    ["4k, 64Ki", "4000, 65536"],
    ["N=100:1000:*2", "100, 200, 400, 800"],
    ["1:4:*1.2", "1, 2, 3, 4"],
    ["10:30:+10", "10, 20, 30"],
    ["1:3", "1, 2, 3"],
    ["8, 8", "8"],
  ]) {
    assert.equal(values(text), expected, text);
  }
  assert.equal(values("N=1k:2k:*2, P=1,4", ["N", "P"]), "1000 1, 1000 4, 2000 1, 2000 4");
  assert.match(values("3000", ["N", "P"]), /written as N=2\^21/);
  for (const text of [
    "",
    "N=",
    "x",
    "N=4kk",
    "N=1:2:3",
    "N=2:1",
    "N=1:8:*1",
    "N=0:8:*2",
    "N=1:8:+0",
    "N=1:2:3:4",
    "N=1,N=2",
    "N=1:1e6",
  ]) {
    assert.ok(parse(text, ["N"]).error, text);
  }
});
