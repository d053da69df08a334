// A drawing: canvas on the page, SVG as a file. What it shows is written beside it, so that it is decoration.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CanvasPen, type Pen, SvgPen } from "../../plots/pen";
import { download } from "../../shell/download";
import { PAPER, usePrinting } from "../../shell/printing";
import { onTheme } from "../../shell/theme";
import { type Palette, palette } from "../palette";
import { drawLegend, type Entry, Legend } from "./legend";

export interface Size {
  width: number;
  height: number;
}

export type Draw = (pen: Pen, size: Size, colours: Palette, context: CanvasRenderingContext2D | null) => void;

interface Props {
  label: string;
  /** The name of the SVG file. */
  name: string;
  /** What run it is, and what must be known to read the drawing: in the SVG file too. */
  run?: string;
  notes?: string[];
  legend?: Entry[];
  draw: Draw;
  /** In CSS pixels; without it all the room that there is. */
  height?: number;
  /** What is under the pointer or the cursor, in words. */
  readout?: string;
  onPoint?: (x: number, y: number, size: Size) => void;
  onPress?: (x: number, y: number, size: Size, event: MouseEvent) => void;
  onTwice?: (x: number, y: number, size: Size) => void;
  onDrag?: (dx: number, dy: number) => void;
  /** Drags over a range of x instead. */
  onRange?: (from: number, to: number, size: Size) => void;
  onWheel?: (delta: number, x: number, y: number, size: Size) => void;
  /** Returns whether the key was used. */
  onKey?: (event: KeyboardEvent, size: Size) => boolean;
  onSize?: (size: Size) => void;
  plain?: boolean;
}

/** Dots of a pixel on paper. */
const PAPER_DOTS = 3;

function paint(
  element: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  size: Size,
  ratio: number,
  draw: Draw,
): void {
  element.width = Math.round(size.width * ratio);
  element.height = Math.round(size.height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw(new CanvasPen(context), size, palette(), context);
}

/** Pixels after which a press is a drag. */
const SLACK = 4;

export function Picture(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [theme, setTheme] = useState(0);
  const printing = usePrinting();
  const latestPrinting = useRef(printing);
  latestPrinting.current = printing;
  const latest = useRef(props);
  latest.current = props;
  const drag = useRef<{ x: number; y: number; lastX: number; lastY: number; moved: boolean } | null>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      if (latestPrinting.current) return;
      const next = { width: element.clientWidth, height: element.clientHeight };
      setSize(next);
      latest.current.onSize?.(next);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    const stop = onTheme(() => setTheme((old) => old + 1));
    const wheel = (event: WheelEvent) => {
      if (!latest.current.onWheel) return;
      event.preventDefault();
      const [x, y] = at(event);
      latest.current.onWheel(event.deltaY, x, y, { width: element.clientWidth, height: element.clientHeight });
    };
    // One finger scrolls the page; two move and zoom a drawing that can be moved.
    let fingers: { x: number; y: number; apart: number } | null = null;
    const touch = (event: TouchEvent) => {
      const [a, b] = [event.touches[0], event.touches[1]];
      const { onDrag, onWheel } = latest.current;
      if (!a || !b || !onDrag || !onWheel) {
        fingers = null;
        return;
      }
      event.preventDefault();
      drag.current = null;
      const place = element.getBoundingClientRect();
      const next = {
        x: (a.clientX + b.clientX) / 2 - place.left,
        y: (a.clientY + b.clientY) / 2 - place.top,
        apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
      };
      if (fingers && event.type === "touchmove") {
        onDrag(next.x - fingers.x, next.y - fingers.y);
        // As much as the fingers have moved apart.
        if (next.apart > 0 && fingers.apart > 0) {
          onWheel(-500 * Math.log(next.apart / fingers.apart), next.x, next.y, {
            width: element.clientWidth,
            height: element.clientHeight,
          });
        }
      }
      fingers = next;
    };
    const touches = ["touchstart", "touchmove", "touchend"] as const;
    touches.forEach((name) => element.addEventListener(name, touch, { passive: false }));
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      observer.disconnect();
      stop();
      touches.forEach((name) => element.removeEventListener(name, touch));
      element.removeEventListener("wheel", wheel);
    };
  }, []);

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (printing || !element || !context || size.width === 0) return;
    const frame = requestAnimationFrame(() => {
      paint(element, context, size, devicePixelRatio || 1, latest.current.draw);
      element.dataset.drawn = String(Number(element.dataset.drawn ?? 0) + 1);
    });
    return () => cancelAnimationFrame(frame);
  }, [props.draw, size, theme, printing]);
  // On paper it has its own width, or the shape that it has on the screen: letters are not squeezed.
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!printing || !element || !context || size.width === 0) return;
    const own = props.height === undefined ? size : { width: PAPER, height: props.height };
    paint(element, context, own, PAPER_DOTS, latest.current.draw);
  }, [printing, theme]);

  const at = (event: MouseEvent): [number, number] => {
    const place = box.current?.getBoundingClientRect();
    return [event.clientX - (place?.left ?? 0), event.clientY - (place?.top ?? 0)];
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const [x, y] = at(event);
    drag.current = { x, y, lastX: x, lastY: y, moved: false };
  };
  const move = (event: PointerEvent) => {
    const [x, y] = at(event);
    const held = event.pointerType === "touch" && props.onDrag ? null : drag.current;
    if (held && event.buttons & 1) {
      if (!held.moved && Math.hypot(x - held.x, y - held.y) > SLACK) {
        held.moved = true;
        box.current?.setPointerCapture(event.pointerId);
      }
      if (held.moved) props.onDrag?.(x - held.lastX, y - held.lastY);
      held.lastX = x;
      held.lastY = y;
      return;
    }
    props.onPoint?.(x, y, size);
  };
  const up = (event: PointerEvent) => {
    const held = drag.current;
    drag.current = null;
    if (!held) return;
    const [x, y] = at(event);
    if (held.moved) props.onRange?.(Math.min(held.x, x), Math.max(held.x, x), size);
    else props.onPress?.(x, y, size, event);
  };
  const twice = (event: MouseEvent) => {
    const [x, y] = at(event);
    props.onTwice?.(x, y, size);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (props.onKey?.(event, size)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const save = () => {
    const own = size.width > 0 ? size : { width: 1000, height: 600 };
    const pen = new SvgPen();
    const colours = palette();
    const [top, width] = [heading(pen, own.width, props, colours), Math.max(own.width, LEAST_WIDTH)];
    pen.from(0, top, () => pen.within({ left: 0, top: 0, ...own }, () => props.draw(pen, own, colours, null)));
    download(`${props.name}.svg`, "image/svg+xml", pen.file(width, top + own.height, colours.ground, props.label));
  };
  return (
    <div class={`picture${props.height === undefined ? " fills" : ""}`}>
      <div
        class={props.onRange ? "paper ranged" : "paper"}
        ref={box}
        role="group"
        aria-label={props.label}
        tabIndex={0}
        style={
          printing
            ? {
                width: `${PAPER}px`,
                height: props.height === undefined ? "auto" : `${props.height}px`,
                aspectRatio: props.height === undefined ? `${size.width} / ${size.height}` : "auto",
              }
            : props.height === undefined
              ? { width: "", height: "", aspectRatio: "" }
              : { width: "", height: `${props.height}px`, aspectRatio: "" }
        }
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => (drag.current = null)}
        onDblClick={twice}
        onKeyDown={key}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
      {!props.plain && (
        <div class="under">
          {props.legend && <Legend entries={props.legend} />}
          <p class="readout" role="status">
            {props.readout}
            {props.onDrag && <span class="fingers faint"> Two fingers move and zoom it.</span>}
          </p>
          <button type="button" onClick={save} aria-label={`Save as SVG: ${props.label}`}>
            SVG
          </button>
        </div>
      )}
    </div>
  );
}

/** Of an SVG file, whose title has to have room. */
const LEAST_WIDTH = 520;

/** Writes title, run, legend and notes at the top of an SVG file; returns their height. */
function heading(pen: SvgPen, width: number, { label, run, notes = [], legend = [] }: Props, colours: Palette): number {
  const [left, room] = [8, Math.max(width, LEAST_WIDTH) - 16];
  let y = 6;
  const write = (text: string, size: number, color: string) => {
    for (const line of lines(text, Math.floor(room / (0.56 * size)))) {
      y += size + 4;
      pen.text(left, y, line, { color, size, anchor: "start" });
    }
  };
  write(label, 15, colours.ink);
  if (run) write(run, 12, colours.ink);
  notes.forEach((note) => write(note, 11, colours.faint));
  y += 6;
  return y + drawLegend(pen, left, y, room, legend, colours) + 6;
}

/** A text in lines of so many letters, at words if there are any. */
function lines(text: string, letters: number): string[] {
  const found: string[] = [];
  let rest = [...text];
  while (rest.length > letters) {
    const space = rest.lastIndexOf(" ", letters);
    const end = space > 0 ? space : letters;
    found.push(rest.slice(0, end).join(""));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...found, rest.join("")];
}
