// What is selected: one selection for all views, and the link that restores it.

import type { Metric } from "./data/profile";
import type { Kind } from "./data/ranks";
import { KINDS } from "./data/ranks";

export const TABS = [
  ["diff", "Difference"],
  ["graph", "Call graph"],
  ["flame", "Flame graph"],
  ["timeline", "Supersteps"],
  ["heat", "Heat map"],
  ["table", "Table"],
  ["source", "Source"],
  ["traffic", "Communication"],
  ["calls", "Calls of MPI"],
] as const;
export type Tab = (typeof TABS)[number][0];

/** By what siblings are ordered: their rank, the order of their first calls, their supersteps, the maximum of a metric. */
export const ORDERS = ["rank", "called", "steps", "0", "1", "2", "3"] as const;
export type Order = (typeof ORDERS)[number];

export interface Range {
  from: number;
  to: number;
}

export interface Zoom {
  x: number;
  y: number;
  scale: number;
}

export interface State {
  tab: Tab;
  /** Which profile, if there are two. */
  log: number;
  kind: Kind;
  metric: Metric;
  /** The selected node of the tree. */
  node: number;
  merged: boolean;
  /** By rank, or by 1 - A/M. */
  shade: "rank" | "absolute";
  percent: boolean;
  full: boolean;
  words: boolean;
  /** Empty: as measured. A name, or `s,g,l` in Mflop/s, flop per word, flop. */
  machine: string;
  /** Subtrees that are not shown, in the order in which they were hidden. */
  hidden: number[];
  collapsed: number[];
  /** Rows of the difference without what is below them. */
  folded: number[];
  order: Order;
  search: string;
  onlyMatches: boolean;
  /** The node that flame graphs begin with. */
  focus: number;
  sorted: boolean;
  processors: Range | null;
  supersteps: Range | null;
  zoom: Zoom | null;
  /** What the difference is of: 0 time, 1 supersteps, and the metrics from 2 on. */
  compared: number;
  keys: boolean;
}

export type Update = Partial<State> | ((old: State) => Partial<State>);

/** Those fields that a link has, with how each is written. */
const FLAGS: [keyof State & ("merged" | "percent" | "full" | "words" | "onlyMatches" | "sorted" | "keys"), string][] = [
  ["merged", "merged"],
  ["percent", "percent"],
  ["full", "full"],
  ["words", "words"],
  ["onlyMatches", "only"],
  ["sorted", "sorted"],
  ["keys", "keys"],
];

/** The link of a state: what differs from where the page begins. */
export function toHash(state: State, begin: State): string {
  const out = new URLSearchParams();
  if (state.tab !== begin.tab) out.set("tab", state.tab);
  if (state.log !== begin.log) out.set("log", String(state.log));
  if (state.kind !== begin.kind || state.metric !== begin.metric) out.set("path", `${state.kind}:${state.metric}`);
  if (state.node !== begin.node || state.log !== begin.log) out.set("node", String(state.node));
  if (state.focus !== begin.focus) out.set("focus", String(state.focus));
  if (state.shade !== begin.shade) out.set("shade", state.shade);
  for (const [field, name] of FLAGS) if (state[field] !== begin[field]) out.set(name, state[field] ? "1" : "0");
  if (state.compared !== begin.compared) out.set("compared", String(state.compared));
  if (state.machine !== begin.machine) out.set("machine", state.machine);
  if (state.hidden.length > 0) out.set("hidden", state.hidden.join("."));
  if (state.collapsed.length > 0) out.set("collapsed", state.collapsed.join("."));
  if (state.folded.length > 0) out.set("folded", state.folded.join("."));
  if (state.order !== begin.order) out.set("order", state.order);
  if (state.search) out.set("search", state.search);
  if (state.processors) out.set("processors", `${state.processors.from}-${state.processors.to}`);
  if (state.supersteps) out.set("supersteps", `${state.supersteps.from}-${state.supersteps.to}`);
  if (state.zoom) out.set("zoom", [state.zoom.x, state.zoom.y, state.zoom.scale].map((v) => v.toFixed(3)).join(","));
  const text = out.toString();
  return text ? `#${text}` : "";
}

/** The state of a link; what it says wrongly is left out. */
export function fromHash(hash: string, begin: State, sizes: { nodes: number[] }): State {
  const read = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...begin };
  const tab = read.get("tab");
  if (TABS.some(([name]) => name === tab)) state.tab = tab as Tab;
  const log = whole(read.get("log"));
  if (log !== null && log < sizes.nodes.length) state.log = log;
  const count = sizes.nodes[state.log] ?? 1;
  const [kind = "", metric = ""] = (read.get("path") ?? "").split(":");
  const number = whole(metric);
  if (number !== null && number < 4 && (kind === "synchronisation" || (KINDS as readonly string[]).includes(kind))) {
    state.kind = kind as Kind;
    state.metric = number as Metric;
  }
  for (const field of ["node", "focus"] as const) {
    const at = whole(read.get(field));
    if (at !== null && at < count) state[field] = at;
  }
  if (read.get("shade") === "absolute") state.shade = "absolute";
  if (read.get("shade") === "rank") state.shade = "rank";
  for (const [field, name] of FLAGS) if (read.has(name)) state[field] = read.get(name) === "1";
  const compared = whole(read.get("compared"));
  if (compared !== null && compared < 6) state.compared = compared;
  state.machine = read.get("machine") ?? begin.machine;
  for (const field of ["hidden", "collapsed"] as const) {
    const list = (read.get(field) ?? "").split(".").map(whole);
    state[field] = list.filter((at): at is number => at !== null && at < count);
  }
  state.folded = (read.get("folded") ?? "")
    .split(".")
    .map(whole)
    .filter((at): at is number => at !== null);
  state.order = ORDERS.find((name) => name === read.get("order")) ?? begin.order;
  state.search = read.get("search") ?? "";
  for (const field of ["processors", "supersteps"] as const) {
    const [from = null, to = null] = (read.get(field) ?? "").split("-").map(whole);
    state[field] = from !== null && to !== null && from <= to ? { from, to } : null;
  }
  const [x = NaN, y = NaN, scale = NaN] = (read.get("zoom") ?? "").split(",").map(Number);
  state.zoom = [x, y, scale].every(Number.isFinite) && scale > 0.001 && scale < 100 ? { x, y, scale } : null;
  return state;
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
