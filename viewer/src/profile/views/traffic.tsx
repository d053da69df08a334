// Who sent how much to whom.

import { useCallback, useMemo, useState } from "preact/hooks";
import type { Pen } from "../../plots/pen";
import { number, percent } from "../../shell/numbers";
import { type Column, DataTable } from "../../shell/table";
import type { Palette } from "../palette";
import { axisBelow, axisBeside, cellTicks, inside, shareOf } from "../parts/axes";
import { Picture, type Size } from "../parts/picture";
import type { Scene } from "../scene";
import { runName, value } from "../words";
import { drawMatrix, matrixScale } from "./matrix";
import { NoSupersteps } from "./supersteps";

export function Traffic({ scene }: { scene: Scene }) {
  const { profile, set } = scene;
  const steps = profile.supersteps;
  const [cell, setCell] = useState<{ from: number; to: number } | null>(null);
  const side = steps?.side ?? 0;
  const bytes = steps?.traffic ?? new Float64Array();
  const largest = useMemo(() => bytes.reduce((a, b) => Math.max(a, b), 0), [bytes]);
  const total = useMemo(() => bytes.reduce((a, b) => a + b, 0), [bytes]);
  const pairs = useMemo(() => {
    const found: number[] = [];
    for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) > 0) found.push(at);
    return found.sort((a, b) => (bytes[b] ?? 0) - (bytes[a] ?? 0) || a - b);
  }, [bytes]);
  const draw = useCallback(
    (pen: Pen, size: Size, colours: Palette, context: CanvasRenderingContext2D | null) => {
      const area = inside(size);
      drawMatrix(pen, area, colours, context, {
        columns: side,
        rows: side,
        value: (column, row) => bytes[row * side + column] ?? 0,
        largest,
        cursor: cell && { column: cell.to, row: cell.from },
      });
      const ticks = (length: number, down: boolean) =>
        cellTicks(side, length, (group) => String(group * (steps?.group ?? 1)), 0, down);
      axisBelow(pen, area, { title: "to processor", ticks: ticks(area.width, false) }, colours);
      axisBeside(pen, area, { title: "from processor", ticks: ticks(area.height, true) }, colours, true);
    },
    [bytes, side, largest, cell],
  );
  if (!steps) return <NoSupersteps scene={scene} />;
  const name = (group: number) => {
    const { processors } = profile.head;
    const [from, to] = [group * steps.group, Math.min(processors, (group + 1) * steps.group) - 1];
    return from === to ? String(from) : `${from} to ${to}`;
  };
  const at = (x: number, y: number, size: Size) => {
    const { left, top, width, height } = inside(size);
    return { from: Math.floor(shareOf(y, top, height) * side), to: Math.floor(shareOf(x, left, width) * side) };
  };
  const choose = (place: { from: number; to: number }) => {
    const first = place.from * steps.group;
    set({ processors: { from: first, to: Math.min(profile.head.processors, first + steps.group) - 1 } });
  };
  const columns: Column[] = [
    {
      title: "from",
      numeric: true,
      value: (k) => Math.floor((pairs[k] ?? 0) / side),
      text: (k) => name(Math.floor((pairs[k] ?? 0) / side)),
    },
    { title: "to", numeric: true, value: (k) => (pairs[k] ?? 0) % side, text: (k) => name((pairs[k] ?? 0) % side) },
    {
      title: "sent",
      numeric: true,
      value: (k) => bytes[pairs[k] ?? 0] ?? 0,
      text: (k) => value(scene, 3, bytes[pairs[k] ?? 0] ?? 0),
    },
    {
      title: "share",
      numeric: true,
      value: (k) => bytes[pairs[k] ?? 0] ?? 0,
      text: (k) => percent(total > 0 ? (bytes[pairs[k] ?? 0] ?? 0) / total : 0),
    },
  ];
  const said = cell
    ? `from ${name(cell.from)} to ${name(cell.to)}: ${value(scene, 3, bytes[cell.from * side + cell.to] ?? 0)}`
    : `${value(scene, 3, total)} in all, between ${number(pairs.length)} pairs.`;
  return (
    <div class="stacked">
      <div class="tools">
        <span class="faint">
          Rows send to columns; the whole program, without what a processor keeps for itself.
          {steps.group > 1 && ` ${steps.group} consecutive processors are one row: the page has no room for each.`}
        </span>
      </div>
      <div class="square">
        <Picture
          label={`Communication matrix: ${side} rows send to ${side} columns`}
          name={`${profile.head.name}-communication`}
          run={runName(scene)}
          legend={[matrixScale("sent", value(scene, 3, largest))]}
          draw={draw}
          height={460}
          readout={said}
          onPoint={(x, y, size) => setCell(at(x, y, size))}
          onPress={(x, y, size) => choose(at(x, y, size))}
          onKey={(event) => {
            const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
            if (by) {
              const now = cell ?? { from: 0, to: 0 };
              const within = (value: number) => Math.max(0, Math.min(side - 1, value));
              setCell({ from: within(now.from + (by[0] ?? 0)), to: within(now.to + (by[1] ?? 0)) });
              return true;
            }
            if (event.key !== "Enter" || !cell) return false;
            choose(cell);
            return true;
          }}
        />
        <DataTable label="Pairs of processors, those with most bytes first" columns={columns} rows={pairs.length} />
      </div>
    </div>
  );
}
