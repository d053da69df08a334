// Axes beside a drawing: numbers of processors or supersteps, or values with their unit.

import type { Area, Pen } from "../../plots/pen";
import { prefix, type Unit } from "../../shell/numbers";
import type { Palette } from "../palette";
import type { Size } from "./picture";

/** What stands beside an axis, at a share of its length. */
export interface Tick {
  at: number;
  label: string;
}

export interface Axis {
  title: string;
  ticks: Tick[];
}

const LETTERS = 11;
/** Room of a title, of labels below, of labels to the left. */
const [TITLE, BELOW, BESIDE] = [15, 16, 44];

/** The part of a drawing that is inside of its axes. */
export function inside(size: Size): Area {
  const left = TITLE + BESIDE;
  return {
    left,
    top: 8,
    width: Math.max(1, size.width - left - 10),
    height: Math.max(1, size.height - 8 - BELOW - TITLE),
  };
}

/** The share of an area's width, or height, at a place of the drawing: 0 to 1, and below 1. */
export function shareOf(place: number, begin: number, length: number): number {
  return Math.max(0, Math.min(1 - 1e-9, (place - begin) / length));
}

const NICE = [1, 2, 5, 10];

function step(rough: number): number {
  const ten = 10 ** Math.floor(Math.log10(rough));
  return (NICE.find((factor) => factor * ten >= rough * 0.999) ?? 10) * ten;
}

/** Ticks of cells that lie side by side, or one below the other, at their middles; as many as there is room for. */
export function cellTicks(
  count: number,
  length: number,
  label: (cell: number) => string,
  from = 0,
  down = false,
): Tick[] {
  const wide = down ? LETTERS + 3 : 9 + 6.5 * Math.max(label(0).length, label(count - 1).length);
  const every = Math.max(1, Math.round(step(Math.max(1, (wide * count) / Math.max(1, length)))));
  const ticks: Tick[] = [];
  for (let k = (every - (from % every)) % every; k < count; k += every)
    ticks.push({ at: (k + 0.5) / count, label: label(k) });
  return ticks;
}

/** Ticks of values from `low` on, in one unit, which is in the title. */
export function valueAxis(title: string, low: number, high: number, unit: Unit, about: number): Axis {
  const own = prefix(high, unit);
  // Large counts have no prefix: a power of ten stands with their unit.
  const power = own.divisor === 1 && high >= 1e5 ? 3 * Math.floor(Math.log10(high) / 3) : 0;
  const [divisor, name] = power > 0 ? [10 ** power, `1e${power} ${own.unit}`.trim()] : [own.divisor, own.unit];
  const [a, b] = [low / divisor, high / divisor];
  const ticks: Tick[] = [];
  if (b > a) {
    const by = step((b - a) / Math.max(1, about));
    const digits = Math.max(0, -Math.floor(Math.log10(by) + 1e-9));
    for (let k = Math.ceil(a / by - 1e-9); k * by <= b * (1 + 1e-9); k++) {
      ticks.push({ at: (k * by - a) / (b - a), label: (k * by).toFixed(digits) });
    }
  }
  return { title: name ? `${title}, ${name}` : title, ticks };
}

/** An axis to the left; its ticks go upwards, or `down`. */
export function axisBeside(pen: Pen, area: Area, { title, ticks }: Axis, colours: Palette, down: boolean): void {
  const { left, top, height } = area;
  pen.line([left, top, left, top + height], { color: colours.edge, width: 1 });
  const ends: number[] = [];
  for (const { at, label } of ticks) {
    const y = top + (down ? at : 1 - at) * height;
    ends.push(left - 4, y, left, y);
    pen.text(left - 6, y + 4, label, { color: colours.faint, size: LETTERS, anchor: "end" });
  }
  pen.lines(ends, { color: colours.edge, width: 1 });
  pen.text(TITLE - 4, top + height / 2, title, { color: colours.faint, size: LETTERS, anchor: "middle", turned: true });
}

/** An axis below. */
export function axisBelow(pen: Pen, area: Area, { title, ticks }: Axis, colours: Palette): void {
  const { left, top, width, height } = area;
  const y = top + height;
  pen.line([left, y, left + width, y], { color: colours.edge, width: 1 });
  const ends: number[] = [];
  for (const { at, label } of ticks) {
    const x = left + at * width;
    ends.push(x, y, x, y + 4);
    pen.text(x, y + BELOW - 2, label, { color: colours.faint, size: LETTERS, anchor: "middle" });
  }
  pen.lines(ends, { color: colours.edge, width: 1 });
  pen.text(left + width / 2, y + BELOW + TITLE - 4, title, { color: colours.faint, size: LETTERS, anchor: "middle" });
}
