// The statistics of MPI calls, as `cll mpi stats --json` prints them (docs/formats/mpi.md): what the page shows of them.

import { decode, has, Unreadable } from "./decode";

export interface Spread {
  ranks: number;
  most_rank: number;
  most_s: number;
  least_s: number;
  imbalance: number;
}

export interface MpiStats {
  format: string;
  version: number;
  library: string;
  ranks: number;
  calls: number;
  one_clock: boolean;
  unreceived: number;
  by_rank: {
    rank: number;
    host: string;
    threads: number;
    calls: number;
    sent: number;
    received: number;
    time_s: number;
    thread_s: number;
    mpi_s: number;
    waiting_s: number | null;
    without_core_s: number | null;
    finalized: boolean;
    inside: { thread: number; call: string; awaits: string; place: string }[];
  }[];
  damage: string[];
  by_path: {
    call: string;
    place: string;
    path: string[];
    calls: number;
    sent: number;
    received: number;
    time_s: number;
    waiting_s: number | null;
    spread: Spread;
  }[];
  segments: {
    function: string;
    after: string;
    before: string;
    times: number;
    time_s: number;
    critical_s: number;
    spread: Spread;
  }[];
  waits: { kind: string; calls: number; time_s: number }[];
  delays: {
    rank: number;
    doing: string;
    time_s: number;
    kind: string;
    waits: string;
    own_s: number;
    critical_s: number;
    hidden: boolean;
  }[];
  without_core: {
    time_s: number;
    outside_s: number;
    waiting_s: number;
    ranks_of_host: number;
    processors: number | null;
  } | null;
  efficiency: {
    runtime_s: number;
    without_core_s: number;
    parallel: number;
    load_balance: number;
    serialisation: number;
    transfer: number;
  } | null;
  critical: { time_s: number; changes: number; mpi_s: number; by_rank: { rank: number; time_s: number }[] } | null;
  deadlock: { rank: number; call: string; awaits: number }[];
  mismatches: string[];
}

/** Those of a profile; null if it has none. */
export async function readStats(index: number): Promise<MpiStats | null> {
  const name = `p${index}-mpi`;
  if (!has(name)) return null;
  const { head } = await decode(name);
  const stats = head as unknown as MpiStats;
  const lists: unknown[] = [
    stats.by_rank,
    stats.by_path,
    stats.segments,
    stats.waits,
    stats.delays,
    stats.deadlock,
    stats.mismatches,
  ];
  if (stats.format !== "cll-mpi-stats" || stats.version !== 1 || !lists.every(Array.isArray)) {
    throw new Unreadable("they are of another version of cll");
  }
  return stats;
}
