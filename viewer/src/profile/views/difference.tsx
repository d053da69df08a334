// Two profiles, node by node: before, after, and what changed, in colours from blue (less) to orange (more), and in words.

import { useCallback, useMemo, useState } from "preact/hooks";
import type { Pen } from "../../plots/pen";
import { number, quantity } from "../../shell/numbers";
import { shown } from "../../shell/text";
import { type Change, certain, type Diff, UNCERTAIN } from "../data/diff";
import { type Costs, isByCalls, termsOf } from "../data/profile";
import { priced } from "../data/ranks";
import { type Palette, palette } from "../palette";
import { MachineChoice } from "../parts/functions";
import type { Entry } from "../parts/legend";
import { toggled } from "../parts/nodegrid";
import { Picture, type Size } from "../parts/picture";
import { type GridColumn, TreeGrid } from "../parts/treegrid";
import { priceOf, type Scene } from "../scene";
import { balance, value } from "../words";

const ROW = 22;
const AS_ON = "Communication, and with it the time, is g·h + l.";

export function Difference({ scene, diff }: { scene: Scene; diff: Diff }) {
  const { state, set, profiles } = scene;
  const { steps, metrics } = termsOf(scene.profile);
  const figures = ["time", steps, ...metrics];
  const figure = state.compared;
  const choose = (compared: number) => set({ compared });
  const collapsed = state.folded;
  const fold = (folded: number[]) => set({ folded });
  const [only, setOnly] = useState(false);
  const on = useMemo(() => asOn(scene, diff), [scene.price, state.machine, diff]);
  const time = on?.time ?? diff.time;
  const maximum = figure === 3 && on ? on.maximum : diff.maximum[figure - 2];
  const change: Change = figure === 0 ? time : figure === 1 ? diff.supersteps : (maximum ?? time);
  const say = (of: number) =>
    figure === 0 ? quantity(of, "s") : figure === 1 ? number(of) : value(scene, (figure - 2) as 0 | 1 | 2 | 3, of);
  const of = (list: Float64Array, row: number) => list[row] ?? 0;
  const largest = useMemo(() => {
    let most = 0;
    for (let row = 0; row < diff.count; row++)
      most = Math.max(most, Math.abs(of(change.after, row) - of(change.before, row)));
    return most;
  }, [diff, change]);
  const changed = (row: number) => diff.status[row] !== "same" || of(change.before, row) !== of(change.after, row);
  const { nodes, depth, children } = useMemo(
    () => tree(diff, new Set(collapsed), only ? changed : null),
    [diff, collapsed, only, change],
  );
  const selected = useMemo(() => {
    const own = diff.nodes[state.log === 1 ? 1 : 0];
    const row = own.indexOf(state.node);
    return row < 0 ? 0 : row;
  }, [diff, state.node, state.log]);
  const select = (row: number) => {
    const before = diff.nodes[0][row] ?? -1;
    const after = diff.nodes[1][row] ?? -1;
    const stay = state.log === 1 ? after : before;
    if (stay >= 0) set({ node: stay });
    else
      set({
        log: state.log === 1 ? 0 : 1,
        node: Math.max(before, after, 0),
        hidden: [],
        collapsed: [],
        focus: 0,
        zoom: null,
      });
  };
  const strongest = change.interval ? 1 : UNCERTAIN;
  // With intervals the colour is of what is certain; without one it is pale.
  const share = (row: number) =>
    largest === 0
      ? 0
      : (strongest * (certain(change, row) ?? of(change.after, row) - of(change.before, row))) / largest;
  const ratio = (row: number) => {
    const [a, b] = [of(change.before, row), of(change.after, row)];
    return a === 0 ? (b === 0 ? "1" : "new") : (b / a).toFixed(2);
  };
  const status = (row: number): string => {
    const own = diff.status[row] ?? "";
    const [before, after] = [diff.nodes[0][row] ?? -1, diff.nodes[1][row] ?? -1];
    const where = before < 0 ? "only after" : after < 0 ? "only before" : own === "same" ? "" : own;
    const into = diff.with.get(row)?.map(shown).join(", ") ?? "";
    const now = diff.now[row];
    const chance =
      certain(change, row) === 0 && of(change.after, row) !== of(change.before, row) ? "may be chance" : "";
    return [
      chance,
      where,
      own !== where && own !== "same" && own !== "gone" && own !== "new" ? own : "",
      into,
      now ? `now ${shown(now)}` : "",
    ]
      .filter(Boolean)
      .join(": ");
  };
  const { diverging } = palette();
  const columns: GridColumn[] = [
    {
      title: "before",
      numeric: true,
      cell: (row) => ((diff.nodes[0][row] ?? -1) < 0 ? "-" : say(of(change.before, row))),
    },
    {
      title: "after",
      numeric: true,
      cell: (row) => ((diff.nodes[1][row] ?? -1) < 0 ? "-" : say(of(change.after, row))),
    },
    {
      title: "difference",
      numeric: true,
      cell: (row) => signed(of(change.after, row) - of(change.before, row), say),
      shade: (row) => diverging(share(row)),
    },
    ...(change.interval
      ? [
          {
            title: "interval",
            wide: true,
            hint: "of the difference; where 0 is inside, it may be chance",
            numeric: true,
            cell: (row: number) =>
              `${signed(of(change.interval?.low ?? change.after, row), say)} to ${signed(of(change.interval?.high ?? change.after, row), say)}`,
          },
        ]
      : []),
    { title: "after / before", numeric: true, cell: ratio },
    ...(figure >= 2
      ? [
          {
            title: "avg% before, after",
            numeric: true,
            cell: (row: number) => {
              const own = figure === 3 && on ? on.balance : diff.balance[figure - 2];
              const percent = (list: Float64Array) => balance(1, of(list, row), 0).replace(/\((.*) \|.*/, "$1");
              return own ? `${percent(own.before)}, ${percent(own.after)}` : "";
            },
          },
        ]
      : []),
    { title: "how it was matched", numeric: false, cell: status },
  ];
  const draw = useCallback(
    (pen: Pen, size: Size, colours: Palette) => icicle(pen, size, colours, diff, change, children, share, selected),
    [diff, change, children, selected],
  );
  const [first, last] = profiles;
  const runOf = (profile: typeof first) => `${shown(profile?.head.file ?? "")}, P = ${profile?.head.processors ?? 0}`;
  const runs = `before: ${runOf(first)}; after: ${runOf(last)}`;
  const differ =
    first?.head.processors !== last?.head.processors
      ? "The numbers of processors differ: maxima and sums are not comparable."
      : "";
  const legend: Entry[] = [
    {
      kind: "scale",
      title: `difference of ${figures[figure] ?? ""}`,
      shade: (colours, at) => colours.diverging(strongest * (2 * at - 1)),
      low: largest === 0 ? "0" : `-${say(largest)}`,
      high: largest === 0 ? "0" : `+${say(largest)}`,
    },
  ];
  const doubt = doubtOf(diff.runs, change.interval !== null, on !== null);
  const sentence = (row: number) =>
    `${shown(diff.labels[row] ?? "")}: ${say(of(change.before, row))} before, ${say(of(change.after, row))} after, ${signed(of(change.after, row) - of(change.before, row), say)}${change.interval ? ` (${signed(of(change.interval.low, row), say)} to ${signed(of(change.interval.high, row), say)})` : ""}${status(row) ? `; ${status(row)}` : ""}`;
  return (
    <div class="stacked">
      <div class="tools" role="group" aria-label="What is compared">
        {figures.map((name, k) => (
          <button type="button" class="choice" aria-pressed={figure === k} onClick={() => choose(k)}>
            {name}
          </button>
        ))}
        <label class="check">
          <input type="checkbox" checked={only} onChange={(event) => setOnly(event.currentTarget.checked)} />
          only what differs
        </label>
        {!isByCalls(scene.profile) && <MachineChoice scene={scene} />}
      </div>
      <p class={change.interval ? "faint" : "caution"}>{doubt}</p>
      <p class="faint">
        {runs}; {Math.round(100 * diff.matched)} % of the time is in {isByCalls(scene.profile) ? "calls" : "centres"}{" "}
        that both have. {differ} {on && AS_ON}
      </p>
      <Picture
        label={`Difference of ${figures[figure]}: the width of a node is the larger of before and after`}
        name="difference"
        run={runs}
        notes={[doubt, ...(differ ? [differ] : []), ...(on ? [AS_ON] : [])]}
        legend={legend}
        draw={draw}
        height={Math.max(90, Math.min(12, depth.reduce((a, b) => Math.max(a, b), 0) + 1) * ROW)}
        readout={sentence(selected)}
        onPress={(x, y, size) => {
          const row = under(change, children, x / size.width, Math.floor(y / ROW));
          if (row >= 0) select(row);
        }}
      />
      <TreeGrid
        id="d"
        label={`Difference of ${figures[figure]}, node by node`}
        name="call tree"
        columns={columns}
        nodes={nodes}
        depth={depth}
        selected={selected}
        select={select}
        text={(row) => <bdi>{shown(diff.labels[row] ?? "")}</bdi>}
        open={(row) => ((children[row]?.length ?? 0) === 0 ? null : !collapsed.includes(row))}
        toggle={(row) => fold(toggled(collapsed, row))}
        title={(row) => shown(diff.labels[row] ?? "")}
        above={(row) => diff.above[row] ?? -1}
      />
    </div>
  );
}

/** How certain differences are. */
function doubtOf([before, after]: [number, number], known: boolean, on: boolean): string {
  if (known)
    return `${before} runs before, ${after} after: means, with intervals of the differences. Where 0 is in the interval, there is no colour.`;
  if (on && before > 1 && after > 1)
    return "As on a machine there is no interval here: of each side it is the first run. Colours are pale.";
  const sides = before === 1 && after === 1 ? "One run each" : before === 1 ? "One run before" : "One run after";
  return `${sides}: no interval. A difference may be chance, so its colours are pale; cll profile view --with compares several runs.`;
}

/** Communication and time of both as on the machine that is chosen; null as measured. */
function asOn(scene: Scene, diff: Diff): { maximum: Change; balance: Change; time: Change } | null {
  if (!scene.price) return null;
  const both = scene.profiles.map((profile) => {
    const { price } = priceOf(profile, scene.state.machine);
    return priced(profile, profile.tree, price);
  });
  const change = (of: (costs: Costs, node: number) => number): Change => {
    const side = (k: 0 | 1) =>
      Float64Array.from(diff.nodes[k], (node) => {
        const costs = both[k];
        return node < 0 || !costs ? 0 : of(costs, node);
      });
    return { before: side(0), after: side(1), interval: null };
  };
  const value = (list: Float64Array[], metric: number, node: number) => list[metric]?.[node] ?? 0;
  return {
    maximum: change((costs, node) => value(costs.maximum, 1, node)),
    balance: change((costs, node) => {
      const most = value(costs.maximum, 1, node);
      return most > 0 ? value(costs.average, 1, node) / most : 1;
    }),
    time: change((costs, node) => value(costs.maximum, 0, node) + value(costs.maximum, 1, node)),
  };
}

function signed(of: number, say: (of: number) => string): string {
  return of === 0 ? "0" : `${of > 0 ? "+" : "-"}${say(Math.abs(of))}`;
}

function tree(diff: Diff, closed: Set<number>, keep: ((row: number) => boolean) | null) {
  const children: number[][] = Array.from({ length: diff.count }, () => []);
  const kept = new Uint8Array(diff.count).fill(keep ? 0 : 1);
  for (let row = 0; row < diff.count; row++) {
    const above = diff.above[row] ?? -1;
    if (above >= 0) children[above]?.push(row);
    if (keep?.(row)) for (let at = row; at >= 0 && !kept[at]; at = diff.above[at] ?? -1) kept[at] = 1;
  }
  const nodes: number[] = [];
  const depth: number[] = [];
  const roots = Array.from({ length: diff.count }, (_, row) => row).filter((row) => (diff.above[row] ?? -1) < 0);
  const stack: [number, number][] = roots.reverse().map((row) => [row, 0]);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [row, level] = next;
    if (!kept[row] && level > 0) continue;
    nodes.push(row);
    depth.push(level);
    if (closed.has(row)) continue;
    const below = children[row] ?? [];
    for (let k = below.length - 1; k >= 0; k--) stack.push([below[k] ?? 0, level + 1]);
  }
  return { nodes, depth, children };
}

/** Calls back for each block of the icicle. */
function blocks(
  change: Change,
  children: number[][],
  each: (row: number, x: number, width: number, depth: number) => void,
) {
  const weight = (row: number) => Math.max(change.before[row] ?? 0, change.after[row] ?? 0);
  const stack: [number, number, number, number][] = [[0, 0, 1, 0]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [row, x, width, depth] = next;
    each(row, x, width, depth);
    if (depth > 11) continue;
    const below = children[row] ?? [];
    const sum = below.reduce((total, child) => total + weight(child), 0);
    const whole = Math.max(weight(row), sum);
    if (!(whole > 0)) continue;
    let left = x;
    for (const child of below) {
      const own = (width * weight(child)) / whole;
      if (own > 3e-4) stack.push([child, left, own, depth + 1]);
      left += own;
    }
  }
}

function under(change: Change, children: number[][], x: number, level: number): number {
  let found = -1;
  blocks(change, children, (row, left, width, depth) => {
    if (depth === level && x >= left && x < left + width) found = row;
  });
  return found;
}

function icicle(
  pen: Pen,
  size: Size,
  colours: Palette,
  diff: Diff,
  change: Change,
  children: number[][],
  share: (row: number) => number,
  selected: number,
) {
  blocks(change, children, (row, left, part, depth) => {
    const [x, width, y] = [left * size.width, part * size.width, depth * ROW];
    if (y > size.height) return;
    const onlyOne = (diff.nodes[0][row] ?? -1) < 0 || (diff.nodes[1][row] ?? -1) < 0;
    pen.polygon(
      [x, y, x + width, y, x + width, y + ROW - 1, x, y + ROW - 1],
      { color: colours.diverging(share(row)) },
      {
        color: row === selected ? colours.accent : colours.edge,
        width: row === selected ? 3 : 1,
        ...(onlyOne ? { dash: [4, 3] } : {}),
      },
    );
    const [a, b] = [change.before[row] ?? 0, change.after[row] ?? 0];
    const percent =
      a > 0 ? ` ${b >= a ? "+" : "-"}${Math.abs(Math.round((100 * (b - a)) / a))} %` : b > 0 ? " new" : "";
    const text = `${shown(diff.labels[row] ?? "")}${percent}`;
    const letters = Math.floor((width - 8) / 6.6);
    if (letters < 3) return;
    const all = [...text];
    const said = all.length > letters ? `${all.slice(0, letters - 1).join("")}…` : text;
    pen.within({ left: x, top: y, width: width - 2, height: ROW }, () =>
      pen.text(x + 4, y + 15, said, { color: colours.ink, size: 12, anchor: "start" }),
    );
  });
}
