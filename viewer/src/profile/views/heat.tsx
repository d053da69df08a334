// Heat map: a metric of each processor in each superstep.

import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { Pen } from "../../plots/pen";
import { percent } from "../../shell/numbers";
import { type Column, DataTable } from "../../shell/table";
import { shown } from "../../shell/text";
import { superstepValues, termsOf } from "../data/profile";
import type { Palette } from "../palette";
import { axisBelow, axisBeside, cellTicks, inside, shareOf } from "../parts/axes";
import type { Entry } from "../parts/legend";
import { Picture, type Size } from "../parts/picture";
import { nodeLabel, type Scene, superstepRange } from "../scene";
import { runName, value } from "../words";
import { drawMatrix, matrixScale } from "./matrix";
import { NoSupersteps, RangeTools, stepWord, zoomKey } from "./supersteps";
import { columnTicks, superstepName } from "./timeline";

export function Heat({ scene }: { scene: Scene }) {
  const { profile, state, set } = scene;
  const steps = profile.supersteps;
  const { metric } = state;
  const name = termsOf(profile).metrics[metric];
  const word = stepWord(scene);
  const { processors } = profile.head;
  const [values, setValues] = useState<Float32Array | null>(null);
  useEffect(() => {
    setValues(null);
    if (!steps) return;
    let current = true;
    void superstepValues(profile, metric).then((found) => current && setValues(found));
    return () => {
      current = false;
    };
  }, [profile, metric]);
  const { from, to } = superstepRange(scene);
  const count = to - from + 1;
  const sums = useMemo(() => {
    const found = new Float64Array(processors);
    if (values) {
      for (let k = from; k <= to; k++) {
        for (let i = 0; i < processors; i++) {
          const own = values[k * processors + i] ?? 0;
          if (own > 0) found[i]! += own;
        }
      }
    }
    return found;
  }, [values, from, to]);
  const order = useMemo(() => {
    const all = Array.from({ length: processors }, (_, k) => k);
    return state.sorted ? all.sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0) || a - b) : all;
  }, [sums, state.sorted]);
  const largest = useMemo(() => {
    let most = 0;
    if (values)
      for (let k = from * processors; k < (to + 1) * processors; k++)
        if ((values[k] ?? 0) > most) most = values[k] ?? 0;
    return most;
  }, [values, from, to]);
  const [cell, setCell] = useState<{ step: number; row: number } | null>(null);
  const draw = useCallback(
    (pen: Pen, size: Size, colours: Palette, context: CanvasRenderingContext2D | null) => {
      if (!values || !steps) return;
      const area = inside(size);
      drawMatrix(pen, area, colours, context, {
        columns: count,
        rows: processors,
        value: (column, row) => values[(from + column) * processors + (order[row] ?? 0)] ?? Number.NaN,
        largest,
        cursor: cell ? { column: cell.step - from, row: cell.row } : null,
      });
      axisBelow(pen, area, columnTicks(steps, from, to, area.width), colours);
      axisBeside(
        pen,
        area,
        { title: "processor", ticks: cellTicks(processors, area.height, (row) => String(order[row] ?? 0), 0, true) },
        colours,
        true,
      );
    },
    [values, order, from, to, largest, cell],
  );
  if (!steps) return <NoSupersteps scene={scene} />;
  const at = (x: number, y: number, size: Size) => {
    const { left, top, width, height } = inside(size);
    return {
      step: from + Math.floor(shareOf(x, left, width) * count),
      row: Math.floor(shareOf(y, top, height) * processors),
    };
  };
  const say = (): string => {
    if (!values) return "The processors are being read …";
    if (!cell || cell.step < from || cell.step > to)
      return `${value(scene, metric, largest)} at most. Drag over ${word}s to zoom.`;
    const processor = order[cell.row] ?? 0;
    const own = values[cell.step * processors + processor] ?? Number.NaN;
    const node = steps.node[cell.step] ?? -1;
    const place = node >= 0 ? ` (${shown(nodeLabel(scene, node))})` : "";
    const said = Number.isNaN(own) ? "not in its machine" : value(scene, metric, own);
    return `processor ${processor}, ${superstepName(steps, cell.step)}${place}: ${said}.`;
  };
  const key = (event: KeyboardEvent): boolean => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (by) {
      const now = cell ?? { step: from, row: 0 };
      setCell({
        step: Math.max(from, Math.min(to, now.step + (by[0] ?? 0))),
        row: Math.max(0, Math.min(processors - 1, now.row + (by[1] ?? 0))),
      });
      return true;
    }
    if (event.key === "Enter" && cell) {
      select();
      return true;
    }
    return zoomKey(scene, event.key, cell?.step ?? -1);
  };
  const select = (place = cell) => {
    if (!place) return;
    const node = steps.node[place.step] ?? -1;
    const processor = order[place.row] ?? 0;
    set({ processors: { from: processor, to: processor }, ...(node >= 0 ? { node } : {}) });
  };
  const legend: Entry[] = [
    matrixScale(name, value(scene, metric, largest)),
    ...(steps.slice
      ? []
      : [
          {
            kind: "sign" as const,
            color: (colours: Palette) => colours.line,
            text: "not in the machine of the superstep",
          },
        ]),
  ];
  const total = sums.reduce((a, b) => a + b, 0);
  const columns: Column[] = [
    { title: "processor", numeric: true, value: (k) => k, text: String },
    { title: name, numeric: true, value: (k) => sums[k] ?? 0, text: (k) => value(scene, metric, sums[k] ?? 0) },
    {
      title: "share",
      numeric: true,
      value: (k) => sums[k] ?? 0,
      text: (k) => percent(total > 0 ? (sums[k] ?? 0) / total : 0),
    },
  ];
  return (
    <div class="stacked">
      <div class="tools">
        <button type="button" class="toggle" aria-pressed={state.sorted} onClick={() => set({ sorted: !state.sorted })}>
          sorted
        </button>
        <RangeTools scene={scene} />
        <span class="faint">{name}, as measured</span>
      </div>
      <Picture
        label={`Heat map of ${name}: ${word}s ${from} to ${to} to the right, ${processors} processors downwards`}
        name={`${profile.head.name}-heat`}
        run={runName(scene)}
        legend={legend}
        draw={draw}
        height={Math.max(170, Math.min(490, processors * 18 + 39))}
        readout={say()}
        onPoint={(x, y, size) => setCell(at(x, y, size))}
        onPress={(x, y, size) => select(at(x, y, size))}
        onRange={(a, b, size) => set({ supersteps: { from: at(a, 0, size).step, to: at(b, 0, size).step } })}
        onKey={key}
      />
      <DataTable label={`Sum of the shown ${word}s by processor, ${name}`} columns={columns} rows={processors} />
    </div>
  );
}
