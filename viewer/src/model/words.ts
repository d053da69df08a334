// Points and predictions in words: what a hovering pointer and the arrow keys tell.

import { number, percent, quantity, range } from "../shell/numbers";
import { shown } from "../shell/text";
import type { Fit, Marker } from "./data";
import type { Point } from "./scene";

/** `N = 1024: measured 3.42 ms, …` */
export function ofPoint(point: Point, fit: Fit, unit: string): string {
  const { values, measured, fitted, error, spread, excluded } = point.residual;
  const place = fit.recorded
    .map((name, k) => `${shown(name)} = ${values[k] == null ? "?" : number(values[k])}`)
    .join(", ");
  const parts = [`measured ${quantity(measured, unit, 4)}`];
  if (spread.count > 1) {
    parts.push(`${spread.count} times, ${range(spread.minimum, spread.maximum, unit)}`);
  }
  if (spread.spikes > 0) parts.push(`${spread.spikes} of them spikes`);
  parts.push(`model ${quantity(fitted, unit, 4)}`, `error ${percent(error)}`);
  if (excluded) parts.push(`left out (${excluded.replaceAll("_", " ")})`);
  return `${place}: ${parts.join(", ")}`;
}

/** A prediction and its interval. */
export function ofMarker(marker: Marker, unit: string, doubtful: boolean): string {
  const band = marker.band ? `, ${range(marker.band[0], marker.band[1], unit)}` : ", its interval is not known";
  const where = marker.beyond ? ", beyond the data" : "";
  const doubt = doubtful ? ", not reliable: the machine was too disturbed to measure" : "";
  return `Predicted: ${quantity(marker.y, unit, 4)}${band}${where}${doubt}`;
}
