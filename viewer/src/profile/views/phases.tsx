// Phases of a run without supersteps: slices of time one after the other that most time went to the same call path in.

import { useMemo } from "preact/hooks";
import { percent, quantity } from "../../shell/numbers";
import { type Column, DataTable } from "../../shell/table";
import { shown } from "../../shell/text";
import type { Supersteps } from "../data/profile";
import { nodeLabel, type Scene } from "../scene";
import { value } from "../words";

interface Phase {
  from: number;
  to: number;
  node: number;
}

/** Those of a range of slices. */
export function phasesOf(steps: Supersteps, from: number, to: number): Phase[] {
  const found: Phase[] = [];
  for (let k = from; k <= to; k++) {
    const node = steps.node[k] ?? -1;
    const last = found[found.length - 1];
    if (last && last.node === node) last.to = k;
    else found.push({ from: k, to: k, node });
  }
  return found;
}

export function Phases({ scene, steps, from, to }: { scene: Scene; steps: Supersteps; from: number; to: number }) {
  const width = steps.slice ?? 0;
  const phases = useMemo(() => phasesOf(steps, from, to), [steps, from, to]);
  const columns: Column[] = useMemo(() => {
    const of = (row: number) => phases[row] as Phase;
    const sum = (row: number, metric: number) => {
      let total = 0;
      for (let k = of(row).from; k <= of(row).to; k++) total += steps.average[metric]?.[k] ?? 0;
      return total;
    };
    const length = (row: number) => (of(row).to - of(row).from + 1) * width;
    const part = (title: string, metric: number): Column => ({
      title,
      numeric: true,
      value: (row) => sum(row, metric),
      text: (row) => `${quantity(sum(row, metric), "s")} (${percent(sum(row, metric) / length(row))})`,
    });
    const place = (row: number) => (of(row).node >= 0 ? shown(nodeLabel(scene, of(row).node)) : "nothing");
    return [
      {
        title: "from",
        numeric: true,
        value: (row) => of(row).from,
        text: (row) => quantity(of(row).from * width, "s"),
      },
      { title: "length", numeric: true, value: length, text: (row) => quantity(length(row), "s") },
      { title: "mostly", numeric: false, value: place, text: place },
      part("computation", 0),
      part("communication", 1),
      part("waiting", 2),
      { title: "bytes", numeric: true, value: (row) => sum(row, 3), text: (row) => value(scene, 3, sum(row, 3)) },
    ];
  }, [phases, scene.state.words]);
  return (
    <DataTable
      label={`Phases, averages of the ranks; slices of ${quantity(width, "s")}`}
      columns={columns}
      rows={phases.length}
    />
  );
}
