// The models of several experiments in one plot: measured points, curves, bands.

import { useMemo, useState } from "preact/hooks";
import type { ChartSpec } from "../plots/chart";
import { ReadingButtons, ReadingView, useReading } from "../plots/reading";
import type { Kind, Range } from "../plots/scale";
import { download } from "../shell/download";
import { shown } from "../shell/text";
import { Swatch, Toggle } from "./controls";
import { type ExperimentData, type ExperimentModel, type Fit, observable, type Slice, type View } from "./data";
import { across, draw, type Scene, scene, upward } from "./scene";
import { ofPoint } from "./words";

/** An experiment that has a fit. */
export interface Fitted {
  model: ExperimentModel;
  fit: Fit;
  data: ExperimentData;
}

export function Together({ all }: { all: Fitted[] }) {
  const unit = all[0]?.model.unit ?? "";
  const same = all.filter((one) => one.model.unit === unit);
  const variables = [...new Set(same.flatMap((one) => one.data.views.map((view) => view.x)))];
  const [along, setAlong] = useState(variables[0] ?? "");
  const views = same.map((one) => one.data.views.find((view) => view.x === along));
  const first = views.find((view) => view !== undefined);
  const [hidden, setHidden] = useState<number[]>([]);
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const [xKind, setX] = useState<Kind>(first?.x_scale ?? "linear");
  const [yKind, setY] = useState<Kind>(first?.y_scale ?? "linear");

  const scenes = useMemo(
    () =>
      same.flatMap((one, k) => {
        const view = views[k];
        if (!view || hidden.includes(k)) return [];
        const own = only(view, chosen[`${k} ${along}`] ?? 0, k);
        return [{ one, scene: scene(one.fit, own, unit, [k], null, !one.data.measurable) }];
      }),
    [along, hidden, chosen],
  );
  const points = useMemo(
    () =>
      scenes
        .flatMap(({ one, scene }) => scene.points.map((point) => ({ one, point })))
        .sort((a, b) => a.point.x - b.point.x),
    [scenes],
  );
  const positive = points.every(({ point }) => point.x > 0);
  const above = points.some(({ point }) => point.residual.measured > 0);

  const places = useMemo(() => points.map(({ point }) => [point.x, point.residual.measured] as const), [points]);
  const words = (index: number) => {
    const found = points[index];
    return found ? `${shown(found.one.model.name)}: ${ofPoint(found.point, found.one.fit, unit)}` : "";
  };
  const spec: Omit<ChartSpec, "hover" | "zoomed"> = {
    height: 460,
    x: { title: shown(along || "point"), unit: "", kind: xKind, full: joined(scenes, (one) => across(one, xKind)) },
    y: {
      title: shown(same[0] ? observable(same[0].model) : ""),
      unit,
      kind: yKind,
      full: joined(scenes, (one) => upward(one, yKind)),
    },
    draw: (pen, frame, palette) => scenes.forEach((one) => draw(pen, frame, palette, one.scene)),
  };
  const reading = useReading(spec, places, words, [scenes, xKind, yKind]);
  const turn = (next: string) => {
    const view = same.map((one) => one.data.views.find((one) => one.x === next)).find((one) => one);
    setAlong(next);
    if (view) {
      setX(view.x_scale);
      setY(view.y_scale);
    }
  };
  const show = (k: number, on: boolean) => setHidden(on ? hidden.filter((one) => one !== k) : [...hidden, k]);
  const file = () => {
    const names = scenes.map(({ one }) => shown(one.model.name));
    const doubtful = scenes.filter(({ one }) => !one.data.measurable).map(({ one }) => shown(one.model.name));
    const notes = doubtful.length > 0 ? [`Not measurable: no number of ${doubtful.join(", ")} can be trusted.`] : [];
    download(`models-${along}.svg`, "image/svg+xml", reading.chart.current?.svg(names.join(", "), notes) ?? "");
  };
  const others = all.filter((one) => one.model.unit !== unit);

  return (
    <figure class="plot">
      <div class="controls" role="group" aria-label="Plot of all models">
        {variables.length > 1 && (
          <label>
            x axis{" "}
            <select value={along} onChange={(event) => turn(event.currentTarget.value)}>
              {variables.map((name) => (
                <option value={name}>{shown(name)}</option>
              ))}
            </select>
          </label>
        )}
        <Toggle on={xKind !== "linear"} set={(on) => setX(on ? "log" : "linear")} disabled={!positive}>
          log x
        </Toggle>
        <Toggle on={yKind !== "linear"} set={(on) => setY(on ? "log" : "linear")} disabled={!above}>
          log y
        </Toggle>
        <ReadingButtons reading={reading} file={file} />
      </div>
      <fieldset class="slices">
        <legend class="visually-hidden">Models that are shown</legend>
        {same.map((one, k) => {
          const view = views[k];
          return (
            <span>
              <label>
                <input
                  type="checkbox"
                  checked={view !== undefined && !hidden.includes(k)}
                  disabled={view === undefined}
                  onChange={(event) => show(k, event.currentTarget.checked)}
                />
                <Swatch slice={k} />
                <bdi>
                  {one.data.measurable ? "" : "? "}
                  {shown(one.model.name)}
                </bdi>
              </label>
              {view && view.slices.length > 1 && (
                <select
                  aria-label={`Other variables of ${shown(one.model.name)}`}
                  value={String(chosen[`${k} ${along}`] ?? 0)}
                  onChange={(event) => setChosen({ ...chosen, [`${k} ${along}`]: Number(event.currentTarget.value) })}
                >
                  {view.slices.map((slice, index) => (
                    <option value={String(index)}>{shown(slice.label)}</option>
                  ))}
                </select>
              )}
            </span>
          );
        })}
      </fieldset>
      <ReadingView reading={reading} label={`All models over ${shown(along)}`} />
      {others.length > 0 && (
        <p class="faint">
          Not in this plot, because they have another unit: {others.map((one) => shown(one.model.name)).join(", ")}.
        </p>
      )}
    </figure>
  );
}

/** One slice of a view as number k: its look is that of the series. */
function only(view: View, slice: number, k: number): View {
  const slices: Slice[] = [];
  const found = view.slices[slice];
  if (found) slices[k] = found;
  return { ...view, slices, boundaries: [], references: [], markers: [] };
}

function joined(scenes: { scene: Scene }[], of: (scene: Scene) => Range): Range {
  const ranges = scenes.map((one) => of(one.scene));
  if (ranges.length === 0) return { low: 1, high: 10 };
  return { low: Math.min(...ranges.map((r) => r.low)), high: Math.max(...ranges.map((r) => r.high)) };
}
