// Errors of the model against every variable, also those that the formula does not use.

import { useMemo } from "preact/hooks";
import type { ChartSpec } from "../plots/chart";
import { look } from "../plots/colours";
import { Panel } from "../plots/panel";
import { mark } from "../plots/pen";
import { kindOf, room } from "../plots/scale";
import { number, percent } from "../shell/numbers";
import { shown } from "../shell/text";
import type { ExperimentModel, Fit, Residual } from "./data";

/** What errors are shown against. */
interface Against {
  title: string;
  unit: string;
  note: string;
  value: (residual: Residual, index: number) => number;
}

export function Residuals({ model, fit }: { model: ExperimentModel; fit: Fit }) {
  const all = useMemo(() => against(model, fit), [model, fit]);
  const parts = fit.splits?.length ? "regions" : "intervals";
  return (
    <div class="part">
      <h3>
        Residuals<span class="remark">error = (measured − model)/measured; shapes: {parts}</span>
      </h3>
      <div class="panels">
        {all.map((one) => (
          <OneVariable fit={fit} name={model.name} against={one} />
        ))}
      </div>
    </div>
  );
}

/** Every recorded variable that varies, the order of the axis, and the model's own value. */
function against(model: ExperimentModel, fit: Fit): Against[] {
  const variables = fit.recorded.map((name, column): Against => {
    const used = fit.variables.includes(name);
    return {
      title: shown(name),
      unit: "",
      note: used ? "" : "not in the formula",
      value: (residual) => residual.values[column] ?? Number.NaN,
    };
  });
  const varies = ({ value }: Against) => new Set(fit.residuals.map((residual, k) => value(residual, k))).size > 1;
  const own: Against = {
    title: "model",
    unit: model.unit,
    note: "the fitted value",
    value: (residual) => residual.fitted,
  };
  return [...variables.filter(varies), own];
}

function OneVariable(props: { fit: Fit; name: string; against: Against }) {
  const { fit, name, against } = props;
  const points = useMemo(
    () =>
      fit.residuals
        .map((residual, k) => ({ residual, x: against.value(residual, k), y: 100 * residual.error }))
        .filter(({ residual, x, y }) => residual.excluded === null && Number.isFinite(x + y)),
    [fit, against],
  );
  const spec = useMemo((): Omit<ChartSpec, "hover" | "zoomed"> => {
    const kind = kindOf(points.map((point) => point.x));
    const largest = points.reduce((most, { y }) => Math.max(most, Math.abs(y)), 1e-9);
    return {
      height: 190,
      x: {
        title: against.title,
        unit: against.unit,
        kind,
        full: room(
          points.map((p) => p.x),
          kind,
        ),
      },
      y: { title: "error", unit: "%", kind: "linear", full: room([-largest, largest], "linear") },
      draw: (pen, frame, palette) => {
        const right = frame.left + frame.width;
        pen.line([frame.left, frame.y(0), right, frame.y(0)], { color: palette.faint, width: 1 });
        const radius = points.length > 200 ? 2 : 3;
        for (const { residual, x, y } of points) {
          const { hue, shape } = look(residual.interval);
          const fill = { color: palette.series[hue] ?? palette.ink };
          const edge = { color: palette.ground, width: 0.8 };
          mark(pen, shape, frame.x(x), frame.y(y), radius, fill, edge);
        }
      },
    };
  }, [points, against]);
  const title = against.note ? `${against.title}, ${against.note}` : against.title;
  return (
    <Panel
      title={`against ${title}`}
      label={`Errors of ${shown(name)} against ${title}. Arrow keys go from point to point.`}
      spec={spec}
      places={points.map(({ x, y }) => [x, y])}
      words={(index) => {
        const point = points[index];
        if (!point) return "";
        const values = fit.recorded.map((variable, k) => {
          const value = point.residual.values[k];
          return `${shown(variable)} = ${value == null ? "?" : number(value)}`;
        });
        return `${values.join(", ")}: ${percent(point.residual.error)}`;
      }}
    />
  );
}
