// A tree of any length in rows: of them only those that are seen are there. Arrow keys go through it.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";

export interface GridColumn {
  title: string;
  hint?: string;
  numeric: boolean;
  cell: (node: number) => ComponentChildren;
  /** A shade behind the cell. */
  shade?: (node: number) => string | null;
}

interface Props {
  id: string;
  label: string;
  name: string;
  columns: GridColumn[];
  nodes: ArrayLike<number>;
  depth: ArrayLike<number>;
  selected: number;
  select: (node: number) => void;
  text: (node: number) => ComponentChildren;
  /** true open, false closed, null a leaf. */
  open: (node: number) => boolean | null;
  toggle: (node: number) => void;
  mark?: (node: number) => string;
  above: (node: number) => number;
  height?: number;
}

const ROW = 28;
const MARGIN = 8;
/** Levels that are indented. */
const INDENTED = 30;

export function TreeGrid(props: Props) {
  const { nodes, depth, columns, selected, id } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(300);
  const place = indexOf(nodes, selected);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || place < 0) return;
    const y = place * ROW;
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + 2 * ROW > element.scrollTop + element.clientHeight) {
      element.scrollTop = y + 2 * ROW - element.clientHeight;
    }
  }, [place, nodes]);

  const go = (to: number) => {
    const node = nodes[Math.max(0, Math.min(nodes.length - 1, to))];
    if (node !== undefined) props.select(node);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(height / ROW) - 2);
    const open = props.open(selected);
    switch (event.key) {
      case "ArrowDown":
        go(place + 1);
        break;
      case "ArrowUp":
        go(place - 1);
        break;
      case "PageDown":
        go(place + page);
        break;
      case "PageUp":
        go(place - page);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(nodes.length - 1);
        break;
      case "ArrowRight":
        if (open === false) props.toggle(selected);
        else if (open) go(place + 1);
        break;
      case "ArrowLeft":
        if (open) props.toggle(selected);
        else if (props.above(selected) >= 0) props.select(props.above(selected));
        break;
      case "Enter":
      case " ":
        if (open !== null) props.toggle(selected);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const from = Math.max(0, Math.min(Math.floor(top / ROW) - MARGIN, nodes.length - 1));
  const to = Math.min(nodes.length, Math.ceil((top + height) / ROW) + MARGIN);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);
  const seen = place >= from && place < to;
  return (
    <div
      class="grid"
      ref={box}
      role="treegrid"
      aria-label={props.label}
      aria-rowcount={nodes.length + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={seen ? `${id}-${selected}` : undefined}
      tabIndex={0}
      style={props.height === undefined ? {} : { height: `${props.height}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={key}
    >
      <div role="rowgroup" class="head">
        <div role="row" class="row" aria-rowindex={1}>
          <div role="columnheader" class="name">
            {props.name}
          </div>
          {columns.map((column) => (
            <div role="columnheader" class={column.numeric ? "cell num" : "cell"} title={column.hint ?? ""}>
              {column.title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="body" style={{ height: `${nodes.length * ROW}px` }}>
        {rows.map((at) => {
          const node = nodes[at] ?? 0;
          const level = depth[at] ?? 0;
          const open = props.open(node);
          return (
            <div
              key={node}
              id={`${id}-${node}`}
              role="row"
              class="row"
              aria-rowindex={at + 2}
              aria-level={level + 1}
              aria-selected={node === selected}
              {...(open === null ? {} : { "aria-expanded": open })}
              style={{ transform: `translateY(${at * ROW}px)` }}
              onClick={() => props.select(node)}
              onDblClick={() => open !== null && props.toggle(node)}
            >
              <div role="gridcell" class={`name ${props.mark?.(node) ?? ""}`}>
                <span class="indent" style={{ width: `${14 * Math.min(level, INDENTED)}px` }} />
                <span
                  class="fold"
                  aria-hidden="true"
                  onClick={(event) => {
                    event.stopPropagation();
                    if (open !== null) props.toggle(node);
                  }}
                >
                  {open === null ? "" : open ? "▾" : "▸"}
                </span>
                {level > INDENTED && <span class="faint">{level} </span>}
                {props.text(node)}
              </div>
              {columns.map((column) => {
                const shade = column.shade?.(node) ?? null;
                return (
                  <div
                    role="gridcell"
                    class={column.numeric ? "cell num" : "cell"}
                    style={shade ? { background: shade } : {}}
                  >
                    {column.cell(node)}
                  </div>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function indexOf(nodes: ArrayLike<number>, node: number): number {
  return nodes instanceof Int32Array ? nodes.indexOf(node) : Array.prototype.indexOf.call(nodes, node);
}
