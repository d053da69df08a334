// Values of a profile in words: as the text report writes them.

import { number, percent, quantity } from "../shell/numbers";
import { shown } from "../shell/text";
import {
  type Costs,
  labelOf,
  METRICS,
  type Metric,
  type Nodes,
  type Profile,
  termsOf,
  type Waits,
} from "./data/profile";
import type { Entry } from "./parts/legend";
import type { Scene } from "./scene";

/** A value of a metric with its unit. */
export function value(scene: Scene, metric: Metric, of: number): string {
  if (metric !== 3) return quantity(of, "s");
  const { h_unit } = scene.profile.head;
  if (h_unit === 4) return words(of);
  return scene.state.words ? words(of / 4) : quantity(of, "B");
}

/** `750e6 words`, as the text report writes large numbers. */
function words(of: number): string {
  if (Math.abs(of) < 1e5) return `${number(of, 3)} words`;
  const power = 3 * Math.floor(Math.log10(Math.abs(Number(of.toPrecision(3)))) / 3);
  return `${Number((of / 10 ** power).toPrecision(3))}e${power} words`;
}

/** Halves to even, as the text report. */
function whole(share: number): string {
  const value = 100 * share;
  const floor = Math.floor(value);
  const rounded = value - floor === 0.5 ? floor + (floor % 2) : Math.round(value);
  return `${rounded}%`;
}

/** `(12% | 7%)`. */
export function balance(maximum: number, average: number, minimum: number): string {
  const of = (part: number) => whole(maximum === 0 ? 1 : part / maximum);
  return `(${of(average)} | ${of(minimum)})`;
}

/** `19.5 s (12% | 7%)`, or the maximum as a share of the root's. */
export function summary(scene: Scene, costs: Costs, node: number, metric: Metric): string {
  const maximum = costs.maximum[metric]?.[node] ?? 0;
  const text = balance(maximum, costs.average[metric]?.[node] ?? 0, costs.minimum[metric]?.[node] ?? 0);
  return `${scene.state.percent ? shareOf(costs, node, metric) : value(scene, metric, maximum)} ${text}`;
}

export function shareOf(costs: Costs, node: number, metric: Metric): string {
  const whole = costs.maximum[metric]?.[0] ?? 0;
  return whole === 0 ? "0 %" : percent((costs.maximum[metric]?.[node] ?? 0) / whole);
}

/** Two significant digits, and of a rank near 1 two places: in a large profile most ranks are far below a hundredth. */
export function rank(of: number): string {
  if (of === 0 || of >= 0.0995) return of.toFixed(2);
  const [, power = "0"] = of.toExponential(1).split("e");
  const least = -7;
  return Number(power) >= least ? of.toFixed(1 - Number(power)) : of.toExponential(1);
}

/** `3 supersteps`, `1 call`. */
export function supersteps(profile: Profile, nodes: Nodes, node: number): string {
  const { step, steps } = termsOf(profile);
  return `${number(nodes.supersteps[node] ?? 0)} ${nodes.supersteps[node] === 1 ? step : steps}`;
}

/** What waiting at a node was for, on average over the ranks: `late sender 93 %, collective 7 %`. */
export function causes(waits: Waits[], node: number): string {
  const all = waits.map(({ kind, average }) => [kind, average[node] ?? 0] as const);
  const whole = all.reduce((sum, [, own]) => sum + own, 0);
  const known = all.filter(([, own]) => own > 0.005 * whole && own > 0).sort((a, b) => b[1] - a[1]);
  return known.map(([kind, own]) => `${kind} ${percent(own / whole)}`).join(", ");
}

/** A node in one sentence: what a screen reader says of it. */
export function sentence(scene: Scene, nodes: Nodes, costs: Costs, found: Float64Array, node: number): string {
  const { metrics } = termsOf(scene.profile);
  const each = METRICS.map((metric) => `${metrics[metric]} ${summary(scene, costs, node, metric)}`);
  const name = shown(labelOf(scene.profile, nodes, node));
  return `${name}: ${supersteps(scene.profile, nodes, node)}, ${each.join(", ")}, rank ${rank(found[node] ?? 0)}${remarks(nodes, node)}`;
}

/** What is peculiar to a node. */
export function remarks(nodes: Nodes, node: number): string {
  const flags = nodes.flags[node] ?? 0;
  const words = [flags & 1 ? "inlined" : "", flags & 2 ? "called by a tail call" : "", flags & 4 ? "recursive" : ""];
  const said = words.filter(Boolean);
  return said.length > 0 ? ` (${said.join(", ")})` : "";
}

/** The name of the chosen path, as on the command line. */
export function pathName(scene: Scene): string {
  const { kind, metric } = scene.state;
  const { path, metrics } = termsOf(scene.profile);
  return kind === "synchronisation" ? path : `${kind}:${metrics[metric]}`;
}

export function isPriced(scene: Scene): boolean {
  return scene.price !== null;
}

/** `Open MPI v4.1.4`, `MPICH Version: 4.0.2`: the first part of what a library says of itself. */
export function libraryOf(text: string): string {
  return shown((text.split(/[,\n]/)[0] ?? "").replace(/\s+/g, " ").trim());
}

export function programOf(profile: Profile): string {
  return shown(profile.head.name);
}

/** The run that a drawing is of: in its SVG file nothing else says it. */
export function runName(scene: Scene): string {
  const { head } = scene.profile;
  const price = scene.price ? `; communication is g·h + l, as on ${shown(scene.state.machine)}` : "";
  return `${programOf(scene.profile)} (${shown(head.file)}): P = ${head.processors}, ${quantity(head.elapsed_s, "s")}${price}`;
}

/** What shades of nodes mean. */
export function shades(scene: Scene): Entry {
  const { metrics } = termsOf(scene.profile);
  const absolute = scene.state.shade === "absolute";
  const title = absolute ? `1 - average/maximum of ${metrics[scene.state.metric]}` : `rank by ${pathName(scene)}`;
  return { kind: "scale", title, shade: (colours, share) => colours.hot(share), low: "0", high: "1" };
}
