// The comparison of two profiles.

import { decode, has, Unreadable } from "./decode";

export interface Change {
  before: Float64Array;
  after: Float64Array;
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
    statuses: string[];
    with: { row: number; names: string[] }[];
    strings: string[];
  };
  if (head.format !== "cll-profile-page-diff") throw new Unreadable("they are of another version of cll");
  const count = head.rows;
  const change = (name: string): Change => ({
    before: columns.f64(`${name}.before`, count),
    after: columns.f64(`${name}.after`, count),
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
  };
}
