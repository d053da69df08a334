// A profile as the page holds it: crates/result/src/profile_page writes it.

import { type Columns, decode, has, Unreadable, whole } from "./decode";
import { type MpiStats, readStats } from "./mpi";

/** Computation, communication, idle, h-relation. */
export type Metric = 0 | 1 | 2 | 3;
export const METRICS: readonly Metric[] = [0, 1, 2, 3];
export const METRIC_NAMES = ["computation", "communication", "idle", "h-relation"] as const;

/** The words of a profile: of supersteps, or of calls of MPI. */
export interface Terms {
  metrics: readonly [string, string, string, string];
  short: readonly [string, string, string, string];
  step: string;
  steps: string;
  /** The path by how many there are. */
  path: string;
}

const SUPERSTEPS: Terms = {
  metrics: METRIC_NAMES,
  short: ["comp", "comm", "idle", "h"],
  step: "superstep",
  steps: "supersteps",
  path: "synchronisation",
};
const CALLS: Terms = {
  metrics: ["computation", "communication", "waiting", "bytes"],
  short: ["comp", "comm", "wait", "bytes"],
  step: "call",
  steps: "calls",
  path: "calls",
};

export function termsOf(profile: Profile): Terms {
  return isByCalls(profile) ? CALLS : SUPERSTEPS;
}

/** Whether it is of calls of MPI, which have no supersteps. */
export function isByCalls(profile: Profile): boolean {
  return profile.head.source.source === "calls";
}

export const PROGRAM = 0;
export const FUNCTION = 1;
export const CENTRE = 2;

/** Maximum, average and minimum by metric: one value for each node. */
export interface Costs {
  maximum: Float64Array[];
  average: Float64Array[];
  minimum: Float64Array[];
}

/** Nodes of the tree, or of the merged graph. */
export interface Nodes {
  count: number;
  parent: Int32Array;
  kind: Uint8Array;
  flags: Uint8Array;
  label: Uint32Array;
  file: Uint32Array;
  line: Uint32Array;
  supersteps: Float64Array;
  synchronised: Float64Array;
  barrier: Float64Array;
  costs: Costs;
  row: Int32Array;
  quantiles: Int32Array;
}

export interface Machine {
  name: string;
  g: number;
  l: number;
  rate: number | null;
  notes: string[];
}

export interface Source {
  file: string;
  text: string | null;
  note: string;
}

interface Head {
  format: string;
  version: number;
  file: string;
  name: string;
  processors: number;
  elapsed_s: number;
  h_unit: number;
  source: {
    source: string;
    engine?: string;
    parts?: boolean;
    virtually?: boolean;
    date?: string;
    architecture?: string;
    library?: string;
    waiting?: boolean;
  };
  notes: string[];
  efficiency: { load_balance: number; communication: number; parallel: number };
  machines: Machine[];
  sources: Source[];
  nodes: number;
  graph_nodes: number;
  rows: number;
  quantiles: number;
  supersteps: { columns: number; per_column: number; group: number; side: number } | null;
  /** Kinds of waiting that nodes have. */
  waits: string[];
  /** The length of a slice, if there are slices in place of supersteps. */
  slice_s: number | null;
  ends: { node: number; ends: { file: string; line: number; through: string[]; processors: number[] }[] }[];
  strings: string[];
}

/** Each superstep, or several that were added up; or slices of a length. */
export interface Supersteps {
  count: number;
  perColumn: number;
  slice: number | null;
  supersteps: Uint32Array;
  node: Int32Array;
  maximum: Float32Array[];
  average: Float32Array[];
  minimum: Float32Array[];
  group: number;
  side: number;
  traffic: Float64Array;
}

/** Places of the merged graph, made in Rust. */
export interface Layered {
  layer: Uint32Array;
  row: Float32Array;
  from: Uint32Array;
  to: Uint32Array;
  shares: Float32Array[];
  bendsUntil: Uint32Array;
  bends: Float32Array;
}

export interface Profile {
  index: number;
  head: Head;
  tree: Nodes;
  /** Nodes below each node of the tree, one after the other, and where those of each begin. */
  children: Uint32Array;
  childrenFrom: Uint32Array;
  supersteps: Supersteps | null;
  /** Waiting of each node of the tree by kind. */
  waits: Waits[];
  /** The statistics of its calls of MPI. */
  stats: MpiStats | null;
}

/** The merged graph; read when it is first wanted. */
export interface Merged {
  nodes: Nodes;
  /** The node of the graph of each node of the tree, and the first node of the tree of each of the graph. */
  graphOf: Uint32Array;
  of: Uint32Array;
  layered: Layered;
}

/** What is known of each processor; read when the first view is there. */
export interface Each {
  /** By metric: rows of one value for each processor. */
  rows: Float32Array[];
  quantiles: Float32Array[];
  last: Uint32Array;
}

export interface Waits {
  kind: string;
  maximum: Float64Array;
  average: Float64Array;
  minimum: Float64Array;
}

/** The profiles of the page. */
export async function readProfiles(): Promise<Profile[]> {
  const names = ["p0", "p1"].filter(has);
  if (names.length === 0) throw new Unreadable("the page has none");
  return Promise.all(names.map(async (name, index) => profile(await decode(name), index, await readStats(index))));
}

function nodes(columns: Columns, prefix: string, count: number): Nodes {
  const at = (name: string) => `${prefix}.${name}`;
  const of = (what: string) => METRICS.map((metric) => columns.f64(at(`${what}${metric}`), count));
  return {
    count,
    parent: columns.i32(at("parent"), count),
    kind: columns.u8(at("kind"), count),
    flags: columns.u8(at("flags"), count),
    label: columns.u32(at("label"), count),
    file: columns.u32(at("file"), count),
    line: columns.u32(at("line"), count),
    supersteps: columns.f64(at("supersteps"), count),
    synchronised: columns.f64(at("synchronised"), count),
    barrier: columns.f64(at("barrier"), count),
    costs: { maximum: of("max"), average: of("avg"), minimum: of("min") },
    row: columns.i32(at("row"), count),
    quantiles: columns.i32(at("quantiles"), count),
  };
}

function profile(columns: Columns, index: number, stats: MpiStats | null): Profile {
  const head = columns.head as unknown as Head;
  if (head.format !== "cll-profile-page" || head.version !== 2) {
    throw new Unreadable("they are of another version of cll");
  }
  const { nodes: count } = head;
  const tree = nodes(columns, "t", count);
  for (let at = 0; at < count; at++) {
    // Every node stands after the one above it: what walks the tree relies on it.
    const parent = tree.parent[at] ?? -2;
    if (at === 0 ? parent !== -1 : parent < 0 || parent >= at) throw new Unreadable("their tree is damaged");
  }
  const { children, childrenFrom } = below(tree);
  const steps = head.supersteps;
  return {
    index,
    head,
    tree,
    children,
    childrenFrom,
    supersteps: steps && {
      count: steps.columns,
      perColumn: steps.per_column,
      slice: head.slice_s ?? null,
      supersteps: columns.u32("s.count", steps.columns),
      node: columns.i32("s.node", steps.columns),
      maximum: METRICS.map((metric) => columns.f32(`s.max${metric}`, steps.columns)),
      average: METRICS.map((metric) => columns.f32(`s.avg${metric}`, steps.columns)),
      minimum: METRICS.map((metric) => columns.f32(`s.min${metric}`, steps.columns)),
      group: steps.group,
      side: steps.side,
      traffic: columns.f64("traffic", steps.side * steps.side),
    },
    waits: (head.waits ?? []).map((kind, k) => ({
      kind,
      maximum: columns.f64(`t.wait${k}.max`, count),
      average: columns.f64(`t.wait${k}.avg`, count),
      minimum: columns.f64(`t.wait${k}.min`, count),
    })),
    stats,
  };
}

/** The merged graph of a profile. */
export async function readMerged({ index, head, tree }: Profile): Promise<Merged> {
  await whole();
  const columns = await decode(`p${index}-graph`);
  const merged = nodes(columns, "g", head.graph_nodes);
  const edges = columns.length("e.from");
  return {
    nodes: merged,
    graphOf: columns.u32("t.graph", tree.count),
    of: columns.u32("g.of", merged.count),
    layered: {
      layer: columns.u32("g.layer", merged.count),
      row: columns.f32("g.place", merged.count),
      from: columns.u32("e.from", edges),
      to: columns.u32("e.to", edges),
      shares: METRICS.map((metric) => columns.f32(`e.share${metric}`, edges)),
      bendsUntil: columns.u32("e.bends_until", edges),
      bends: columns.f32("e.bends", columns.length("e.bends")),
    },
  };
}

/** What is known of each processor of a profile. */
export async function readEach({ index, head }: Profile): Promise<Each> {
  await whole();
  const columns = await decode(`p${index}-each`);
  return {
    rows: METRICS.map((metric) => columns.f32(`rows${metric}`, head.rows * head.processors)),
    quantiles: METRICS.map((metric) => columns.f32(`quantiles${metric}`, head.quantiles * 5)),
    last: columns.u32("last", columns.length("last")),
  };
}

function below(tree: Nodes): { children: Uint32Array; childrenFrom: Uint32Array } {
  const childrenFrom = new Uint32Array(tree.count + 1);
  for (let at = 1; at < tree.count; at++) childrenFrom[(tree.parent[at] ?? 0) + 1]! += 1;
  for (let at = 0; at < tree.count; at++) childrenFrom[at + 1]! += childrenFrom[at] ?? 0;
  const next = childrenFrom.slice();
  const children = new Uint32Array(Math.max(0, tree.count - 1));
  for (let at = 1; at < tree.count; at++) {
    const parent = tree.parent[at] ?? 0;
    children[next[parent] ?? 0] = at;
    next[parent]! += 1;
  }
  return { children, childrenFrom };
}

/** The nodes below a node. */
export function childrenOf(profile: Profile, node: number): Uint32Array {
  return profile.children.subarray(profile.childrenFrom[node] ?? 0, profile.childrenFrom[node + 1] ?? 0);
}

/** Nodes from the root to a node. */
export function pathTo(profile: Profile, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = profile.tree.parent[at] ?? -1) path.push(at);
  return path.reverse();
}

/** Nodes of a tree that is shown as a tree at first. */
const LARGE = 500;

/** Whether the merged graph is shown at first: the tree is large or recursive, and the graph has less. */
export function beginsMerged({ head, tree }: Profile): boolean {
  if (2 * head.graph_nodes > tree.count) return false;
  if (tree.count > LARGE) return true;
  const name = (at: number) => `${tree.label[at]} ${tree.file[at]}`;
  for (let at = 0; at < tree.count; at++) {
    if (tree.kind[at] !== FUNCTION) continue;
    for (let above = tree.parent[at] ?? -1; above > 0; above = tree.parent[above] ?? -1)
      if (name(above) === name(at)) return true;
  }
  return false;
}

/** The label of a node. */
export function labelOf(profile: Profile, nodes: Nodes, node: number): string {
  return profile.head.strings[nodes.label[node] ?? 0] ?? "";
}

const values = new Map<string, Promise<Float32Array>>();

/** A metric of each processor in each superstep, column after column; read when it is first wanted. */
export function superstepValues(profile: Profile, metric: Metric): Promise<Float32Array> {
  const name = `p${profile.index}-values${metric}`;
  let found = values.get(name);
  if (!found) {
    const size = (profile.supersteps?.count ?? 0) * profile.head.processors;
    found = whole()
      .then(() => decode(name))
      .then((columns) => columns.f32("values", size));
    values.set(name, found);
  }
  return found;
}
