// The points of a fit as a table of any length.

import { useMemo } from "preact/hooks";
import { number, percent, quantity } from "../shell/numbers";
import { type Column, DataTable } from "../shell/table";
import { shown } from "../shell/text";
import type { ExperimentModel, Fit, Residual } from "./data";

export function Points({ model, fit }: { model: ExperimentModel; fit: Fit }) {
  const columns = useMemo(() => columnsOf(model, fit), [model, fit]);
  return <DataTable label={`Points of ${shown(model.name)}`} columns={columns} rows={fit.residuals.length} />;
}

function columnsOf({ unit }: ExperimentModel, fit: Fit): Column[] {
  const at = (row: number) => fit.residuals[row] as Residual;
  const amount = (title: string, of: (residual: Residual) => number): Column => ({
    title,
    numeric: true,
    value: (row) => of(at(row)),
    text: (row) => quantity(of(at(row)), unit, 4),
  });
  return [
    ...fit.recorded.map(
      (name, k): Column => ({
        title: shown(name),
        numeric: true,
        value: (row) => at(row).values[k] ?? Number.NaN,
        text: (row) => number(at(row).values[k] ?? Number.NaN),
      }),
    ),
    amount("measured", (r) => r.measured),
    {
      title: "repetitions",
      numeric: true,
      value: (row) => at(row).spread.count,
      text: (row) => String(at(row).spread.count),
    },
    amount("least", (r) => r.spread.minimum),
    amount("most", (r) => r.spread.maximum),
    amount("model", (r) => r.fitted),
    {
      title: "error",
      numeric: true,
      value: (row) => (at(row).excluded ? Number.NaN : at(row).error),
      text: (row) => (at(row).excluded ? "left out" : percent(at(row).error)),
    },
  ];
}
