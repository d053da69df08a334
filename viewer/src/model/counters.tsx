// What was counted beside the time, over the axis of the experiment's plot.

import { useMemo } from "preact/hooks";
import type { ChartSpec } from "../plots/chart";
import { look } from "../plots/colours";
import { Panel } from "../plots/panel";
import { mark } from "../plots/pen";
import { type Kind, kindOf, type Range, room } from "../plots/scale";
import { number, percent, quantity, range } from "../shell/numbers";
import { type Column, DataTable } from "../shell/table";
import { shown } from "../shell/text";
import { type Axis, useAxis } from "./axis";
import type { ExperimentData, ExperimentModel, View } from "./data";
import { across, scene, sliceOf } from "./scene";

type Values = (number | null)[];

/** A counter's medians, or misses per access. */
interface Counted {
  title: string;
  axis: { title: string; unit: string };
  points: CountedPoint[];
  /** A value in a table. */
  text: (value: number) => string;
}

interface CountedPoint {
  values: Values;
  y: number;
  /** The least and the most of the samples. */
  spread: [number, number];
  words: string;
}

/** What a panel shows: a point, where it stands, and the slice it is of. */
interface Place extends CountedPoint {
  x: number;
  slice: number;
}

interface Props {
  model: ExperimentModel;
  data: ExperimentData;
}

export function Counters({ model, data }: Props) {
  const [axis] = useAxis(data);
  const view = data.views[axis.along];
  const all = useMemo(() => counted(model), [model]);
  const names = model.variables ?? [];
  const x = view?.x ?? varying(names, all) ?? "";
  const across = useMemo(() => extent(model, view, axis, x, all), [model, view, axis, x, all]);
  return (
    <>
      <div class="panels counters">
        {all
          .filter((one) => one.points.length > 0)
          .map((one) => (
            <OneCounter {...{ model, view, axis, x, across }} counted={one} />
          ))}
      </div>
      <Table model={model} all={all} />
    </>
  );
}

/** Counters but the one that is fitted, and misses: those first, they are fewer. */
function counted(model: ExperimentModel): Counted[] {
  const shares = (model.misses ?? []).map(({ misses, accesses, points }): Counted => {
    const found = points.flatMap(({ values, share, time_s }): CountedPoint[] => {
      if (share == null) return [];
      const time = time_s == null ? "" : `, ${quantity(time_s, "s")}`;
      const words = `${percent(share)} of ${shown(accesses)}${time}`;
      return [{ values, y: 100 * share, spread: [100 * share, 100 * share], words }];
    });
    return {
      title: `${shown(misses)} per access`,
      axis: { title: "%", unit: "%" },
      points: found,
      text: (value) => percent(value / 100),
    };
  });
  const counters = (model.counters ?? []).filter(({ name }) => name !== model.observable);
  const medians = counters.map(({ name, unit, points }): Counted => {
    // Times and bytes have prefixes; the unit of a count is said once.
    const measured = unit === "s" || unit === "B";
    const found = points.flatMap(({ values, count, median, minimum, maximum }): CountedPoint[] => {
      if (median == null || minimum == null || maximum == null) return [];
      const once = quantity(median, shown(unit), 4);
      const often = `median of ${count}, ${range(minimum, maximum, measured ? unit : "")}`;
      const words = count > 1 ? `${once}, ${often}` : once;
      return [{ values, y: median, spread: [minimum, maximum], words }];
    });
    return {
      title: shown(name),
      axis: { title: measured ? "" : shown(unit), unit: measured ? unit : "" },
      points: found,
      text: (value) => quantity(value, shown(unit), 4),
    };
  });
  return [...shares, ...medians];
}

/** The first variable that has several values. */
function varying(names: string[], all: Counted[]): string | undefined {
  const points = all.flatMap((one) => one.points);
  return names.find((_, k) => new Set(points.map(({ values }) => values[k])).size > 1) ?? names[0];
}

/** The range of the experiment's plot, so that both can be compared. */
function extent(
  model: ExperimentModel,
  view: View | undefined,
  { kind, chosen }: Axis,
  x: string,
  all: Counted[],
): { kind: Kind; full: Range } {
  if (model.fit && view) {
    return { kind, full: across(scene(model.fit, view, model.unit, chosen, null, false), kind) };
  }
  const column = (model.variables ?? []).indexOf(x);
  const xs = all.flatMap((one) => one.points.map(({ values }) => values[column] ?? Number.NaN));
  const own = kindOf(xs.filter(Number.isFinite));
  return { kind: own, full: room(xs, own, 0.03) };
}

function OneCounter(props: {
  model: ExperimentModel;
  view: View | undefined;
  axis: Axis;
  x: string;
  across: { kind: Kind; full: Range };
  counted: Counted;
}) {
  const { model, view, axis, x, across, counted } = props;
  const names = model.variables ?? [];
  const places = useMemo(() => placed(counted.points, names, view, axis.chosen, x), [counted, view, axis, x]);
  const spec = useMemo((): Omit<ChartSpec, "hover" | "zoomed"> => {
    const kind = counted.axis.unit === "%" ? "linear" : kindOf(places.map(({ y }) => y));
    const ends = places.flatMap(({ spread }) => spread);
    // What is none everywhere stands at the foot.
    const some = ends.some((value) => value !== 0) ? ends : [1];
    // Shares are read by how far they are from none.
    const full = room(kind === "linear" ? [0, ...some] : ends, kind, 0.06);
    return {
      height: 190,
      x: { title: shown(x || "point"), unit: "", ...across },
      y: { ...counted.axis, kind, full },
      draw: (pen, frame, palette) => {
        for (const slice of new Set(places.map((place) => place.slice))) {
          const { hue, shape, dash } = look(slice);
          const color = palette.series[hue] ?? palette.ink;
          const own = places.filter((place) => place.slice === slice);
          const at = own.map((place) => [frame.x(place.x), frame.y(place.y)] as const);
          // Several points above each other are of variables that the formula does not have.
          if (new Set(own.map((place) => place.x)).size === own.length) {
            pen.line(at.filter(isPlace).flat(), { color, width: 1.2, dash, alpha: 0.55 });
          }
          const ranges = own.flatMap(({ spread: [low, high] }, k) => [
            at[k]?.[0] ?? 0,
            frame.y(low),
            at[k]?.[0] ?? 0,
            frame.y(high),
          ]);
          if (ranges.every(Number.isFinite)) pen.lines(ranges, { color, width: 1.2, alpha: 0.6 });
          const radius = own.length > 200 ? 2 : 3;
          for (const [left, top] of at) {
            mark(pen, shape, left, top, radius, { color }, { color: palette.ground, width: 0.8 });
          }
        }
      },
    };
  }, [places, across, counted, x]);
  return (
    <Panel
      title={counted.title}
      label={`${counted.title}, ${shown(model.name)}, over ${shown(x)}. Arrow keys go from point to point.`}
      spec={spec}
      places={places.map((place) => [place.x, place.y])}
      words={(index) => {
        const place = places[index];
        return place ? `${at(names, place.values)}: ${place.words}` : "";
      }}
    />
  );
}

/** The points of the slices that are shown, along x. */
function placed(points: CountedPoint[], names: string[], view: View | undefined, chosen: number[], x: string): Place[] {
  const column = names.indexOf(x);
  return points
    .flatMap((point, k): Place[] => {
      const slice = view ? sliceOf(view, chosen, names, point.values) : 0;
      // Without a variable points stand in their order.
      const at = column < 0 ? k + 1 : point.values[column];
      return slice === undefined || at == null ? [] : [{ ...point, x: at, slice }];
    })
    .sort((a, b) => a.x - b.x);
}

const isPlace = (place: readonly [number, number]) => place.every(Number.isFinite);

function at(names: string[], values: Values): string {
  const value = (k: number) => (values[k] == null ? "?" : number(values[k] as number));
  return names.map((name, k) => `${shown(name)} = ${value(k)}`).join(", ");
}

/** Every point with all that was counted there. */
function Table({ model, all }: { model: ExperimentModel; all: Counted[] }) {
  const names = model.variables ?? [];
  const { columns, rows } = useMemo(() => table(names, all), [model, all]);
  return <DataTable label={`Counters of ${shown(model.name)}`} columns={columns} rows={rows} />;
}

function table(names: string[], all: Counted[]): { columns: Column[]; rows: number } {
  const key = (values: Values) => JSON.stringify(values);
  const rows = new Map<string, Values>();
  for (const { points } of all) for (const { values } of points) rows.set(key(values), values);
  const sorted = [...rows.values()].sort((a, b) => {
    const k = names.findIndex((_, k) => a[k] !== b[k]);
    return k < 0 ? 0 : (a[k] ?? Number.NEGATIVE_INFINITY) - (b[k] ?? Number.NEGATIVE_INFINITY);
  });
  const variables = names.map(
    (name, k): Column => ({
      title: shown(name),
      numeric: true,
      value: (row) => sorted[row]?.[k] ?? Number.NaN,
      text: (row) => (sorted[row]?.[k] == null ? "?" : number(sorted[row]?.[k] as number)),
    }),
  );
  // What was never counted is told above.
  const there = all.filter(({ points }) => points.length > 0);
  const counted = there.map(({ title, points, text }): Column => {
    const values = new Map(points.map((point) => [key(point.values), point.y]));
    const value = (row: number) => values.get(key(sorted[row] ?? [])) ?? Number.NaN;
    return {
      title,
      numeric: true,
      value,
      text: (row) => (Number.isNaN(value(row)) ? "" : text(value(row))),
    };
  });
  return { columns: [...variables, ...counted], rows: sorted.length };
}
