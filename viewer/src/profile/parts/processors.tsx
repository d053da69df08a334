// What each processor has of the metric at the selected node: bars, pie for few, box plot and heat strip for many.

import { useCallback, useMemo, useState } from "preact/hooks";
import type { Area, Pen } from "../../plots/pen";
import { percent } from "../../shell/numbers";
import { type Column, DataTable } from "../../shell/table";
import { shown } from "../../shell/text";
import { isByCalls, labelOf, type Metric, termsOf } from "../data/profile";
import { eachProcessor, steadiness } from "../data/ranks";
import type { Palette } from "../palette";
import type { Scene } from "../scene";
import { runName, value } from "../words";
import { axisBelow, axisBeside, cellTicks, inside, shareOf, valueAxis } from "./axes";
import { Picture, type Size } from "./picture";

/** Of more processors there are no bars. */
const MOST_BARS = 96;
/** Of more there is no pie. */
const MOST_SLICES = 24;

export function Processors({ scene }: { scene: Scene }) {
  const { profile, state, set, price } = scene;
  const { metric, node } = state;
  const { metrics: names } = termsOf(profile);
  const [pie, setPie] = useState(false);
  const { each, quantiles } = useMemo(
    () => eachProcessor(profile, scene.each, profile.tree, node, metric, price),
    [profile, scene.each, node, metric, price],
  );
  const order = useMemo(() => {
    const indices = Array.from({ length: each?.length ?? 0 }, (_, k) => k);
    if (state.sorted && each) indices.sort((a, b) => (each[b] ?? 0) - (each[a] ?? 0) || a - b);
    return indices;
  }, [each, state.sorted]);
  const [pointed, point] = useState(-1);
  const largest = each ? each.reduce((a, b) => Math.max(a, b), 0) : (quantiles?.[4] ?? 0);
  const maximum = scene.costs.maximum[metric]?.[node] ?? 0;
  const sum = each ? each.reduce((a, b) => a + b, 0) : 0;
  const asPie = pie && order.length <= MOST_SLICES;
  const chosen = state.processors;
  const isChosen = (processor: number) => chosen !== null && processor >= chosen.from && processor <= chosen.to;
  const inWords = profile.head.h_unit === 4 || state.words;
  const unit = metric !== 3 ? "s" : inWords ? "words" : "B";
  const divisor = metric === 3 && inWords && profile.head.h_unit === 1 ? 4 : 1;
  const draw = useCallback(
    (pen: Pen, size: Size, colours: Palette) => {
      if (asPie && each) return slices(pen, size, each, order, sum, isChosen, colours);
      const area = inside(size);
      const by = (about: number) => valueAxis(names[metric], 0, largest / divisor, unit, about);
      if (each && order.length <= MOST_BARS) {
        bars(pen, area, each, order, largest, isChosen, colours);
        axisBeside(pen, area, by(area.height / 30), colours, false);
        axisBelow(
          pen,
          area,
          { title: "processor", ticks: cellTicks(order.length, area.width, (k) => String(order[k] ?? 0)) },
          colours,
        );
        return;
      }
      if (each) strip(pen, area, each, order, largest, colours);
      else if (quantiles) box(pen, area, quantiles, largest, colours);
      axisBelow(pen, area, by(area.width / 70), colours);
    },
    [each, quantiles, order, asPie, largest, chosen, metric, unit, divisor],
  );
  const under = (x: number, size: Size) => {
    const { left, width } = inside(size);
    return order[Math.floor(shareOf(x, left, width) * order.length)] ?? -1;
  };
  const press = (x: number, size: Size, event?: MouseEvent) => {
    const processor = asPie ? -1 : under(x, size);
    if (processor < 0) return;
    const from = event?.shiftKey && chosen ? Math.min(chosen.from, processor) : processor;
    const to = event?.shiftKey && chosen ? Math.max(chosen.to, processor) : processor;
    const same = chosen?.from === from && chosen.to === to;
    set({ processors: same ? null : { from, to } });
  };
  const r = steadiness(profile, scene.each, profile.tree, scene.costs, node, metric, price);
  const columns: Column[] = useMemo(() => {
    const last = profile.tree.row[node] ?? -1;
    const { processors } = profile.head;
    return [
      { title: "processor", numeric: true, value: (k) => k, text: String },
      {
        title: names[metric],
        numeric: true,
        value: (k) => each?.[k] ?? 0,
        text: (k) => value(scene, metric, each?.[k] ?? 0),
      },
      {
        title: "share",
        numeric: true,
        value: (k) => each?.[k] ?? 0,
        text: (k) => percent(sum === 0 ? 0 : (each?.[k] ?? 0) / sum),
      },
      ...(profile.head.source.source === "oxford" || isByCalls(profile)
        ? []
        : [
            {
              title: "last",
              numeric: true,
              value: (k: number) => scene.each?.last[last * processors + k] ?? 0,
              text: (k: number) => String(scene.each?.last[last * processors + k] ?? 0),
            },
          ]),
    ];
  }, [each, scene.state.words]);
  const known = pointed >= 0 && each ? `processor ${pointed}: ${value(scene, metric, each[pointed] ?? 0)}` : "";
  return (
    <section class="pane">
      <h2>Processors</h2>
      <div class="tools">
        <button type="button" class="toggle" aria-pressed={state.sorted} onClick={() => set({ sorted: !state.sorted })}>
          sorted
        </button>
        {order.length > 0 && order.length <= MOST_SLICES && (
          <button type="button" class="toggle" aria-pressed={pie} onClick={() => setPie(!pie)}>
            pie
          </button>
        )}
        {chosen && (
          <button type="button" onClick={() => set({ processors: null })}>
            all processors
          </button>
        )}
      </div>
      {each || quantiles ? (
        <Picture
          label={`${names[metric]} of each processor`}
          name="processors"
          run={`${runName(scene)}; ${shown(labelOf(profile, profile.tree, node))}`}
          draw={draw}
          height={150}
          readout={known || said(scene, metric, largest, maximum, r, quantiles !== null, order.length)}
          onPoint={(x, _, size) => point(asPie ? -1 : under(x, size))}
          onPress={(x, _, size, event) => press(x, size, event)}
          onKey={(event) => {
            if (!each || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return false;
            const now = chosen ? order.indexOf(chosen.from) : -1;
            const next =
              order[Math.max(0, Math.min(order.length - 1, now + (event.key === "ArrowLeft" ? -1 : 1)))] ?? 0;
            point(next);
            set({ processors: { from: next, to: next } });
            return true;
          }}
        />
      ) : (
        <p class="faint">
          {scene.each ? "The page does not have the processors of this node." : "The processors are being read …"}
        </p>
      )}
      {each && <DataTable label={`Processors, ${names[metric]}`} columns={columns} rows={each.length} />}
    </section>
  );
}

function said(
  scene: Scene,
  metric: Metric,
  largest: number,
  maximum: number,
  r: number,
  quantiles: boolean,
  count: number,
): string {
  const kind = quantiles
    ? "Only quantiles of this node are in the page (the nodes with the largest imbalance have every processor). "
    : count > MOST_BARS
      ? "Box plot, and below it a strip with a place for each processor. "
      : "";
  const less =
    largest < maximum * (1 - 1e-6)
      ? `, less than the maximum, ${value(scene, metric, maximum)}: it is not always the same processor`
      : "";
  const steady = Number.isNaN(r) || isByCalls(scene.profile) ? "" : `; R = ${r.toFixed(2)}`;
  return `${kind}Largest sum ${value(scene, metric, largest)}${less}${steady}.`;
}

const corners = (x: number, y: number, w: number, h: number) => [x, y, x + w, y, x + w, y + h, x, y + h];

function bars(
  pen: Pen,
  area: Area,
  each: Float64Array,
  order: number[],
  largest: number,
  chosen: (p: number) => boolean,
  colours: Palette,
) {
  const step = area.width / order.length;
  order.forEach((processor, k) => {
    const height = largest === 0 ? 0 : ((each[processor] ?? 0) / largest) * area.height;
    const [gap, w] = [step > 4 ? 1 : 0, step > 4 ? step - 2 : step];
    pen.polygon(
      corners(area.left + k * step + gap, area.top + area.height - height, w, Math.max(height, 0.5)),
      { color: colours.metrics[0] ?? colours.ink },
      chosen(processor) ? { color: colours.ink, width: 3 } : undefined,
    );
  });
}

function slices(
  pen: Pen,
  size: Size,
  each: Float64Array,
  order: number[],
  sum: number,
  chosen: (p: number) => boolean,
  colours: Palette,
) {
  const r = size.height / 2 - 6;
  const [x, y] = [size.width / 2, size.height / 2];
  let angle = -Math.PI / 2;
  order.forEach((processor, k) => {
    const turn = sum === 0 ? 0 : ((each[processor] ?? 0) / sum) * 2 * Math.PI;
    const places = [x, y];
    const steps = Math.max(2, Math.ceil(turn / 0.1));
    for (let s = 0; s <= steps; s++) {
      const a = angle + (turn * s) / steps;
      places.push(x + r * Math.cos(a), y + r * Math.sin(a));
    }
    pen.polygon(
      places,
      { color: colours.accent, alpha: 0.25 + 0.5 * ((k * 7) % 10) * 0.1 },
      { color: chosen(processor) ? colours.ink : colours.ground, width: chosen(processor) ? 3 : 1 },
    );
    if (turn > 0.16) {
      const middle = angle + turn / 2;
      pen.text(x + 0.72 * r * Math.cos(middle), y + 0.72 * r * Math.sin(middle) + 4, String(processor), {
        color: colours.ink,
        size: 11,
        anchor: "middle",
        halo: colours.ground,
      });
    }
    angle += turn;
  });
}

function box(pen: Pen, area: Area, quantiles: ArrayLike<number>, largest: number, colours: Palette) {
  const x = (value: number) => area.left + (largest === 0 ? 0 : (value / largest) * area.width);
  const [low = 0, q1 = 0, middle = 0, q3 = 0, high = 0] = Array.from(quantiles, x);
  const y = area.top + 20;
  pen.lines([low, y, q1, y, q3, y, high, y, low, y - 8, low, y + 8, high, y - 8, high, y + 8], {
    color: colours.ink,
    width: 1.5,
  });
  pen.polygon(
    corners(q1, y - 13, Math.max(1, q3 - q1), 26),
    { color: colours.raised },
    { color: colours.ink, width: 1.5 },
  );
  pen.line([middle, y - 13, middle, y + 13], { color: colours.ink, width: 3 });
}

function strip(pen: Pen, area: Area, each: Float64Array, order: number[], largest: number, colours: Palette) {
  const sorted = Array.from(each).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  box(pen, area, [0, 0.25, 0.5, 0.75, 1].map(at), largest, colours);
  const width = Math.max(1, Math.floor(area.width));
  for (let k = 0; k < width; k++) {
    let most = 0;
    const [from, to] = [
      Math.floor((k / width) * order.length),
      Math.max(Math.floor(((k + 1) / width) * order.length), 1),
    ];
    for (let i = from; i < Math.max(to, from + 1); i++) most = Math.max(most, each[order[i] ?? 0] ?? 0);
    pen.polygon(corners(area.left + k, area.top + 44, 1, area.height - 48), {
      color: colours.hot(largest === 0 ? 0 : most / largest),
    });
  }
}
