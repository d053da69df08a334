// The values that a slider stops at: over the data of a variable and some way beyond, by ratios where all are above zero.

import type { Fit } from "./data";

/** Stops of a slider at most, beside the measured values. */
const STOPS = 240;
/** A slider goes so many times below and beyond the data. */
const BELOW = 2;
const BEYOND = 8;

/** The stops for a variable, in their order; the measured values and `start` are among them. */
export function stopsOf(fit: Fit, name: string, start: number): number[] {
  const column = fit.recorded.indexOf(name);
  const measured = fit.residuals
    .filter((residual) => residual.excluded === null)
    .map((residual) => residual.values[column])
    .filter((value): value is number => value != null && Number.isFinite(value));
  const known = [...measured, start].filter(Number.isFinite);
  if (known.length === 0) return [];
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  const isWhole = known.every(Number.isInteger);
  const place = low > 0 ? ratios(low / BELOW, high * BEYOND) : differences(low, high);
  const between = Array.from({ length: STOPS + 1 }, (_, k) => place(k / STOPS));
  const rounded = between.map((value) => (isWhole ? Math.round(value) : Number(value.toPrecision(4))));
  const all = new Set([...rounded.filter((value) => low <= 0 || value > 0), ...known]);
  return [...all].sort((a, b) => a - b);
}

function ratios(low: number, high: number): (share: number) => number {
  return (share) => low * (high / low) ** share;
}

/** Without ratios: as far beyond the data as they are wide. */
function differences(low: number, high: number): (share: number) => number {
  const width = high > low ? high - low : Math.abs(high) || 1;
  const from = low === 0 ? 0 : low - width;
  return (share) => from + share * (high + width - from);
}

/** The index of the stop that is nearest to a value. */
export function nearest(stops: number[], value: number): number {
  let best = 0;
  stops.forEach((stop, k) => {
    if (Math.abs(stop - value) < Math.abs((stops[best] ?? stop) - value)) best = k;
  });
  return best;
}
