// What all views are computed from: the profile of the selection with its prices, ranks and visible nodes.

import { type Costs, type Each, labelOf, type Merged, type Profile, pathTo } from "./data/profile";
import { criticalPath, imbalances, type Price, priced, ranks } from "./data/ranks";
import type { Order, Range, State, Update } from "./state";

/** Rows of the tree that are shown, from the root on. */
export interface Visible {
  nodes: Int32Array;
  depth: Int32Array;
}

export interface Scene {
  profiles: Profile[];
  profile: Profile;
  state: State;
  set: (update: Update) => void;
  price: Price | null;
  /** What is wrong with the machine that was typed. */
  priceWrong: string;
  costs: Costs;
  ranks: Float64Array;
  shades: Float64Array;
  /** The merged graph, if it is shown and has been read. */
  merged: SceneGraph | null;
  /** What is known of each processor, if it has been read. */
  each: Each | null;
  /** The children of nodes, side by side as in the profile, siblings in the chosen order. */
  children: Uint32Array;
  path: number[];
  onPath: Set<number>;
  visible: Visible;
  /** Nodes whose name has what is searched, null without a search. */
  matches: number[] | null;
  matching: Set<number> | null;
}

/** The merged graph with its prices and ranks. */
export interface SceneGraph extends Merged {
  costs: Costs;
  ranks: Float64Array;
  shades: Float64Array;
}

/** Parts of a profile that are read after its first view. */
export interface Parts {
  merged: Merged | null;
  each: Each | null;
}

/** The price of the machine that is chosen or typed. */
export function priceOf(profile: Profile, machine: string): { price: Price | null; wrong: string } {
  if (machine === "") return { price: null, wrong: "" };
  const known = profile.head.machines.find(({ name }) => name === machine);
  if (known) return { price: { g: known.g, l: known.l }, wrong: "" };
  const [s = NaN, g = NaN, l = NaN, ...more] = machine.split(",").map((word) => (word.trim() ? Number(word) : NaN));
  if (more.length > 0 || !(s > 0 && g >= 0 && l >= 0) || ![s, g, l].every(Number.isFinite)) {
    return {
      price: null,
      wrong: "three numbers are needed: s in Mflop/s (above 0), g in flop per 32-bit word, l in flop",
    };
  }
  return { price: { g: g / (4e6 * s), l: l / (1e6 * s) }, wrong: "" };
}

/** Keeps the last value as long as its inputs are the same. */
function kept<A extends unknown[], R>(compute: (...inputs: A) => R): (...inputs: A) => R {
  let last: { inputs: A; value: R } | null = null;
  return (...inputs: A) => {
    if (!last || inputs.some((input, k) => input !== last?.inputs[k])) last = { inputs, value: compute(...inputs) };
    return last.value;
  };
}

/** Computes a scene; parts whose inputs are the same stay as they were. */
export function sceneMaker(profiles: Profile[]): (state: State, set: Scene["set"], parts: Parts) => Scene {
  const price = kept(priceOf);
  const treeCosts = kept((profile: Profile, price: Price | null) => priced(profile, profile.tree, price));
  const graphCosts = kept((profile: Profile, { nodes }: Merged, price: Price | null) => priced(profile, nodes, price));
  const treeRanks = kept(ranks);
  const graphRanks = kept(ranks);
  const treeShades = kept(imbalances);
  const graphShades = kept(imbalances);
  const path = kept((profile: Profile, found: Float64Array) => {
    const nodes = criticalPath(profile, found);
    return { nodes, set: new Set(nodes) };
  });
  const search = kept(find);
  const shown = kept(visible);
  const order = kept(ordered);
  const graphOf = kept(
    (merged: Merged, costs: Costs, found: Float64Array, shades: Float64Array): SceneGraph => ({
      ...merged,
      costs,
      ranks: found,
      shades,
    }),
  );
  const graph = (profile: Profile, merged: Merged, price: Price | null, { kind, metric, shade }: State) => {
    const costs = graphCosts(profile, merged, price);
    const found = graphRanks(merged.nodes, costs, kind, metric);
    return graphOf(merged, costs, found, shade === "absolute" ? graphShades(merged.nodes, costs, metric) : found);
  };
  return (state, set, parts) => {
    const profile = profiles[state.log] ?? profiles[0]!;
    const { price: value, wrong } = price(profile, state.machine);
    const costs = treeCosts(profile, value);
    const rank = treeRanks(profile.tree, costs, state.kind, state.metric);
    const absolute = state.shade === "absolute";
    const critical = path(profile, rank);
    const matches = search(profile, state.search);
    const children = order(profile, keysOf(profile, costs, rank, state.order));
    return {
      profiles,
      profile,
      state,
      set,
      price: value,
      priceWrong: wrong,
      costs,
      ranks: rank,
      shades: absolute ? treeShades(profile.tree, costs, state.metric) : rank,
      merged: state.merged && parts.merged ? graph(profile, parts.merged, value, state) : null,
      each: parts.each,
      children,
      path: critical.nodes,
      onPath: critical.set,
      visible: shown(
        profile,
        children,
        state.hidden,
        state.collapsed,
        state.onlyMatches ? (matches?.nodes ?? null) : null,
      ),
      matches: matches?.nodes ?? null,
      matching: matches?.set ?? null,
    };
  };
}

function find(profile: Profile, text: string): { nodes: number[]; set: Set<number> } | null {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return null;
  const matching = profile.head.strings.map((label) => label.toLowerCase().includes(wanted));
  const nodes: number[] = [];
  for (let at = 0; at < profile.tree.count; at++) if (matching[profile.tree.label[at] ?? 0]) nodes.push(at);
  return { nodes, set: new Set(nodes) };
}

/** What siblings are ordered by, the largest first; null: as they were called. */
function keysOf({ tree }: Profile, costs: Costs, rank: Float64Array, order: Order): Float64Array | null {
  if (order === "called") return null;
  if (order === "rank") return rank;
  return (order === "steps" ? tree.supersteps : costs.maximum[Number(order)]) ?? null;
}

/** Sorts siblings; equal ones stay as they were called. */
function ordered({ children, childrenFrom, tree }: Profile, keys: Float64Array | null): Uint32Array {
  if (!keys) return children;
  const sorted = children.slice();
  for (let at = 0; at < tree.count; at++) {
    const [from, to] = [childrenFrom[at] ?? 0, childrenFrom[at + 1] ?? 0];
    if (to - from > 1) sorted.subarray(from, to).sort((a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || a - b);
  }
  return sorted;
}

/** The children of a node in the chosen order. */
export function orderedChildren({ profile, children }: Scene, node: number): Uint32Array {
  return children.subarray(profile.childrenFrom[node] ?? 0, profile.childrenFrom[node + 1] ?? 0);
}

function visible(
  profile: Profile,
  children: Uint32Array,
  hidden: number[],
  collapsed: number[],
  only: number[] | null,
): Visible {
  const { count, parent } = profile.tree;
  const without = new Set(hidden);
  const closed = new Set(collapsed);
  let kept: Uint8Array | null = null;
  if (only) {
    kept = new Uint8Array(count);
    kept[0] = 1;
    for (const node of only) for (let at = node; at >= 0 && !kept[at]; at = parent[at] ?? -1) kept[at] = 1;
  }
  const nodes = new Int32Array(count);
  const depth = new Int32Array(count);
  let size = 0;
  // By numbers only: a view of the children of each node would take longer than all else.
  const { childrenFrom } = profile;
  const stack = new Int32Array(count + 1);
  const levels = new Int32Array(count + 1);
  let top = 1;
  while (top > 0) {
    top--;
    const at = stack[top] ?? 0;
    const level = levels[top] ?? 0;
    if ((at !== 0 && without.has(at)) || (kept && !kept[at])) continue;
    nodes[size] = at;
    depth[size++] = level;
    if (closed.has(at)) continue;
    for (let k = (childrenFrom[at + 1] ?? 0) - 1; k >= (childrenFrom[at] ?? 0); k--) {
      stack[top] = children[k] ?? 0;
      levels[top++] = level + 1;
    }
  }
  return { nodes: nodes.subarray(0, size), depth: depth.subarray(0, size) };
}

/** Unfolds what is above a node, so that it can be shown. */
export function revealing(scene: Scene, node: number): Partial<State> {
  const above = new Set(pathTo(scene.profile, node).slice(0, -1));
  const own = new Set([...above, node]);
  const collapsed = scene.state.collapsed.filter((at) => !above.has(at));
  const hidden = scene.state.hidden.filter((at) => !own.has(at));
  return {
    node,
    ...(collapsed.length !== scene.state.collapsed.length ? { collapsed } : {}),
    ...(hidden.length !== scene.state.hidden.length ? { hidden } : {}),
  };
}

/** The range of supersteps that is shown. */
export function superstepRange(scene: Scene): Range {
  const last = (scene.profile.supersteps?.count ?? 1) - 1;
  const { supersteps } = scene.state;
  return supersteps
    ? { from: Math.min(supersteps.from, last), to: Math.min(supersteps.to, last) }
    : { from: 0, to: last };
}

export function nodeLabel(scene: Scene, node: number): string {
  return labelOf(scene.profile, scene.profile.tree, node);
}
