// What a plot of an experiment shows, and how it is drawn.

import type { Frame } from "../plots/chart";
import { type Colours, look } from "../plots/colours";
import { type Fill, mark, type Pen, type Places } from "../plots/pen";
import { type Kind, type Range, room } from "../plots/scale";
import { quantity } from "../shell/numbers";
import { shown } from "../shell/text";
import type { AskedCurve } from "./asked";
import type { Fit, Marker, Residual, Samples, Slice, View } from "./data";

/** A measured point in a plot. */
export interface Point {
  x: number;
  residual: Residual;
  slice: number;
}

export interface Scene {
  view: View;
  unit: string;
  /** Indices of the slices that are shown. */
  slices: number[];
  points: Point[];
  /** Raw samples, x and y by turns, by slice; empty where they are not shown. */
  samples: Places[];
  markers: Marker[];
  /** Whether no number can be trusted. */
  doubtful: boolean;
  /** What the sliders ask for. */
  asked: AskedPlace | null;
}

/** The values that are asked for, in a plot. */
export interface AskedPlace {
  x: number;
  /** The prediction; null if there is no number. */
  marker: Marker | null;
  /** The model to that place, where no curve of the page goes. */
  curve: AskedCurve | null;
}

/** The points and samples of the slices that were chosen. */
export function scene(
  fit: Fit,
  view: View,
  unit: string,
  slices: number[],
  samples: Samples | null,
  doubtful: boolean,
): Scene {
  const column = fit.recorded.indexOf(view.x);
  const points: Point[] = [];
  fit.residuals.forEach((residual, k) => {
    // Without a variable points stand in their order.
    const x = column < 0 ? k + 1 : residual.values[column];
    const slice = sliceOf(view, slices, fit.recorded, residual.values);
    if (slice !== undefined && x != null) points.push({ x, residual, slice });
  });
  points.sort((a, b) => a.x - b.x);
  return {
    view,
    unit,
    slices,
    points,
    samples: samples ? slices.map((index) => raw(samples, view, index)) : [],
    markers: view.markers.filter((marker) => slices.includes(marker.series)),
    doubtful,
    asked: null,
  };
}

function colorOf(palette: Colours, slice: number): string {
  return palette.series[look(slice).hue] ?? palette.ink;
}

/** Which of some slices a point is of. */
export function sliceOf(view: View, slices: number[], names: string[], values: (number | null)[]): number | undefined {
  return slices.find((index) => belongs(view.slices[index], names, values));
}

function belongs(slice: Slice | undefined, names: string[], values: (number | null)[]): boolean {
  if (!slice) return false;
  return Object.entries(slice.at).every(([name, value]) => {
    const column = names.indexOf(name);
    return column < 0 || values[column] === value;
  });
}

function raw(samples: Samples, view: View, index: number): Places {
  const column = samples.variables.indexOf(view.x);
  const xs = samples.points.map((values) =>
    belongs(view.slices[index], samples.variables, values) ? values[column] : undefined,
  );
  const places: Places = [];
  for (let k = 0; k < samples.values.length; k++) {
    const x = xs[samples.point[k] ?? 0];
    if (x != null) places.push(x, samples.values[k] ?? Number.NaN);
  }
  return places;
}

/** All that there is to see along x. */
export function across({ points, markers, slices, view, asked }: Scene, kind: Kind): Range {
  const curves = slices.flatMap((index) => view.slices[index]?.curves ?? []);
  const ends = curves.flatMap((curve) => [curve.x[0] ?? Number.NaN, curve.x.at(-1) ?? Number.NaN]);
  return room(
    [...points.map((p) => p.x), ...markers.map((m) => m.x), ...(asked ? [asked.x] : []), ...ends],
    kind,
    0.03,
  );
}

/** All that there is to see of the observable; single spikes may lie above. */
export function upward({ points, markers, asked }: Scene, kind: Kind): Range {
  const values = points.flatMap(({ residual: { spread, measured, fitted } }) => [
    spread.minimum,
    spread.upper_quartile,
    measured,
    fitted,
  ]);
  const all = asked?.marker ? [...markers, asked.marker] : markers;
  for (const { y, band } of all) values.push(y, ...(band ?? []).filter((end) => end < 3 * y));
  const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const spikes = points.map((p) => p.residual.spread.maximum).filter((v) => v <= 1.6 * high);
  return room([...values, ...spikes], kind, 0.05);
}

/** Draws the scene. */
export function draw(pen: Pen, frame: Frame, palette: Colours, scene: Scene): void {
  const { view, slices, points } = scene;
  verticals(pen, frame, palette, view);
  slices.forEach((index, k) => {
    const color = colorOf(palette, index);
    if (scene.samples[k]) dots(pen, frame, scene.samples[k], color);
    for (const curve of view.slices[index]?.curves ?? []) band(pen, frame, curve, color);
  });
  const dense = points.length > 150;
  if (!dense) curves(pen, frame, palette, scene, dense);
  const radius = points.length > 400 ? 2 : dense ? 2.8 : 4;
  for (const index of slices) {
    const own = points.filter((point) => point.slice === index);
    spread(pen, frame, own, colorOf(palette, index), dense);
  }
  for (const point of points) measured(pen, frame, palette, point, radius);
  if (dense) curves(pen, frame, palette, scene, dense);
  for (const marker of scene.markers) predicted(pen, frame, palette, marker, scene, palette.ground);
  if (scene.asked) ask(pen, frame, palette, scene.asked, scene);
}

/** The values that are asked for: where they are, the model to there, the prediction with its interval. */
function ask(pen: Pen, frame: Frame, palette: Colours, asked: AskedPlace, scene: Scene): void {
  const { curve, marker } = asked;
  const [x, bottom] = [frame.x(asked.x), frame.top + frame.height];
  if (Number.isFinite(x)) pen.line([x, frame.top, x, bottom], { color: palette.ink, width: 1, alpha: 0.35 });
  if (curve) {
    // A place without a number is a gap.
    let from = 0;
    for (let k = 0; k <= curve.x.length; k++) {
      if (k < curve.x.length && Number.isFinite(curve.y[k])) continue;
      const part = (values: number[]) => values.slice(from, k);
      if (k - from > 1)
        stretch(pen, frame, palette, {
          x: part(curve.x),
          y: part(curve.y),
          low: part(curve.low),
          high: part(curve.high),
        });
      from = k + 1;
    }
  }
  if (marker) predicted(pen, frame, palette, marker, scene, palette.ink);
}

function stretch(pen: Pen, frame: Frame, palette: Colours, curve: AskedCurve): void {
  const hasBand = [...curve.low, ...curve.high].every(Number.isFinite);
  const own = { interval: 0, beyond: true, ...curve, ...(hasBand ? {} : { low: [], high: [] }) };
  band(pen, frame, own, palette.ink);
  const places = curve.x.flatMap((x, k) => [frame.x(x), frame.y(curve.y[k] ?? Number.NaN)]);
  if (places.every(Number.isFinite)) pen.line(places, { color: palette.ink, width: 2, dash: [0.1, 5] });
}

/** Boundaries as the gaps they are, and named places. */
function verticals(pen: Pen, frame: Frame, palette: Colours, view: View): void {
  const bottom = frame.top + frame.height;
  for (const { low, high, at } of view.boundaries) {
    const [left, right, middle] = [frame.x(low), frame.x(high), frame.x(at)];
    const corners = [left, frame.top, right, frame.top, right, bottom, left, bottom];
    pen.polygon(corners, { color: palette.gap, alpha: 0.14 });
    pen.line([middle, frame.top, middle, bottom], {
      color: palette.gap,
      width: 1.2,
      dash: [5, 4],
    });
  }
  view.references.forEach(({ at, label }, k) => {
    const x = frame.x(at);
    if (!Number.isFinite(x)) return;
    const stroke = { color: palette.faint, width: 1.2, dash: [1.5, 3.5] };
    pen.line([x, frame.top, x, bottom], stroke);
    const right = x < frame.left + frame.width - 70;
    pen.text(x + (right ? 5 : -5), frame.top + 14 + 15 * (k % 2), `${shown(label)} is full`, {
      color: palette.faint,
      size: 11.5,
      anchor: right ? "start" : "end",
      halo: palette.ground,
    });
  });
}

/** Raw samples; those that would cover each other are drawn once. */
function dots(pen: Pen, frame: Frame, samples: Places, color: string): void {
  const size = samples.length > 20_000 ? 1.4 : 2;
  const columns = Math.ceil(frame.width / size) + 1;
  const rows = Math.ceil(frame.height / size) + 1;
  const taken = new Uint8Array(columns * rows);
  const places: Places = [];
  for (let k = 0; k < samples.length; k += 2) {
    // Beside each other, so that equal ones can be told: always in the same way.
    const aside = (((k / 2) * 7919) % 15) / 2 - 3.5;
    const x = frame.x(samples[k] ?? Number.NaN) + aside;
    const y = frame.y(samples[k + 1] ?? Number.NaN);
    const column = Math.floor((x - frame.left) / size);
    const row = Math.floor((y - frame.top) / size);
    if (!(column >= 0 && column < columns && row >= 0 && row < rows)) continue;
    const cell = row * columns + column;
    if (taken[cell]) continue;
    taken[cell] = 1;
    places.push(x, y);
  }
  pen.dots(places, size, { color, alpha: 0.3 });
}

function band(pen: Pen, frame: Frame, curve: Slice["curves"][number], color: string): void {
  if (curve.low.length === 0) return;
  const clamp = (y: number) =>
    Number.isFinite(y)
      ? Math.min(Math.max(y, frame.top - 9), frame.top + frame.height + 9)
      : frame.top + frame.height + 9;
  const upper = curve.x.flatMap((x, k) => [frame.x(x), clamp(frame.y(curve.high[k] ?? 0))]);
  const lower: Places = [];
  for (let k = curve.x.length - 1; k >= 0; k--) {
    lower.push(frame.x(curve.x[k] ?? 0), clamp(frame.y(curve.low[k] ?? 0)));
  }
  pen.polygon([...upper, ...lower], { color, alpha: curve.beyond ? 0.07 : 0.15 });
}

function curves(pen: Pen, frame: Frame, palette: Colours, scene: Scene, dense: boolean): void {
  const { view, slices } = scene;
  for (const index of slices) {
    const color = colorOf(palette, index);
    for (const curve of view.slices[index]?.curves ?? []) {
      const places: Places = [];
      curve.x.forEach((x, k) => {
        const y = frame.y(curve.y[k] ?? Number.NaN);
        if (Number.isFinite(y)) places.push(frame.x(x), y);
      });
      // Over many points a curve of their colour would not be seen.
      if (dense) pen.line(places, { color: palette.ground, width: 5 });
      const dash = curve.beyond ? [0.1, 5] : look(index).dash;
      pen.line(places, { color: dense ? palette.ink : color, width: 2, dash });
    }
  }
}

/** The repetitions of all points of a slice: their range, and their quartiles where there is room. */
function spread(pen: Pen, frame: Frame, points: Point[], color: string, dense: boolean): void {
  // On an axis of ratios what is not above zero lies below the frame.
  const y = (value: number) => {
    const place = frame.y(value);
    return Number.isFinite(place) ? place : frame.top + frame.height + 99;
  };
  const ranges: Places = [];
  const boxes: Places = [];
  for (const { x, residual } of points) {
    const { count, minimum, lower_quartile, upper_quartile, maximum } = residual.spread;
    if (count < 2) continue;
    const at = frame.x(x);
    ranges.push(at, y(minimum), at, y(maximum));
    boxes.push(at, y(lower_quartile), at, y(upper_quartile));
  }
  pen.lines(ranges, { color, width: 1.2, alpha: 0.6 });
  if (!dense) pen.lines(boxes, { color, width: 5, alpha: 0.3 });
}

function measured(pen: Pen, frame: Frame, palette: Colours, point: Point, radius: number): void {
  const [x, y] = [frame.x(point.x), frame.y(point.residual.measured)];
  if (!Number.isFinite(x) || !Number.isFinite(y)) return;
  const color = colorOf(palette, point.slice);
  const { shape } = look(point.slice);
  const left = point.residual.excluded !== null;
  const fill: Fill = left ? { color: palette.ground, alpha: 0 } : { color };
  const edge = radius > 2 ? { color: palette.ground, width: 1 } : undefined;
  const stroke = left ? { color: palette.faint, width: 1.5 } : edge;
  mark(pen, shape, x, y, radius, fill, stroke);
}

/** A prediction: hollow, or full where the sliders ask for it, with its interval, its value beside it. */
function predicted(
  pen: Pen,
  frame: Frame,
  palette: Colours,
  marker: Marker,
  { unit, doubtful }: Scene,
  fill: string,
): void {
  const [x, y] = [frame.x(marker.x), frame.y(marker.y)];
  if (!Number.isFinite(x) || !Number.isFinite(y)) return;
  const stroke = { color: palette.ink, width: 1.8 };
  if (marker.band) {
    const bottom = frame.top + frame.height + 99;
    const ends = marker.band.map((end) => {
      const place = frame.y(end);
      return Number.isFinite(place) ? place : bottom;
    });
    const [low = y, high = y] = ends;
    pen.line([x, low, x, high], stroke);
    for (const end of [low, high]) pen.line([x - 5, end, x + 5, end], stroke);
  }
  mark(pen, "diamond", x, y, 5, { color: fill }, stroke);
  const right = x < frame.left + 0.7 * frame.width;
  pen.text(x + (right ? 12 : -12), y + 4, `${doubtful ? "? " : ""}${quantity(marker.y, unit)}`, {
    color: palette.ink,
    size: 12.5,
    anchor: right ? "start" : "end",
    halo: palette.ground,
  });
}
