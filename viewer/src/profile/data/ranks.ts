// Critical paths (section 3.4 of Jarvis et al. 2002, the table in docs/profile.md) and communication as on a machine.

import { type Costs, type Each, isByCalls, METRICS, type Metric, type Nodes, type Profile } from "./profile";

export const KINDS = ["absolute", "imbalance", "relative", "weighted"] as const;
export type Kind = (typeof KINDS)[number] | "synchronisation";

/** Seconds per byte, and per superstep. */
export interface Price {
  g: number;
  l: number;
}

/** Costs with the communication g·h + l in place of the measured one. */
export function priced(profile: Profile, nodes: Nodes, price: Price | null): Costs {
  const { costs, synchronised } = nodes;
  if (!price) return costs;
  const g = price.g * profile.head.h_unit;
  const of = (h: Float64Array | undefined) =>
    Float64Array.from(synchronised, (count, at) => g * (h?.[at] ?? 0) + price.l * count);
  const replaced = (values: Float64Array[]) => values.map((own, metric) => (metric === 1 ? of(values[3]) : own));
  return {
    maximum: replaced(costs.maximum),
    average: replaced(costs.average),
    minimum: replaced(costs.minimum),
  };
}

/** The rank of each node, 0 to 1. 0/0 is 0; an average of 0 under a maximum above it is 1. */
export function ranks(nodes: Nodes, costs: Costs, kind: Kind, metric: Metric): Float64Array {
  const quotient = (a: number, b: number) => (a === 0 ? 0 : a / b);
  const maximum = costs.maximum[metric] ?? new Float64Array();
  const average = costs.average[metric] ?? new Float64Array();
  const whole = maximum[0] ?? 0;
  const found = new Float64Array(nodes.count);
  const gain = (at: number) => (maximum[at] ?? 0) - (average[at] ?? 0);
  for (let at = 0; at < nodes.count; at++) {
    switch (kind) {
      case "synchronisation":
        found[at] = quotient(nodes.supersteps[at] ?? 0, nodes.supersteps[0] ?? 0);
        break;
      case "absolute":
        found[at] = quotient(maximum[at] ?? 0, whole);
        break;
      case "imbalance":
        found[at] = quotient(gain(at), gain(0));
        break;
      case "relative":
        found[at] = quotient(gain(at), average[at] ?? 0);
        break;
      case "weighted":
        found[at] = quotient(gain(at), average[at] ?? 0) * quotient(maximum[at] ?? 0, whole);
    }
  }
  if (kind === "relative" || kind === "weighted") {
    let largest = 0;
    for (const rank of found) if (Number.isFinite(rank) && rank > largest) largest = rank;
    for (let at = 0; at < found.length; at++) {
      const rank = found[at] ?? 0;
      found[at] = rank === Infinity ? 1 : largest === 0 ? 0 : rank / largest;
    }
  }
  for (let at = 0; at < found.length; at++) {
    const rank = found[at] ?? 0;
    found[at] = Number.isNaN(rank) ? 0 : Math.min(1, Math.max(0, rank));
  }
  return found;
}

/** 1 - A/M: 0 where it is balanced, on one scale for all profiles. */
export function imbalances(nodes: Nodes, costs: Costs, metric: Metric): Float64Array {
  return Float64Array.from({ length: nodes.count }, (_, at) => {
    const maximum = costs.maximum[metric]?.[at] ?? 0;
    return maximum > 0 ? Math.min(1, Math.max(0, 1 - (costs.average[metric]?.[at] ?? 0) / maximum)) : 0;
  });
}

/** From the root to a leaf, at each node to the child with the highest rank. */
export function criticalPath(profile: Profile, found: Float64Array): number[] {
  const { children, childrenFrom } = profile;
  const path = [0];
  for (;;) {
    let best = -1;
    const last = path[path.length - 1] ?? 0;
    for (let k = childrenFrom[last] ?? 0; k < (childrenFrom[last + 1] ?? 0); k++) {
      const child = children[k] ?? 0;
      if (best < 0 || (found[child] ?? 0) > (found[best] ?? 0)) best = child;
    }
    if (best < 0 || !((found[best] ?? 0) > 0)) return path;
    path.push(best);
  }
}

/** The path that is shown first: as `cll profile show` chooses it; of calls of MPI that of the longest waiting. */
export function firstPath(profile: Profile): { kind: Kind; metric: Metric } {
  const calls: [Kind, Metric][] = [
    ["absolute", 2],
    ["absolute", 1],
    ["absolute", 0],
  ];
  const order: [Kind, Metric][] = [
    ["imbalance", 3],
    ["imbalance", 0],
    ["imbalance", 1],
    ["imbalance", 2],
    ["absolute", 3],
    ["absolute", 0],
    ["synchronisation", 0],
  ];
  for (const [kind, metric] of isByCalls(profile) ? calls : order) {
    const found = ranks(profile.tree, profile.tree.costs, kind, metric);
    if (criticalPath(profile, found).length > 1) return { kind, metric };
  }
  return { kind: "imbalance", metric: 3 };
}

/** What each processor has of a metric at a node; null if only quantiles are known, or nothing. */
export function eachProcessor(
  profile: Profile,
  known: Each | null,
  nodes: Nodes,
  node: number,
  metric: Metric,
  price: Price | null,
): { each: Float64Array | null; quantiles: Float64Array | null } {
  const { processors, h_unit } = profile.head;
  const replaced = metric === 1 && price !== null;
  const from = replaced ? 3 : metric;
  const of = (value: number) =>
    replaced && price ? price.g * h_unit * value + price.l * (nodes.synchronised[node] ?? 0) : value;
  const row = nodes.row[node] ?? -1;
  if (row >= 0) {
    const own = known?.rows[from]?.subarray(row * processors, (row + 1) * processors);
    return { each: own ? Float64Array.from(own, of) : null, quantiles: null };
  }
  const place = nodes.quantiles[node] ?? -1;
  if (place < 0 || !known) return { each: null, quantiles: null };
  return {
    each: null,
    quantiles: Float64Array.from(known.quantiles[from]?.subarray(place * 5, place * 5 + 5) ?? [], of),
  };
}

/** R: the largest sum of a processor by the sum of the supersteps' maxima. NaN if it is not known. */
export function steadiness(
  profile: Profile,
  known: Each | null,
  nodes: Nodes,
  costs: Costs,
  node: number,
  metric: Metric,
  price: Price | null,
): number {
  const { each, quantiles } = eachProcessor(profile, known, nodes, node, metric, price);
  const maximum = costs.maximum[metric]?.[node] ?? 0;
  if (maximum === 0) return 1;
  const largest = each ? each.reduce((a, b) => Math.max(a, b), 0) : quantiles?.[4];
  if (largest === undefined) return Number.NaN;
  const found = largest / maximum;
  return found > 1 + 1e-6 ? Number.NaN : found;
}

export { METRICS };
