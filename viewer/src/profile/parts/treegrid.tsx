// A tree of any length in rows: of them only those that are seen are there. Arrow keys go through it.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MOST_PRINTED, restOf, usePrinting } from "../../shell/printing";

export interface GridColumn {
  title: string;
  /** The title where there is little room. */
  short?: string;
  hint?: string;
  numeric: boolean;
  /** It has two values. */
  wide?: boolean;
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
  /** The name alone, for the path of the selected row. */
  title: (node: number) => string;
  /** true open, false closed, null a leaf. */
  open: (node: number) => boolean | null;
  toggle: (node: number) => void;
  mark?: (node: number) => string;
  above: (node: number) => number;
  height?: number;
}

/** Height of a row, and of one with two lines. */
const [LOW, TALL] = [28, 40];
const MARGIN = 8;
const INDENT = 14;
/** The share of the column of names that indents take at most: deeper rows have their level as a number. */
const INDENTED = 0.4;
/** Widths of the column of names. */
const [NARROWEST, WIDEST] = [80, 1200];
/** Widths that a column of metrics, and of numbers, needs on one line. */
const [FIGURE, NUMBER] = [186, 96];
/** Levels that are indented on paper. */
const PRINTED = 10;
/** Names of a path that are written. */
const [FIRST, LAST] = [2, 4];

export function TreeGrid(props: Props) {
  const { nodes, depth, columns, selected, id } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(300);
  const [room, setRoom] = useState(1000);
  const [chosen, choose] = useState<number | null>(null);
  // Without room for one line a figure has two.
  const tall = columns.length > 5 && room < 256 + 2 * NUMBER + FIGURE * (columns.length - 2);
  const wide = chosen ?? (tall ? Math.max(130, Math.round(0.23 * room)) : 300);
  const ROW = tall ? TALL : LOW;
  const levels = Math.max(1, Math.floor((INDENTED * wide) / INDENT));
  const place = indexOf(nodes, selected);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      setHeight(element.clientHeight);
      setRoom(element.clientWidth);
    });
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
  }, [place, nodes, ROW]);

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
  const printing = usePrinting();
  if (printing) return <Printed {...props} />;
  return (
    <div class="tree">
      <p class="where" title={pathOf(props, selected).join(" > ")}>
        <bdi>{brief(pathOf(props, selected)).join(" > ")}</bdi>
      </p>
      <div
        class={tall ? "grid two" : "grid"}
        ref={box}
        role="treegrid"
        aria-label={props.label}
        aria-rowcount={nodes.length + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={seen ? `${id}-${selected}` : undefined}
        tabIndex={0}
        style={{
          "--name": `${wide}px`,
          "--row": `${ROW}px`,
          ...(props.height === undefined ? {} : { height: `${props.height}px` }),
        }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={key}
      >
        <div role="rowgroup" class="head">
          <div role="row" class="row" aria-rowindex={1}>
            <div role="columnheader" class="name">
              {props.name}
              <Grip label={`Width of ${props.name}`} wide={wide} choose={choose} />
            </div>
            {columns.map((column) => (
              <div
                role="columnheader"
                class={classOf(column)}
                title={[column.title, column.hint].filter(Boolean).join(": ")}
              >
                {(tall && column.short) || column.title}
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
                  <span class="indent" style={{ width: `${INDENT * Math.min(level, levels)}px` }} />
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
                  {level > levels && <span class="faint">{level} </span>}
                  {props.text(node)}
                </div>
                {columns.map((column) => {
                  const shade = column.shade?.(node) ?? null;
                  return (
                    <div role="gridcell" class={classOf(column)} style={shade ? { background: shade } : {}}>
                      {column.cell(node)}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function classOf({ numeric, wide }: GridColumn): string {
  return `cell${numeric ? " num" : ""}${wide ? " wide" : ""}`;
}

/** The rows as they are printed. */
function Printed({ name, label, columns, nodes, depth, text }: Props) {
  const rows = Array.from({ length: Math.min(nodes.length, MOST_PRINTED) }, (_, k) => k);
  return (
    <table class="printed">
      <caption>
        {label} {restOf(nodes.length)}
      </caption>
      <thead>
        <tr>
          <th>{name}</th>
          {columns.map(({ title, numeric }) => (
            <th class={numeric ? "num" : ""}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((at) => {
          const [node, level] = [nodes[at] ?? 0, depth[at] ?? 0];
          return (
            <tr>
              <td style={{ paddingLeft: `${8 * Math.min(level, PRINTED)}px` }}>
                {level > PRINTED && <span class="faint">{level} </span>}
                {text(node)}
              </td>
              {columns.map((column) => (
                <td class={column.numeric ? "num" : ""} style={{ background: column.shade?.(node) ?? "none" }}>
                  {column.cell(node)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The names from the root to a node. */
function pathOf({ above, title }: Props, node: number): string[] {
  const path: string[] = [];
  for (let at = node; at >= 0; at = above(at)) path.push(title(at));
  return path.reverse();
}

function brief(path: string[]): string[] {
  return path.length <= FIRST + LAST + 1 ? path : [...path.slice(0, FIRST), "…", ...path.slice(-LAST)];
}

/** The edge of the column of names, which is moved by the pointer and by arrow keys. */
function Grip({ label, wide, choose }: { label: string; wide: number; choose: (wide: number) => void }) {
  const from = useRef<{ x: number; wide: number } | null>(null);
  const to = (next: number) => choose(Math.max(NARROWEST, Math.min(WIDEST, Math.round(next))));
  return (
    <span
      class="grip"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={wide}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, wide };
      }}
      onPointerMove={(event) => from.current && to(from.current.wide + event.clientX - from.current.x)}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -20, ArrowRight: 20 }[event.key];
        if (!by) return;
        to(wide + by);
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

function indexOf(nodes: ArrayLike<number>, node: number): number {
  return nodes instanceof Int32Array ? nodes.indexOf(node) : Array.prototype.indexOf.call(nodes, node);
}
