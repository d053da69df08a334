// The plot of an experiment: choice of the variable, of slices, of axes; hover, zoom, keys.

import { useMemo, useState } from "preact/hooks";
import type { ChartSpec } from "../plots/chart";
import { ReadingButtons, ReadingView, useReading } from "../plots/reading";
import type { Kind } from "../plots/scale";
import { download } from "../shell/download";
import { shown } from "../shell/text";
import { axisOf, useAxis } from "./axis";
import {
  type ExperimentData,
  type ExperimentModel,
  type Fit,
  observable,
  samplesOf,
  type View,
} from "./data";
import { Key, Slices, Toggle } from "./controls";
import { across, draw, scene, upward } from "./scene";
import { ofMarker, ofPoint } from "./words";

interface Props {
  model: ExperimentModel;
  fit: Fit;
  data: ExperimentData;
}

export function ExperimentPlot({ model, fit, data }: Props) {
  const doubtful = !data.measurable;
  const [axis, setAxis] = useAxis(data);
  const { along, kind: xKind, chosen } = axis;
  const view = data.views[along] as View;
  const [yKind, setY] = useState<Kind>(view.y_scale);
  const [raw, showRaw] = useState(data.samples !== null);

  const shownScene = useMemo(
    () => scene(fit, view, model.unit, chosen, raw ? samplesOf(data) : null, doubtful),
    [fit, view, model.unit, chosen, raw, data, doubtful],
  );
  const positive = shownScene.points.every((p) => p.x > 0);
  const above = shownScene.points.some((p) => p.residual.measured > 0);

  const { points, markers } = shownScene;
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
    height: 420,
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
            <select
              value={String(along)}
              onChange={(event) => turn(Number(event.currentTarget.value))}
            >
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
        <Toggle
          on={yKind !== "linear"}
          set={(on) => setY(on ? "log" : "linear")}
          disabled={!above}
        >
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
      <ReadingView reading={reading} label={`${shown(model.name)}: ${shown(observable(model))} over ${shown(view.x)}`} />
      <Key view={view} scene={shownScene} raw={raw && data.samples !== null} />
      {view.notes.map((note) => (
        <p class="faint">{note}</p>
      ))}
    </figure>
  );
}
