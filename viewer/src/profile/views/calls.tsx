// Calls of MPI: how efficient the run was, what waits were for and where they come from, calls by path, computation between
// them, ranks.

import type { ComponentChildren } from "preact";
import { count, number, percent, quantity } from "../../shell/numbers";
import { type Column, DataTable } from "../../shell/table";
import { shown } from "../../shell/text";
import type { MpiStats, Spread } from "../data/mpi";
import type { Scene } from "../scene";
import { libraryOf } from "../words";

/** Functions of a path that are shown. */
const MOST_FUNCTIONS = 6;

export function Calls({ scene }: { scene: Scene }) {
  const stats = scene.profile.stats;
  if (!stats) return <p class="nothing">This run has no log of MPI calls.</p>;
  const waited = stats.waits.reduce((sum, one) => sum + one.time_s, 0);
  return (
    <div class="stacked calls">
      <Summary stats={stats} waited={waited} />
      <Part
        title="Waiting by cause"
        none={stats.one_clock ? "No call waited." : "The ranks ran on several hosts: waiting is not known."}
      >
        {table("Waiting by cause", stats.waits, [
          text("cause", (one) => one.kind),
          amount("calls", (one) => one.calls, number),
          amount("time", (one) => one.time_s, seconds),
          share("share", (one) => one.time_s, waited),
        ])}
      </Part>
      <Part title="Where waiting comes from" none="No cause is known.">
        {table("Where waiting comes from, the largest first", stats.delays, [
          amount("time", (one) => one.time_s, seconds),
          amount("rank", (one) => one.rank, number),
          text("was", (one) => one.doing),
          amount("on the critical path", (one) => one.critical_s, seconds),
          text("less of it gains", (one) => (one.hidden ? "nothing: hidden" : "")),
          text("waited for in", (one) => one.waits),
          text("cause", (one) => one.kind),
        ])}
      </Part>
      <Part title="Calls by path" none="There are no calls.">
        {table("Calls by path, times of all ranks", stats.by_path, [
          text("call", (one) => `${one.call} ${one.place}`),
          text("called by", (one) => called(one.path, one.place)),
          amount("calls", (one) => one.calls, number),
          amount("sent", (one) => one.sent, bytes),
          amount("received", (one) => one.received, bytes),
          amount("time", (one) => one.time_s, seconds),
          amount("waiting", (one) => one.waiting_s ?? Number.NaN, seconds),
          ...spread<MpiStats["by_path"][number]>((one) => one.spread),
        ])}
      </Part>
      <Part title="Computation between calls" none="Nothing was computed.">
        {table("Computation between two calls, times of all ranks", stats.segments, [
          text("function", (one) => one.function),
          text("after", (one) => one.after || "the beginning"),
          text("before", (one) => one.before),
          amount("times", (one) => one.times, number),
          amount("time", (one) => one.time_s, seconds),
          amount("on the critical path", (one) => one.critical_s, seconds),
          ...spread<MpiStats["segments"][number]>((one) => one.spread),
        ])}
      </Part>
      <Part title="Ranks" none="There are none.">
        {table("Ranks", stats.by_rank, [
          amount("rank", (one) => one.rank, number),
          text("host", (one) => one.host),
          amount("threads", (one) => one.threads, number),
          amount("calls", (one) => one.calls, number),
          amount("sent", (one) => one.sent, bytes),
          amount("received", (one) => one.received, bytes),
          amount("time", (one) => one.time_s, seconds),
          amount("outside of MPI", (one) => Math.max(0, one.thread_s - one.mpi_s), seconds),
          amount("of it without a core", (one) => one.without_core_s ?? Number.NaN, seconds),
          amount("in MPI", (one) => one.mpi_s, seconds),
          amount("of it waiting", (one) => one.waiting_s ?? Number.NaN, seconds),
          text("end", ended),
        ])}
      </Part>
    </div>
  );
}

function Summary({ stats, waited }: { stats: MpiStats; waited: number }) {
  const { efficiency, critical, deadlock, mismatches, damage, without_core: lost } = stats;
  const most = critical?.by_rank.reduce((a, b) => (b.time_s > a.time_s ? b : a), { rank: 0, time_s: 0 });
  const wrong = [
    ...deadlock.map((one) => `deadlock: rank ${one.rank} in ${shown(one.call)} waits for rank ${one.awaits}`),
    ...mismatches.map((one) => `different collectives in the same place: ${shown(one)}`),
    ...damage.map(shown),
  ];
  return (
    <section class="pane">
      <h2>The run</h2>
      {lost && lost.time_s >= 0.01 * lost.outside_s && lost.time_s > 0 && (
        <p class="caution">
          Ranks had no core for {percent(lost.time_s / lost.outside_s)} of their time outside of MPI
          {lost.processors !== null && lost.ranks_of_host > lost.processors
            ? `: ${count(lost.ranks_of_host, "rank", "ranks")} on ${count(lost.processors, "processor", "processors")}`
            : ": other programs or ranks had them"}
          . It is neither computation in the efficiency nor a cause of waiting.
        </p>
      )}
      <p>
        {count(stats.calls, "call", "calls")} on {count(stats.by_rank.length, "rank", "ranks")},{" "}
        {libraryOf(stats.library)}
        {stats.one_clock && `; all ranks together waited ${seconds(waited)}`}
        {stats.unreceived > 0 && `; ${count(stats.unreceived, "message was", "messages were")} not received`}.
      </p>
      {efficiency && (
        <p>
          Efficiency {percent(efficiency.parallel)} = load balance {percent(efficiency.load_balance)} × serialisation{" "}
          {percent(efficiency.serialisation)} × transfer {percent(efficiency.transfer)}, of{" "}
          {seconds(efficiency.runtime_s)}
          {efficiency.without_core_s > 0 && ` without ${seconds(efficiency.without_core_s)} without a core`}.
        </p>
      )}
      {critical && critical.time_s > 0 && (
        <p>
          The critical path takes {seconds(critical.time_s)}: {percent(critical.mpi_s / critical.time_s)} in MPI,{" "}
          {count(critical.changes, "change", "changes")} of rank
          {most && most.time_s > 0 && `, ${percent(most.time_s / critical.time_s)} on rank ${most.rank}`}.
        </p>
      )}
      {wrong.length > 0 && (
        <ul>
          {wrong.slice(0, 40).map((one) => (
            <li class="caution">{one}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Part({ title, none, children }: { title: string; none: string; children: ComponentChildren }) {
  return (
    <section class="pane">
      <h2>{title}</h2>
      {children ?? <p class="faint">{none}</p>}
    </section>
  );
}

/** A column of rows of a kind. */
interface Of<T> {
  title: string;
  numeric: boolean;
  value: (one: T) => number | string;
  text: (one: T) => string;
}

function text<T>(title: string, of: (one: T) => string): Of<T> {
  return { title, numeric: false, value: of, text: (one) => shown(of(one)) };
}

function amount<T>(title: string, of: (one: T) => number, say: (value: number) => string): Of<T> {
  return { title, numeric: true, value: of, text: (one) => (Number.isNaN(of(one)) ? "-" : say(of(one))) };
}

function share<T>(title: string, of: (one: T) => number, whole: number): Of<T> {
  return amount(title, of, (value) => percent(whole > 0 ? value / whole : 0));
}

/** How much ranks differ. */
function spread<T>(of: (one: T) => Spread): Of<T>[] {
  return [
    amount(
      "max/mean",
      (one) => of(one).imbalance,
      (value) => value.toFixed(2),
    ),
    amount("rank of max", (one) => of(one).most_rank, number),
  ];
}

function table<T>(label: string, rows: T[], columns: Of<T>[]): ComponentChildren {
  if (rows.length === 0) return null;
  const of = (row: number) => rows[row] as T;
  const own: Column[] = columns.map(({ title, numeric, value, text }) => ({
    title,
    numeric,
    value: (row) => value(of(row)),
    text: (row) => text(of(row)),
  }));
  return <DataTable label={label} columns={own} rows={rows.length} />;
}

const seconds = (value: number) => quantity(value, "s");
const bytes = (value: number) => quantity(value, "B");

/** The functions that lead to a call, the innermost first. */
function called(path: string[], place: string): string {
  const functions = path.filter((name) => name !== place);
  const more = functions.length > MOST_FUNCTIONS ? " < …" : "";
  return functions.slice(0, MOST_FUNCTIONS).join(" < ") + more;
}

function ended(rank: MpiStats["by_rank"][number]): string {
  const inside = rank.inside.map(({ call, awaits, place }) =>
    ["in", call, awaits, place && `at ${place}`].filter(Boolean).join(" "),
  );
  if (inside.length > 0) return `${inside.join("; ")}, when its log ended`;
  return rank.finalized ? "" : "without MPI_Finalize";
}
