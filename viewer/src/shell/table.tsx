// A table of any length: sorted by its columns, and of its rows only those that are seen are there.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { MOST_PRINTED, restOf, usePrinting } from "./printing";

/** A column; numbers are sorted as numbers. */
export interface Column {
  title: string;
  numeric: boolean;
  /** What a row is sorted by. */
  value: (row: number) => number | string;
  /** What is shown. */
  text: (row: number) => string;
}

interface Props {
  label: string;
  columns: Column[];
  rows: number;
}

/** Height of a row in CSS pixels; the style sheet says the same. */
const ROW = 30;
/** Rows beyond the edges, so that scrolling shows no hole. */
const MARGIN = 10;

interface Order {
  column: number;
  down: boolean;
}

export function DataTable({ label, columns, rows }: Props) {
  const [order, setOrder] = useState<Order | null>(null);
  const [first, setFirst] = useState(0);
  const [height, setHeight] = useState(400);
  const box = useRef<HTMLDivElement>(null);
  const sorted = useMemo(() => sort(columns, rows, order), [columns, rows, order]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const printing = usePrinting();
  const from = printing ? 0 : Math.max(0, Math.min(first - MARGIN, rows));
  const to = printing ? Math.min(rows, MOST_PRINTED) : Math.min(rows, first + Math.ceil(height / ROW) + MARGIN);
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);
  const by = (column: number) => setOrder((old) => ({ column, down: old?.column === column && !old.down }));

  return (
    <div
      class="scroll tall"
      role="group"
      aria-label={label}
      tabIndex={0}
      ref={box}
      onScroll={(event) => setFirst(Math.floor(event.currentTarget.scrollTop / ROW))}
    >
      <table class="long" aria-rowcount={rows + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column, k) => {
              const own = order?.column === k;
              const sign = !own ? "↕" : order.down ? "↓" : "↑";
              const direction = !own ? "none" : order.down ? "descending" : "ascending";
              return (
                <th scope="col" class={column.numeric ? "num" : "left"} aria-sort={direction}>
                  <button type="button" onClick={() => by(k)}>
                    <bdi>{column.title}</bdi> <span aria-hidden="true">{sign}</span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {from > 0 && <Space height={from * ROW} columns={columns.length} />}
          {shown.map((position) => {
            const row = sorted[position] ?? 0;
            return (
              <tr key={position} aria-rowindex={position + 2}>
                {columns.map((column) => (
                  <td class={column.numeric ? "num" : "left"}>
                    <bdi>{column.text(row)}</bdi>
                  </td>
                ))}
              </tr>
            );
          })}
          {to < rows && !printing && <Space height={(rows - to) * ROW} columns={columns.length} />}
        </tbody>
      </table>
      {printing && <p class="faint">{restOf(rows)}</p>}
    </div>
  );
}

/** Stands for rows that are not there. */
function Space({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden="true" class="space">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  );
}

/** Rows in their order; equal ones stay as they were. */
function sort(columns: Column[], rows: number, order: Order | null): Uint32Array {
  const indices = Uint32Array.from({ length: rows }, (_, k) => k);
  const column = order && columns[order.column];
  if (!order || !column) return indices;
  const sign = order.down ? -1 : 1;
  if (column.numeric) {
    const keys = Float64Array.from(indices, (row) => Number(column.value(row)));
    // What is no number comes last.
    const rank = (row: number) => {
      const key = keys[row] ?? Number.NaN;
      return Number.isNaN(key) ? Number.POSITIVE_INFINITY : sign * key;
    };
    return indices.sort((a, b) => compare(rank(a), rank(b)) || a - b);
  }
  const keys = Array.from(indices, (row) => String(column.value(row)));
  return indices.sort((a, b) => sign * compare(keys[a] ?? "", keys[b] ?? "") || a - b);
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
