// Supersteps, or slices of time: what each was made of, and on demand each processor.

import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { Pen } from "../../plots/pen";
import { range } from "../../shell/numbers";
import { type Column, DataTable } from "../../shell/table";
import { shown } from "../../shell/text";
import { type Supersteps, superstepValues, termsOf } from "../data/profile";
import type { Palette } from "../palette";
import { type Axis, axisBelow, axisBeside, cellTicks, inside, shareOf, valueAxis } from "../parts/axes";
import type { Entry } from "../parts/legend";
import { Picture, type Size } from "../parts/picture";
import { nodeLabel, type Scene, superstepRange } from "../scene";
import { balance, runName, value } from "../words";
import { Phases } from "./phases";
import { NoSupersteps, RangeTools, stepWord, zoomKey } from "./supersteps";

/** Rows of processors in the chart. */
const MOST_ROWS = 64;
/** Computation, communication, waiting: the order from the ground up. */
const STACK = [0, 1, 2] as const;
const WORDS = ["computation", "communication", "waiting"];

export function Timeline({ scene }: { scene: Scene }) {
  const { profile, state, set } = scene;
  const steps = profile.supersteps;
  const [each, setEach] = useState(state.processors !== null);
  const [pointed, point] = useState(-1);
  const [values, setValues] = useState<Float32Array[] | null>(null);
  useEffect(() => {
    setValues(null);
    if (!each || !steps) return;
    let current = true;
    void Promise.all(STACK.map((metric) => superstepValues(profile, metric))).then((found) => {
      if (current) setValues(found);
    });
    return () => {
      current = false;
    };
  }, [each, profile]);
  const { from, to } = superstepRange(scene);
  const starts = useMemo(() => (steps ? startsOf(steps) : new Float64Array()), [steps]);
  const rows = useMemo(() => {
    const { processors } = profile.head;
    const chosen = state.processors ?? { from: 0, to: processors - 1 };
    const last = Math.min(chosen.to, processors - 1, chosen.from + MOST_ROWS - 1);
    return Array.from({ length: Math.max(0, last - chosen.from + 1) }, (_, k) => chosen.from + k);
  }, [profile, state.processors]);
  const draw = useCallback(
    (pen: Pen, size: Size, colours: Palette) => {
      if (steps) stacked(pen, size, steps, from, to, state.node, pointed, colours);
    },
    [steps, from, to, state.node, pointed],
  );
  const drawRows = useCallback(
    (pen: Pen, size: Size, colours: Palette) => {
      if (steps && values) gantt(pen, size, starts, values, rows, profile.head.processors, from, to, colours);
    },
    [steps, starts, values, rows, from, to],
  );
  if (!steps) return <NoSupersteps scene={scene} />;
  const at = (x: number, size: Size) => {
    const { left, width } = inside(size);
    return from + Math.floor(shareOf(x, left, width) * (to - from + 1));
  };
  const say = (step: number): string => {
    const node = steps.node[step] ?? -1;
    const place = node >= 0 ? shown(nodeLabel(scene, node)) : steps.slice ? "nothing" : "several cost centres";
    const parts = STACK.map((metric) => {
      const [a, b, c] = [steps.maximum, steps.average, steps.minimum].map((list) => list[metric]?.[step] ?? 0);
      return `${WORDS[metric]} ${value(scene, metric, a ?? 0)} ${balance(a ?? 0, b ?? 0, c ?? 0)}`;
    });
    const h = steps.maximum[3]?.[step] ?? 0;
    return `${superstepName(steps, step)}, ${steps.slice ? "mostly " : ""}${place}: ${parts.join(", ")}, ${termsOf(profile).short[3]} ${value(scene, 3, h)}`;
  };
  const choose = (step: number) => {
    point(step);
    const node = steps.node[step] ?? -1;
    if (node >= 0) set({ node });
  };
  const key = (event: KeyboardEvent): boolean => {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const now = pointed < from || pointed > to ? from - 1 : pointed;
      choose(Math.max(from, Math.min(to, now + (event.key === "ArrowLeft" ? -1 : 1))));
      return true;
    }
    return zoomKey(scene, event.key, pointed);
  };
  return (
    <div class="stacked">
      <div class="tools">
        <button type="button" class="toggle" aria-pressed={each} onClick={() => setEach(!each)}>
          each processor
        </button>
        <RangeTools scene={scene} />
      </div>
      <Picture
        label={`${steps.slice ? "Slices" : "Supersteps"} ${from} to ${to}: average computation, communication and waiting of each, stacked`}
        name={`${profile.head.name}-${stepWord(scene)}s`}
        run={runName(scene)}
        legend={[
          ...SIGNS,
          { kind: "sign", color: (colours) => colours.accent, text: `below: ${stepWord(scene)}s of the selected node` },
        ]}
        draw={draw}
        height={each ? 200 : 320}
        readout={
          pointed >= from && pointed <= to
            ? say(pointed)
            : `Average of the processors. Drag over ${stepWord(scene)}s to zoom.`
        }
        onPoint={(x, _, size) => point(at(x, size))}
        onPress={(x, _, size) => choose(at(x, size))}
        onRange={(a, b, size) => set({ supersteps: { from: at(a, size), to: at(b, size) } })}
        onKey={key}
      />
      {each && (
        <Picture
          label={`Processors ${rows[0] ?? 0} to ${rows[rows.length - 1] ?? 0} over time`}
          name={`${profile.head.name}-processors`}
          run={runName(scene)}
          notes={[reading(steps)]}
          legend={[...SIGNS, { kind: "sign", color: (colours) => colours.ground, text: gap(steps) }]}
          draw={drawRows}
          height={Math.max(140, Math.min(540, rows.length * 16 + 39))}
          readout={
            values
              ? `A row for each of ${rows.length} of ${profile.head.processors} processors. ${reading(steps)}`
              : "The processors are being read …"
          }
          onRange={(a, b, size) => {
            const { left, width } = inside(size);
            const time = (x: number) =>
              (starts[from] ?? 0) + shareOf(x, left, width) * ((starts[to + 1] ?? 0) - (starts[from] ?? 0));
            const step = (t: number) => Math.max(from, Math.min(to, search(starts, t)));
            set({ supersteps: { from: step(time(a)), to: step(time(b)) } });
          }}
          onKey={key}
        />
      )}
      {steps.slice ? (
        <Phases scene={scene} steps={steps} from={from} to={to} />
      ) : (
        <SuperstepTable scene={scene} steps={steps} from={from} to={to} />
      )}
    </div>
  );
}

const SIGNS: Entry[] = STACK.map((metric) => ({
  kind: "sign",
  color: (colours) => colours.metrics[metric] ?? colours.ink,
  text: WORDS[metric] ?? "",
}));

/** How rows of processors are read. */
function reading(steps: Supersteps): string {
  return steps.slice
    ? "What a processor did in a slice is drawn in the order computation, waiting, communication."
    : "Time is that of the supersteps' average lengths, one after the other.";
}

/** What nothing is drawn for in rows of processors. */
function gap(steps: Supersteps): string {
  return steps.slice
    ? "nothing is drawn: not in the log"
    : "nothing is drawn: shorter than the average, or not in the machine of the superstep";
}

/** The axis of columns: numbers of supersteps, or time. */
export function columnTicks(steps: Supersteps, from: number, to: number, length: number): Axis {
  if (steps.slice) return valueAxis("time", from * steps.slice, (to + 1) * steps.slice, "s", Math.max(2, length / 90));
  const before = new Float64Array(steps.count + 1);
  for (let k = 0; k < steps.count; k++) before[k + 1] = (before[k] ?? 0) + (steps.supersteps[k] ?? 1);
  return { title: "superstep", ticks: cellTicks(to - from + 1, length, (k) => String(before[from + k] ?? 0), from) };
}

/** `superstep 5`, `supersteps 8 to 11`, counted from 0; `10 ms to 20 ms` of slices. */
export function superstepName(steps: Supersteps, column: number): string {
  if (steps.slice) return range(column * steps.slice, (column + 1) * steps.slice, "s");
  if (steps.perColumn === 1) return `superstep ${column}`;
  let before = 0;
  for (let k = 0; k < column; k++) before += steps.supersteps[k] ?? 0;
  const count = steps.supersteps[column] ?? 1;
  return count === 1 ? `superstep ${before}` : `supersteps ${before} to ${before + count - 1}`;
}

/** When each began, if each had its average length, or that of a slice; one more: the end. */
function startsOf(steps: Supersteps): Float64Array {
  const starts = new Float64Array(steps.count + 1);
  for (let k = 0; k < steps.count; k++) {
    const length = STACK.reduce<number>((sum, metric) => sum + Math.max(0, steps.average[metric]?.[k] ?? 0), 0);
    starts[k + 1] = (starts[k] ?? 0) + (steps.slice ?? length);
  }
  return starts;
}

/** The last place whose value is not above. */
function search(starts: Float64Array, time: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= time) low = middle;
    else high = middle;
  }
  return low;
}

const corners = (x: number, y: number, w: number, h: number) => [x, y, x + w, y, x + w, y + h, x, y + h];

function stacked(
  pen: Pen,
  size: Size,
  steps: Supersteps,
  from: number,
  to: number,
  selected: number,
  pointed: number,
  colours: Palette,
) {
  const count = to - from + 1;
  const area = inside(size);
  const bottom = area.top + area.height;
  const bins = Math.min(count, Math.max(1, Math.floor(area.width)));
  const sums = STACK.map(() => new Float64Array(bins));
  const marked = new Uint8Array(bins);
  for (let k = 0; k < count; k++) {
    const bin = Math.floor((k * bins) / count);
    const share = bins / count;
    STACK.forEach((metric) => {
      sums[metric]![bin]! += Math.max(0, steps.average[metric]?.[from + k] ?? 0) * Math.min(1, share);
    });
    if (steps.node[from + k] === selected) marked[bin] = 1;
  }
  let highest = 0;
  for (let bin = 0; bin < bins; bin++)
    highest = Math.max(
      highest,
      STACK.reduce<number>((sum, metric) => sum + (sums[metric]?.[bin] ?? 0), 0),
    );
  const width = area.width / bins;
  const scale = highest > 0 ? (area.height - 6) / highest : 0;
  for (let bin = 0; bin < bins; bin++) {
    let y = bottom;
    // Whole pixels, or edges would be shades.
    const edge = (at: number) => area.left + at * width;
    const [x, next] = width > 3 ? [edge(bin), edge(bin + 1) - 1] : [Math.round(edge(bin)), Math.round(edge(bin + 1))];
    for (const metric of STACK) {
      const h = (sums[metric]?.[bin] ?? 0) * scale;
      if (h <= 0) continue;
      y -= h;
      pen.polygon(corners(x, y, next - x, h), { color: colours.metrics[metric] ?? colours.ink });
    }
    if (marked[bin]) pen.polygon(corners(edge(bin), bottom + 1, Math.max(1, width - 1), 4), { color: colours.accent });
  }
  if (pointed >= from && pointed <= to) {
    const x = area.left + ((pointed - from + 0.5) / count) * area.width;
    pen.line([x, area.top, x, bottom], { color: colours.ink, width: 1.5, dash: [4, 3] });
  }
  // The highest stack is below the end of the axis.
  const high = scale > 0 ? area.height / scale : 0;
  axisBeside(pen, area, valueAxis("average", 0, high, "s", area.height / 40), colours, false);
  axisBelow(pen, area, columnTicks(steps, from, to, area.width), colours);
}

function gantt(
  pen: Pen,
  size: Size,
  starts: Float64Array,
  values: Float32Array[],
  rows: number[],
  processors: number,
  from: number,
  to: number,
  colours: Palette,
) {
  const begin = starts[from] ?? 0;
  const whole = (starts[to + 1] ?? 0) - begin;
  if (!(whole > 0)) return;
  const area = inside(size);
  const height = area.height / Math.max(1, rows.length);
  const x = (time: number) => area.left + ((time - begin) / whole) * area.width;
  rows.forEach((processor, row) => {
    const y = area.top + row * height;
    let until = -1;
    let pending = [0, 0, 0];
    for (let k = from; k <= to; k++) {
      let time = starts[k] ?? 0;
      const end = x(starts[k + 1] ?? time);
      const own = STACK.map((metric) => values[metric]?.[k * processors + processor] ?? Number.NaN);
      if (own.some(Number.isNaN)) continue;
      if (end - x(time) < 0.5) {
        // Many in one pixel: what they are most of.
        pending = pending.map((sum, m) => sum + Math.max(0, own[m] ?? 0));
        if (Math.floor(end) === until) continue;
        until = Math.floor(end);
        const most = pending.indexOf(Math.max(...pending));
        pen.polygon(corners(until, y + 1, 1, height - 2), { color: colours.metrics[most] ?? colours.ink });
        pending = [0, 0, 0];
        continue;
      }
      // In the order in which it happens: computation, waiting, communication.
      for (const metric of [0, 2, 1]) {
        const next = time + Math.max(0, own[metric] ?? 0);
        const [a, b] = [x(time), Math.min(x(next), area.left + area.width)];
        if (b > a)
          pen.polygon(corners(a, y + 1, b - a, Math.max(1, height - 2)), {
            color: colours.metrics[metric] ?? colours.ink,
          });
        time = next;
      }
    }
  });
  axisBeside(
    pen,
    area,
    {
      title: "processor",
      ticks: cellTicks(rows.length, area.height, (row) => String(rows[row] ?? 0), rows[0] ?? 0, true),
    },
    colours,
    true,
  );
  axisBelow(pen, area, valueAxis("time", begin, begin + whole, "s", area.width / 90), colours);
}

function SuperstepTable({ scene, steps, from, to }: { scene: Scene; steps: Supersteps; from: number; to: number }) {
  const columns: Column[] = useMemo(() => {
    const metric = (index: 0 | 1 | 2 | 3, title: string): Column => ({
      title,
      numeric: true,
      value: (row) => steps.maximum[index]?.[from + row] ?? 0,
      text: (row) => {
        const [a = 0, b = 0, c = 0] = [steps.maximum, steps.average, steps.minimum].map(
          (list) => list[index]?.[from + row] ?? 0,
        );
        return `${value(scene, index, a)} ${balance(a, b, c)}`;
      },
    });
    const place = (row: number) => {
      const node = steps.node[from + row] ?? -1;
      return node >= 0 ? shown(nodeLabel(scene, node)) : "several";
    };
    return [
      {
        title: "superstep",
        numeric: true,
        value: (row) => row,
        text: (row) => superstepName(steps, from + row).replace(/^\w+ /, ""),
      },
      { title: "cost centre", numeric: false, value: place, text: place },
      metric(0, "computation"),
      metric(1, "communication"),
      metric(2, "idle"),
      metric(3, "h-relation"),
    ];
  }, [steps, from, scene.state.words]);
  return (
    <DataTable
      label="Supersteps: maximum (average% | minimum%) over the processors"
      columns={columns}
      rows={to - from + 1}
    />
  );
}
