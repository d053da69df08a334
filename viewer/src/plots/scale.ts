// Axes: where values are placed, and what is written beside them.

import { number, prefix, quantity, type Unit } from "../shell/numbers";

/** By differences, by ratios, by ratios with ticks at powers of two. */
export type Kind = "linear" | "log" | "binary";

/** A range of an axis; above zero where values are placed by ratios. */
export interface Range {
  low: number;
  high: number;
}

/** What stands on an axis. */
export interface Ticks {
  at: number[];
  /** Beside each; "" for a line without a label. */
  labels: string[];
  /** The unit that all labels share; "" where each has its own. */
  unit: string;
}

/** The range of values with a little room on both sides. */
export function room(values: Iterable<number>, kind: Kind, share = 0.04): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value) || (kind !== "linear" && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return kind === "linear" ? { low: 0, high: 1 } : { low: 1, high: 10 };
  if (kind === "linear") {
    const width = high > low ? high - low : Math.abs(high) || 1;
    return { low: low - share * width, high: high + share * width };
  }
  const ratio = high > low ? (high / low) ** share : 2;
  return { low: low / ratio, high: high * ratio };
}

/** By ratios where values span a decade above zero. */
export function kindOf(values: number[]): Kind {
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return low > 0 && high >= 10 * low ? "log" : "linear";
}

/**
 * Ticks for a range, about so many, and three where numbers are so close. Whole numbers of more digits than `room` are
 * written with a power of ten. With `whole` there are none between whole numbers.
 */
export function ticks(range: Range, kind: Kind, about: number, unit: Unit, room = 6, whole = false): Ticks {
  if (kind === "linear") return enough(range, about, unit, room, whole);
  const decades = Math.log10(range.high / range.low);
  if (kind === "binary") return powers(range, about, unit);
  // A part of a decade has no powers to speak of.
  return decades < 1.3 ? enough(range, about, unit, room, whole) : decadic(range, about, unit, room);
}

/** A single tick, such as the zero of an axis of errors, does not show a size. */
const LEAST = 3;

function enough(range: Range, about: number, unit: Unit, room: number, whole: boolean): Ticks {
  let found = even(range, about, unit, room, whole);
  for (let more = Math.max(1, about); found.at.length < LEAST && more < 4 * LEAST; more *= 1.25) {
    found = even(range, more, unit, room, whole);
  }
  return found;
}

function even({ low, high }: Range, about: number, unit: Unit, room: number, whole: boolean): Ticks {
  const fine = (high - low) / Math.max(1, about);
  const rough = whole ? Math.max(1, fine) : fine;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * ten >= rough * 0.999) ?? 10) * ten;
  const at: number[] = [];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  for (let k = first; k <= last && at.length < 100; k++) at.push(k * step || 0);
  const { divisor, unit: name } = prefix(Math.max(Math.abs(low), Math.abs(high)), unit);
  const decimals = Math.max(0, -Math.floor(Math.log10(step / divisor) + 1e-9));
  const labels = at.map((value) => {
    const scaled = value / divisor;
    if (Math.abs(scaled) >= 10 ** room) return power(scaled);
    return decimals > 6 ? number(scaled) : scaled.toFixed(decimals);
  });
  return { at, labels, unit: name };
}

function powers({ low, high }: Range, about: number, unit: Unit): Ticks {
  const first = Math.ceil(Math.log2(low) - 1e-9);
  const last = Math.floor(Math.log2(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, about)));
  const at: number[] = [];
  for (let k = first; k <= last; k++) if (k % every === 0) at.push(2 ** k);
  return { at, labels: at.map((value) => short(value, unit)), unit: besides(unit) };
}

function decadic({ low, high }: Range, about: number, unit: Unit, room: number): Ticks {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const by = (factors: number[]) => {
    const all: number[] = [];
    for (let k = first; k <= last; k++) for (const factor of factors) all.push(factor * 10 ** k);
    return all.filter((value) => value >= low * 0.999 && value <= high * 1.001);
  };
  // As many as there is room for.
  const at =
    [
      [1, 2, 5],
      [1, 3],
    ]
      .map(by)
      .find((places) => places.length <= about) ?? by([1]);
  const every = Math.max(1, Math.ceil(at.length / Math.max(1, about)));
  const long = (value: number) => !hasPrefixes(unit) && value >= 10 ** room;
  const label = (value: number) => (long(value) ? power(value) : short(value, unit));
  const labels = at.map((value, k) => (k % every === 0 ? label(value) : ""));
  return { at, labels, unit: besides(unit) };
}

/** Whether values of several sizes have several units. */
function hasPrefixes(unit: Unit): boolean {
  return unit === "s" || unit === "B";
}

/** The unit that is not with the labels. */
function besides(unit: Unit): string {
  return hasPrefixes(unit) || unit === "1" ? "" : unit;
}

/** `1e6`, `2.5e5`. */
function power(value: number): string {
  return value.toExponential(3).replace(/\.?0*e\+?/, "e");
}

/** `100 µs`, `1024`. */
function short(value: number, unit: Unit): string {
  if (!hasPrefixes(unit)) return number(value);
  return quantity(value, unit, 3).replace(/\.?0+(?= )/, (zeros) => (zeros[0] === "." ? "" : zeros));
}
