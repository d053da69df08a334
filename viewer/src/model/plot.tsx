// The plot of an experiment: choice of the variable, of slices, of axes; hover, zoom, keys.

import { useMemo, useState } from "preact/hooks";
import type { ChartSpec } from "../plots/chart";
import { ReadingButtons, ReadingView, useReading } from "../plots/reading";
import type { Kind } from "../plots/scale";
import { download } from "../shell/download";
import { shown } from "../shell/text";
import { type Asked, curveThrough, isDrawn, useAsked } from "./asked";
import { axisOf, useAxis } from "./axis";
import { Key, Slices, Toggle } from "./controls";
import { type ExperimentData, type ExperimentModel, type Fit, observable, samplesOf, type View } from "./data";
import { type AskedPlace, across, draw, type Scene, scene, upward } from "./scene";
import { placeOf } from "./sentence";
import { ofMarker, ofPoint } from "./words";

/** What stands above and below the drawing on the first screen, in CSS pixels. */
const ABOVE = 470;

interface Props {
  model: ExperimentModel;
  fit: Fit;
  data: ExperimentData;
}

export function ExperimentPlot({ model, fit, data }: Props) {
  const doubtful = !data.measurable;
  // On the first screen there is less room in a low window.
  const height = useMemo(() => Math.min(420, Math.max(260, innerHeight - ABOVE)), []);
  const [axis, setAxis] = useAxis(data);
  const { along, kind: xKind, chosen } = axis;
  const view = data.views[along] as View;
  const [yKind, setY] = useState<Kind>(view.y_scale);
  const [raw, showRaw] = useState(data.samples !== null);

  const [asked] = useAsked(data);
  const still = useMemo(
    () => scene(fit, view, model.unit, chosen, raw ? samplesOf(data) : null, doubtful),
    [fit, view, model.unit, chosen, raw, data, doubtful],
  );
  const shownScene = useMemo(() => (asked ? withAsked(still, asked) : still), [still, asked]);
  const positive = shownScene.points.every((p) => p.x > 0);
  const above = shownScene.points.some((p) => p.residual.measured > 0);

  const { points } = shownScene;
  const own = shownScene.asked?.marker;
  const markers = own ? [...shownScene.markers, own] : shownScene.markers;
  const places = useMemo(
    () => [
      ...points.map((point) => [point.x, point.residual.measured] as const),
      ...markers.map((marker) => [marker.x, marker.y] as const),
    ],
    [shownScene],
  );
  const words = (index: number) => {
    const [point, marker] = [points[index], markers[index - points.length]];
    return point ? ofPoint(point, fit, model.unit) : marker ? ofMarker(marker, model.unit, doubtful) : "";
  };

  const spec: Omit<ChartSpec, "hover" | "zoomed"> = {
    height,
    x: { title: shown(view.x || "point"), unit: "", kind: xKind, full: across(shownScene, xKind) },
    y: {
      title: shown(observable(model)),
      unit: model.unit,
      kind: yKind,
      full: upward(shownScene, yKind),
    },
    draw: (pen, frame, palette) => draw(pen, frame, palette, shownScene),
  };
  const reading = useReading(spec, places, words, [shownScene, xKind, yKind]);

  const turn = (index: number) => {
    const next = data.views[index] as View;
    setAxis(axisOf(next, index));
    setY(next.y_scale);
  };
  const file = () => {
    const doubt = doubtful ? ["Not measurable now: no number here can be trusted."] : [];
    const notes = [shown(fit.formula.text), ...doubt, ...view.notes];
    const text = reading.chart.current?.svg(shown(model.name), notes) ?? "";
    download(`${model.name}-${view.x}.svg`, "image/svg+xml", text);
  };
  const ratios = view.x_scale === "binary" ? "binary" : "log";

  return (
    <figure class="plot">
      <div class="controls" role="group" aria-label={`Plot of ${shown(model.name)}`}>
        {data.views.length > 1 && (
          <label>
            along{" "}
            <select value={String(along)} onChange={(event) => turn(Number(event.currentTarget.value))}>
              {data.views.map((one, k) => (
                <option value={String(k)}>{shown(one.x)}</option>
              ))}
            </select>
          </label>
        )}
        <Toggle
          on={xKind !== "linear"}
          set={(on) => setAxis({ ...axis, kind: on ? ratios : "linear" })}
          disabled={!positive}
        >
          log x
        </Toggle>
        <Toggle on={yKind !== "linear"} set={(on) => setY(on ? "log" : "linear")} disabled={!above}>
          log y
        </Toggle>
        {data.samples && (
          <Toggle on={raw} set={showRaw}>
            samples
          </Toggle>
        )}
        <ReadingButtons reading={reading} file={file} />
      </div>
      {view.slices.length > 1 && (
        <Slices view={view} chosen={chosen} choose={(chosen) => setAxis({ ...axis, chosen })} />
      )}
      <ReadingView
        reading={reading}
        label={`${shown(model.name)}: ${shown(observable(model))} over ${shown(view.x)}`}
      />
      <Key view={view} scene={shownScene} raw={raw && data.samples !== null} />
      {view.notes.map((note) => (
        <p class="faint">{note}</p>
      ))}
    </figure>
  );
}

/** The scene with what is asked; a prediction of the page at the same place is not drawn twice. */
function withAsked(still: Scene, asked: Asked): Scene {
  const { view } = still;
  const x = asked.at.find(([name]) => name === view.x)?.[1];
  if (x === undefined) return still;
  const { value, low, high, domain, follows } = asked.prediction;
  const marker =
    value === null
      ? null
      : {
          x,
          y: value,
          band: low === null || high === null ? null : ([low, high] as [number, number]),
          label: placeOf(asked.at),
          series: -1,
          beyond: !follows && domain?.where !== "inside",
        };
  const isSame = (y: number) => value !== null && Math.abs(y - value) <= 1e-6 * Math.abs(value);
  const markers = still.markers.filter((other) => other.x !== x || !isSame(other.y));
  const place: AskedPlace = { x, marker, curve: null };
  const scene = { ...still, markers, asked: place };
  return { ...scene, asked: { ...place, curve: curveTo(scene, asked, x) } };
}

/** The model where no curve of the page shows it: beyond its ends, or everywhere for other values of other variables. */
function curveTo(scene: Scene, asked: Asked, x: number) {
  const { view, slices } = scene;
  if (!isDrawn(view, slices, asked)) {
    const { low, high } = across(scene, view.x_scale);
    return curveThrough(view, asked, low, high);
  }
  const places = slices.flatMap((index) => view.slices[index]?.curves ?? []).flatMap((curve) => curve.x);
  const low = places.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = places.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (x > high) return curveThrough(view, asked, high, x);
  return x < low ? curveThrough(view, asked, x, low) : null;
}
