// The models of several experiments in one plot: measured points, curves, bands.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Chart, type ChartSpec } from "../plots/chart";
import type { Kind, Range } from "../plots/scale";
import { download } from "../shell/download";
import { onTheme } from "../shell/theme";
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

/** A pointer farther from a point than this, in pixels, does not mean it. */
const NEAR = 40;

export function Together({ all, doubtful }: { all: Fitted[]; doubtful: boolean }) {
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
  const [said, say] = useState("");
  const [zoomed, setZoomed] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const current = useRef(-1);

  const scenes = useMemo(
    () =>
      same.flatMap((one, k) => {
        const view = views[k];
        if (!view || hidden.includes(k)) return [];
        const own = only(view, chosen[`${k} ${along}`] ?? 0, k);
        return [{ one, scene: scene(one.fit, own, unit, [k], null, doubtful) }];
      }),
    [along, hidden, chosen, doubtful],
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

  const tell = (index: number) => {
    current.current = index;
    const found = points[index];
    chart.current?.point(found?.point.x ?? null, found?.point.residual.measured ?? null);
    say(found ? `${shown(found.one.model.name)}: ${ofPoint(found.point, found.one.fit, unit)}` : "");
  };
  const hover = (x: number | null, y: number | null) => {
    let best = -1;
    let least = NEAR * NEAR;
    points.forEach(({ point }, index) => {
      const place = chart.current?.place(point.x, point.residual.measured);
      if (!place || x === null || y === null) return;
      const distance = (place[0] - x) ** 2 + (place[1] - y) ** 2;
      if (distance < least) [least, best] = [distance, index];
    });
    tell(best);
  };
  const spec: ChartSpec = {
    height: 460,
    x: { title: shown(along || "point"), unit: "", kind: xKind, full: joined(scenes, (one) => across(one, xKind)) },
    y: {
      title: shown(same[0] ? observable(same[0].model) : ""),
      unit,
      kind: yKind,
      full: joined(scenes, (one) => upward(one, yKind)),
    },
    draw: (pen, frame, palette) => scenes.forEach((one) => draw(pen, frame, palette, one.scene)),
    hover,
    zoomed: setZoomed,
  };
  useLayoutEffect(() => {
    if (!box.current) return;
    current.current = -1;
    if (chart.current) chart.current.update(spec);
    else chart.current = new Chart(box.current, spec);
  }, [scenes, xKind, yKind]);
  useLayoutEffect(() => {
    const again = () => chart.current?.redraw();
    const observer = new ResizeObserver(again);
    if (box.current) observer.observe(box.current);
    const stop = onTheme(again);
    return () => {
      observer.disconnect();
      stop();
      chart.current?.destroy();
    };
  }, []);

  const keys = (event: KeyboardEvent) => {
    const step = (by: number) => tell(Math.min(points.length - 1, Math.max(0, current.current + by)));
    const actions: Record<string, () => void> = {
      ArrowRight: () => step(1),
      ArrowLeft: () => step(-1),
      "+": () => chart.current?.zoom(1.5),
      "-": () => chart.current?.zoom(1 / 1.5),
      "0": () => chart.current?.reset(),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
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
    download(`models-${along}.svg`, "image/svg+xml", chart.current?.svg(names.join(", "), []) ?? "");
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
        <span class="space" />
        <button type="button" disabled={!zoomed} onClick={() => chart.current?.reset()}>
          Show all
        </button>
        <button type="button" onClick={file}>
          SVG
        </button>
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
                <bdi>{shown(one.model.name)}</bdi>
              </label>
              {view && view.slices.length > 1 && (
                <select
                  aria-label={`Other variables of ${shown(one.model.name)}`}
                  value={String(chosen[`${k} ${along}`] ?? 0)}
                  onChange={(event) =>
                    setChosen({ ...chosen, [`${k} ${along}`]: Number(event.currentTarget.value) })
                  }
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
      <div
        class="canvas"
        ref={box}
        tabIndex={0}
        role="group"
        aria-roledescription="plot"
        aria-label={
          `All models over ${shown(along)}. ` +
          "Left and right arrows go from point to point, plus and minus zoom, 0 shows all."
        }
        onKeyDown={keys}
      />
      <p class="readout" role="status">
        {said || "Point at the plot to read it, drag to zoom, double-click to show all."}
      </p>
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
