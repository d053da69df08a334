// The plot of an experiment: choice of the variable, of slices, of axes; hover, zoom, keys.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Chart, type ChartSpec } from "../plots/chart";
import type { Kind } from "../plots/scale";
import { download } from "../shell/download";
import { onTheme } from "../shell/theme";
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
import { across, draw, type Scene, scene, upward } from "./scene";
import { ofMarker, ofPoint } from "./words";

interface Props {
  model: ExperimentModel;
  fit: Fit;
  data: ExperimentData;
  /** Whether no number can be trusted. */
  doubtful: boolean;
}

/** A pointer farther from a point than this, in pixels, does not mean it. */
const NEAR = 40;

export function ExperimentPlot({ model, fit, data, doubtful }: Props) {
  const [axis, setAxis] = useAxis(data);
  const { along, kind: xKind, chosen } = axis;
  const view = data.views[along] as View;
  const [yKind, setY] = useState<Kind>(view.y_scale);
  const [raw, showRaw] = useState(data.samples !== null);
  const [zoomed, setZoomed] = useState(false);
  const [said, say] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const current = useRef(-1);

  const shownScene = useMemo(
    () => scene(fit, view, model.unit, chosen, raw ? samplesOf(data) : null, doubtful),
    [fit, view, model.unit, chosen, raw, data, doubtful],
  );
  const positive = shownScene.points.every((p) => p.x > 0);
  const above = shownScene.points.some((p) => p.residual.measured > 0);

  const tell = (index: number) => {
    current.current = index;
    const point = shownScene.points[index];
    const marker = shownScene.markers[index - shownScene.points.length];
    if (point) {
      chart.current?.point(point.x, point.residual.measured);
      say(ofPoint(point, fit, model.unit));
    } else if (marker) {
      chart.current?.point(marker.x, marker.y);
      say(ofMarker(marker, model.unit, doubtful));
    } else {
      chart.current?.point(null, null);
      say("");
    }
  };

  const spec: ChartSpec = {
    height: 420,
    x: { title: shown(view.x || "point"), unit: "", kind: xKind, full: across(shownScene, xKind) },
    y: {
      title: shown(observable(model)),
      unit: model.unit,
      kind: yKind,
      full: upward(shownScene, yKind),
    },
    draw: (pen, frame, palette) => draw(pen, frame, palette, shownScene),
    hover: (x, y) => tell(x === null || y === null ? -1 : nearest(chart.current, shownScene, x, y)),
    zoomed: setZoomed,
  };

  useLayoutEffect(() => {
    if (!box.current) return;
    current.current = -1;
    if (chart.current) chart.current.update(spec);
    else chart.current = new Chart(box.current, spec);
  }, [shownScene, xKind, yKind]);

  useLayoutEffect(() => {
    const element = box.current;
    const again = () => chart.current?.redraw();
    let width = element?.clientWidth ?? 0;
    const observer = new ResizeObserver(() => {
      if (element && Math.abs(element.clientWidth - width) > 1) {
        width = element.clientWidth;
        again();
      }
    });
    if (element) observer.observe(element);
    const stop = onTheme(again);
    return () => {
      observer.disconnect();
      stop();
      chart.current?.destroy();
    };
  }, []);

  const keys = (event: KeyboardEvent) => {
    const all = shownScene.points.length + shownScene.markers.length;
    const step = (by: number) => tell(Math.min(all - 1, Math.max(0, current.current + by)));
    const actions: Record<string, () => void> = {
      ArrowRight: () => step(1),
      ArrowLeft: () => step(-1),
      Home: () => tell(0),
      End: () => tell(all - 1),
      "+": () => chart.current?.zoom(1.5),
      "=": () => chart.current?.zoom(1.5),
      "-": () => chart.current?.zoom(1 / 1.5),
      "0": () => chart.current?.reset(),
      Escape: () => chart.current?.reset(),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  const turn = (index: number) => {
    const next = data.views[index] as View;
    setAxis(axisOf(next, index));
    setY(next.y_scale);
  };
  const file = () => {
    const doubt = doubtful ? ["Not measurable now: no number here can be trusted."] : [];
    const notes = [shown(fit.formula.text), ...doubt, ...view.notes];
    const text = chart.current?.svg(shown(model.name), notes) ?? "";
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
        <span class="space" />
        <button type="button" onClick={() => chart.current?.zoom(1.5)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => chart.current?.zoom(1 / 1.5)} aria-label="Zoom out">
          −
        </button>
        <button type="button" disabled={!zoomed} onClick={() => chart.current?.reset()}>
          Show all
        </button>
        <button type="button" onClick={file}>
          SVG
        </button>
      </div>
      {view.slices.length > 1 && (
        <Slices view={view} chosen={chosen} choose={(chosen) => setAxis({ ...axis, chosen })} />
      )}
      <div
        class="canvas"
        ref={box}
        tabIndex={0}
        role="group"
        aria-roledescription="plot"
        aria-label={
          `${shown(model.name)}: ${shown(observable(model))} over ${shown(view.x)}. ` +
          "Left and right arrows go from point to point, plus and minus zoom, 0 shows all."
        }
        onKeyDown={keys}
      />
      <p class="readout" role="status">
        {said || "Point at the plot to read it, drag to zoom, double-click to show all."}
      </p>
      <Key view={view} scene={shownScene} raw={raw && data.samples !== null} />
      {view.notes.map((note) => (
        <p class="faint">{note}</p>
      ))}
    </figure>
  );
}

/** The point or prediction nearest to a place; -1 if none is near. */
function nearest(chart: Chart | null, { points, markers }: Scene, x: number, y: number): number {
  let best = -1;
  let least = NEAR * NEAR;
  const look = (index: number, at: number, value: number) => {
    const place = chart?.place(at, value);
    if (!place) return;
    const distance = (place[0] - x) ** 2 + (place[1] - y) ** 2;
    if (distance < least) {
      least = distance;
      best = index;
    }
  };
  points.forEach((point, k) => look(k, point.x, point.residual.measured));
  markers.forEach((marker, k) => look(points.length + k, marker.x, marker.y));
  return best;
}
