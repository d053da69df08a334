// The comparison of two profiles.

import { decode, has, Unreadable } from "./decode";

export interface Change {
  before: Float64Array;
  after: Float64Array;
  /** The interval of after - before; null if a side has one run. */
  interval: { low: Float64Array; high: Float64Array } | null;
}

export interface Diff {
  count: number;
  above: Int32Array;
  labels: string[];
  now: (string | null)[];
  status: string[];
  with: Map<number, string[]>;
  /** The node before and after, -1 if there is none. */
  nodes: [Int32Array, Int32Array];
  supersteps: Change;
  time: Change;
  maximum: Change[];
  balance: Change[];
  matched: number;
  /** How many runs each side has. */
  runs: [number, number];
}

/** What of a difference is there for certain: the end of its interval that is nearer to 0, or 0 if 0 is inside. */
export function certain({ interval }: Change, row: number): number | null {
  if (!interval) return null;
  const [low = 0, high = 0] = [interval.low[row], interval.high[row]];
  return low > 0 ? low : high < 0 ? high : 0;
}

/** How strong a shade is at most where no interval says that a difference is more than chance. */
export const UNCERTAIN = 0.35;

export async function readDiff(): Promise<Diff | null> {
  if (!has("diff")) return null;
  const columns = await decode("diff");
  const head = columns.head as unknown as {
    format: string;
    rows: number;
    matched: number;
    runs: [number, number];
    statuses: string[];
    with: { row: number; names: string[] }[];
    strings: string[];
  };
  if (head.format !== "cll-profile-page-diff") throw new Unreadable("they are of another version of cll");
  const count = head.rows;
  const change = (name: string): Change => ({
    before: columns.f64(`${name}.before`, count),
    after: columns.f64(`${name}.after`, count),
    interval:
      Math.min(...head.runs) > 1
        ? { low: columns.f64(`${name}.low`, count), high: columns.f64(`${name}.high`, count) }
        : null,
  });
  const text = (at: number) => head.strings[at] ?? "";
  return {
    count,
    above: columns.i32("above", count),
    labels: Array.from(columns.u32("label", count), text),
    now: Array.from(columns.i32("now", count), (at) => (at < 0 ? null : text(at))),
    status: Array.from(columns.u8("status", count), (at) => head.statuses[at] ?? ""),
    with: new Map(head.with.map(({ row, names }) => [row, names])),
    nodes: [columns.i32("before", count), columns.i32("after", count)],
    supersteps: change("supersteps"),
    time: change("time"),
    maximum: [0, 1, 2, 3].map((metric) => change(`max${metric}`)),
    balance: [0, 1, 2, 3].map((metric) => change(`balance${metric}`)),
    matched: head.matched,
    runs: head.runs,
  };
}
