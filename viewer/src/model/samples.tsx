// All samples as a table, and everything as files.

import { useMemo, useState } from "preact/hooks";
import { csv, download } from "../shell/download";
import { count, number, quantity } from "../shell/numbers";
import { type Column, DataTable } from "../shell/table";
import { shown } from "../shell/text";
import { type ExperimentModel, observable, type PageData, type Samples, samplesOf } from "./data";

export function Data({ data }: { data: PageData }) {
  const { model } = data;
  const [chosen, choose] = useState(() =>
    Math.max(
      0,
      data.experiments.findIndex((one) => one.samples !== null),
    ),
  );
  const experiment = model.experiments[chosen];
  const samples = data.experiments[chosen] ? samplesOf(data.experiments[chosen]) : null;
  const name = model.program?.name || "model";
  return (
    <>
      <div class="controls" role="group" aria-label="Data">
        {model.experiments.length > 1 && (
          <label>
            experiment{" "}
            <select value={String(chosen)} onChange={(event) => choose(Number(event.currentTarget.value))}>
              {model.experiments.map((one, k) => (
                <option value={String(k)}>{shown(one.name)}</option>
              ))}
            </select>
          </label>
        )}
        <span class="space" />
        {experiment && samples && (
          <button type="button" onClick={() => download(...sampleFile(experiment, samples))}>
            Samples, CSV
          </button>
        )}
        {experiment?.fit && (
          <button type="button" onClick={() => download(...pointFile(experiment))}>
            Points, CSV
          </button>
        )}
        <button
          type="button"
          onClick={() => download(`${name}.json`, "application/json", JSON.stringify(model, null, 1))}
        >
          Model, JSON
        </button>
      </div>
      {experiment && samples ? (
        <SampleTable experiment={experiment} samples={samples} />
      ) : (
        <p class="faint">There are no samples of this experiment in the page.</p>
      )}
    </>
  );
}

function SampleTable(props: { experiment: ExperimentModel; samples: Samples }) {
  const { experiment, samples } = props;
  const columns = useMemo(() => columnsOf(experiment, samples), [experiment, samples]);
  const kept = samples.values.length;
  const all = count(kept, "sample", "samples");
  return (
    <>
      <p class="faint">{kept < samples.measured ? `${all} of ${number(samples.measured)} measured` : all}</p>
      <DataTable label={`Samples of ${shown(experiment.name)}`} columns={columns} rows={kept} />
    </>
  );
}

function columnsOf(experiment: ExperimentModel, samples: Samples): Column[] {
  const value = (row: number, k: number) => samples.points[samples.point[row] ?? 0]?.[k] ?? Number.NaN;
  return [
    ...samples.variables.map(
      (name, k): Column => ({
        title: shown(name),
        numeric: true,
        value: (row) => value(row, k),
        text: (row) => number(value(row, k)),
      }),
    ),
    {
      title: "sample",
      numeric: true,
      value: (row) => samples.order[row] ?? 0,
      text: (row) => String((samples.order[row] ?? 0) + 1),
    },
    {
      title: shown(observable(experiment)),
      numeric: true,
      value: (row) => samples.values[row] ?? Number.NaN,
      text: (row) => quantity(samples.values[row] ?? Number.NaN, experiment.unit, 5),
    },
  ];
}

type File = [name: string, type: string, pieces: string[]];

function sampleFile(experiment: ExperimentModel, samples: Samples): File {
  const head = [...samples.variables, `${observable(experiment)}_${experiment.unit}`];
  // Numbers of 32 bits have seven digits.
  const single = samples.values instanceof Float32Array;
  function* rows() {
    for (let k = 0; k < samples.values.length; k++) {
      const values = samples.points[samples.point[k] ?? 0] ?? [];
      const sample = samples.values[k] ?? Number.NaN;
      yield [...values.map((v) => v ?? ""), single ? Number(sample.toPrecision(7)) : sample];
    }
  }
  return [`${experiment.name}-samples.csv`, "text/csv", csv(head, rows())];
}

function pointFile({ name, unit, fit }: ExperimentModel): File {
  const residuals = fit?.residuals ?? [];
  const of = (what: string) => `${what}_${unit}`;
  const head = [
    ...(fit?.recorded ?? []),
    of("measured"),
    "repetitions",
    of("minimum"),
    of("lower_quartile"),
    of("median"),
    of("upper_quartile"),
    of("maximum"),
    of("model"),
    "error",
    "left_out",
  ];
  const rows = residuals.map((r) => [
    ...r.values.map((v) => v ?? ""),
    r.measured,
    r.spread.count,
    r.spread.minimum,
    r.spread.lower_quartile,
    r.spread.median,
    r.spread.upper_quartile,
    r.spread.maximum,
    r.fitted,
    r.error,
    r.excluded ?? "",
  ]);
  return [`${name}-points.csv`, "text/csv", csv(head, rows)];
}
