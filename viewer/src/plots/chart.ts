// A plot on a canvas: uPlot does axes, zoom and cursor; what is in it is drawn by its owner.

import uPlot from "uplot";
import { type Colours, colours } from "./colours";
import { type Area, CanvasPen, type Pen, SvgPen } from "./pen";
import { type Kind, type Range, type Ticks, ticks } from "./scale";

/** An axis as its owner wants it. */
export interface AxisSpec {
  title: string;
  unit: string;
  kind: Kind;
  /** All that there is to see. */
  full: Range;
  /** Whether it has no place between whole numbers. */
  whole?: boolean;
}

/** Where things are drawn. */
export interface Frame extends Area {
  x: (value: number) => number;
  y: (value: number) => number;
  xRange: Range;
  yRange: Range;
}

export interface ChartSpec {
  x: AxisSpec;
  y: AxisSpec;
  height: number;
  draw: (pen: Pen, frame: Frame, colours: Colours) => void;
  /** The pointer is here, in pixels of the frame; null when it is gone. */
  hover: (x: number | null, y: number | null) => void;
  /** What is shown has changed. */
  zoomed: (isZoomed: boolean) => void;
}

const TEXT = 12.5;
/** Labels of one axis stand about so far apart. */
const APART = { x: 90, y: 46 };
/** Digits of a whole number for which there is room beside an axis. */
const DIGITS = { x: 6, y: 5 };

export class Chart {
  private plot: uPlot | null = null;
  private spec: ChartSpec;
  private ring: HTMLDivElement;

  constructor(
    private readonly box: HTMLElement,
    spec: ChartSpec,
  ) {
    this.spec = spec;
    this.ring = document.createElement("div");
    this.ring.className = "ring";
    this.make();
  }

  /** Draws something else; the part that is shown stays if the axes do. */
  update(spec: ChartSpec): void {
    const before = this.spec;
    const kept = this.ranges();
    const zoomed = this.isZoomed();
    this.spec = spec;
    this.make();
    const same = (a: AxisSpec, b: AxisSpec) => a.title === b.title && a.kind === b.kind;
    if (kept && zoomed && same(before.x, spec.x) && same(before.y, spec.y)) {
      this.show(kept.x, kept.y);
    } else {
      spec.zoomed(false);
    }
  }

  /** Draws again: other colours, or another width. */
  redraw(): void {
    const kept = this.isZoomed() ? this.ranges() : null;
    this.make();
    if (kept) this.show(kept.x, kept.y);
  }

  destroy(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  /** Shows all. */
  reset(): void {
    this.show(this.spec.x.full, this.spec.y.full);
  }

  /** Shows less (a factor above 1) or more around the middle. */
  zoom(factor: number): void {
    const ranges = this.ranges();
    if (!ranges) return;
    this.show(scaled(ranges.x, this.spec.x, factor), scaled(ranges.y, this.spec.y, factor));
  }

  /** Puts the ring around a place, or takes it away. */
  point(x: number | null, y: number | null): void {
    const plot = this.plot;
    const hidden = x === null || y === null || !plot;
    this.ring.hidden = hidden;
    if (hidden) return;
    this.ring.style.left = `${plot.valToPos(x, "x")}px`;
    this.ring.style.top = `${plot.valToPos(y, "y")}px`;
  }

  /** Where a place of the data is, in pixels of the frame. */
  place(x: number, y: number): [number, number] | null {
    const { plot } = this;
    if (!plot) return null;
    const place: [number, number] = [plot.valToPos(x, "x"), plot.valToPos(y, "y")];
    return place.every(Number.isFinite) ? place : null;
  }

  /** What is seen, as an SVG file. */
  svg(title: string, notes: string[]): string {
    const [width, height] = [960, 560];
    const palette = colours();
    const { x, y } = this.ranges() ?? { x: this.spec.x.full, y: this.spec.y.full };
    const pen = new SvgPen();
    const head = 30 + 17 * notes.length;
    const area = { left: 78, top: head + 8, width: width - 100, height: height - head - 62 };
    const across = place(this.spec.x.kind, x, area.left, area.width);
    const up = place(this.spec.y.kind, y, area.top + area.height, -area.height);
    const frame = { ...area, x: across, y: up, xRange: x, yRange: y };
    const text = { color: palette.ink, size: 13, anchor: "start" as const };
    pen.text(16, 24, title, { ...text, size: 17 });
    notes.forEach((note, k) => pen.text(16, 44 + 17 * k, note, { ...text, color: palette.faint }));
    const of = (axis: AxisSpec, range: Range, size: number, apart: number) =>
      ticks(range, axis.kind, size / apart, axis.unit);
    const horizontal = of(this.spec.x, x, area.width, APART.x);
    const vertical = of(this.spec.y, y, area.height, APART.y);
    const line = { color: palette.grid, width: 1 };
    const [right, bottom] = [area.left + area.width, area.top + area.height];
    horizontal.at.forEach((value, k) => {
      pen.line([across(value), area.top, across(value), bottom], line);
      const style = { ...text, anchor: "middle" as const };
      pen.text(across(value), bottom + 18, horizontal.labels[k] ?? "", style);
    });
    vertical.at.forEach((value, k) => {
      pen.line([area.left, up(value), right, up(value)], line);
      const style = { ...text, anchor: "end" as const };
      pen.text(area.left - 8, up(value) + 4, vertical.labels[k] ?? "", style);
    });
    pen.within(area, () => this.spec.draw(pen, frame, palette));
    const middle = { ...text, anchor: "middle" as const };
    pen.text(area.left + area.width / 2, height - 12, titled(this.spec.x, horizontal), middle);
    const turned = { ...middle, turned: true };
    pen.text(18, area.top + area.height / 2, titled(this.spec.y, vertical), turned);
    return pen.file(width, height, palette.ground, title);
  }

  private ranges(): { x: Range; y: Range } | null {
    const scales = this.plot?.scales;
    const of = (scale?: uPlot.Scale): Range | null =>
      scale?.min == null || scale.max == null ? null : { low: scale.min, high: scale.max };
    const [x, y] = [of(scales?.x), of(scales?.y)];
    return x && y ? { x, y } : null;
  }

  private isZoomed(): boolean {
    const ranges = this.ranges();
    if (!ranges) return false;
    const differs = (a: Range, b: Range) => {
      const little = 1e-6 * (b.high - b.low);
      return Math.abs(a.low - b.low) > little || Math.abs(a.high - b.high) > little;
    };
    return differs(ranges.x, this.spec.x.full) || differs(ranges.y, this.spec.y.full);
  }

  private show(x: Range, y: Range): void {
    this.plot?.batch(() => {
      this.plot?.setScale("x", { min: x.low, max: x.high });
      this.plot?.setScale("y", { min: y.low, max: y.high });
    });
  }

  private make(): void {
    this.plot?.destroy();
    const { spec } = this;
    const palette = colours();
    const scale = (axis: AxisSpec): uPlot.Scale => ({
      time: false,
      distr: axis.kind === "linear" ? 1 : 3,
      range: () => [axis.full.low, axis.full.high],
    });
    const { x, y } = spec;
    const options: uPlot.Options = {
      width: Math.max(240, this.box.clientWidth),
      height: spec.height,
      // Half of the last label along x.
      padding: [10, 20, 0, 0],
      legend: { show: false },
      cursor: {
        points: { show: false },
        drag: { x: true, y: true, uni: 24, dist: 6 },
        focus: { prox: -1 },
      },
      scales: { x: scale(x), y: scale(y) },
      series: [{}, { scale: "y", points: { show: false }, paths: () => null }],
      axes: [this.axis("x", x, palette), this.axis("y", y, palette)],
      hooks: {
        draw: [(plot) => this.draw(plot, palette)],
        setScale: [() => spec.zoomed(this.isZoomed())],
        setCursor: [
          (plot) => {
            const { left = -1, top = -1 } = plot.cursor;
            if (left < 0 || top < 0) spec.hover(null, null);
            else spec.hover(left, top);
          },
        ],
      },
    };
    const data: uPlot.AlignedData = [
      [x.full.low, x.full.high],
      [y.full.low, y.full.high],
    ];
    this.plot = new uPlot(options, data, this.box);
    this.plot.over.append(this.ring);
    this.ring.hidden = true;
  }

  private axis(side: "x" | "y", spec: AxisSpec, palette: Colours): uPlot.Axis {
    let current: Ticks = { at: [], labels: [], unit: "" };
    const line = { stroke: palette.grid, width: 1 };
    const narrow = this.box.clientWidth < 520;
    return {
      scale: side,
      stroke: palette.ink,
      font: `${TEXT}px system-ui, sans-serif`,
      labelFont: `${TEXT}px system-ui, sans-serif`,
      labelSize: 20,
      labelGap: 0,
      gap: 5,
      size: side === "x" ? 30 : narrow ? 52 : 66,
      grid: line,
      ticks: { ...line, size: 4 },
      label: () => titled(spec, current),
      splits: (plot, _axis, min, max) => {
        // Of the frame alone, also before it is laid out: as many ticks then as later.
        const length = (side === "x" ? plot.bbox.width : plot.bbox.height) / (devicePixelRatio || 1);
        const size = length || (side === "x" ? this.box.clientWidth : this.spec.height);
        const about = size / APART[side];
        current = ticks({ low: min, high: max }, spec.kind, about, spec.unit, DIGITS[side], spec.whole);
        return current.at;
      },
      filter: (_plot, splits) => splits,
      values: (_plot, splits) => splits.map((value) => current.labels[current.at.indexOf(value)] ?? ""),
    } as uPlot.Axis;
  }

  private draw(plot: uPlot, palette: Colours): void {
    const ratio = devicePixelRatio || 1;
    const { left, top, width, height } = plot.bbox;
    const ranges = this.ranges();
    if (!ranges) return;
    const area = {
      left: left / ratio,
      top: top / ratio,
      width: width / ratio,
      height: height / ratio,
    };
    const frame: Frame = {
      ...area,
      x: place(this.spec.x.kind, ranges.x, area.left, area.width),
      y: place(this.spec.y.kind, ranges.y, area.top + area.height, -area.height),
      xRange: ranges.x,
      yRange: ranges.y,
    };
    plot.ctx.save();
    plot.ctx.scale(ratio, ratio);
    const pen = new CanvasPen(plot.ctx);
    pen.within(area, () => this.spec.draw(pen, frame, palette));
    plot.ctx.restore();
  }
}

/** From values to pixels; what has no place is NaN. */
function place(kind: Kind, { low, high }: Range, start: number, length: number) {
  if (kind === "linear") {
    return (value: number) => start + (length * (value - low)) / (high - low);
  }
  const [from, all] = [Math.log(low), Math.log(high / low)];
  return (value: number) => (value > 0 ? start + (length * (Math.log(value) - from)) / all : Number.NaN);
}

/** The range around its own middle. */
function scaled({ low, high }: Range, axis: AxisSpec, factor: number): Range {
  if (axis.kind === "linear") {
    const middle = (low + high) / 2;
    const half = (high - low) / 2 / factor;
    return { low: middle - half, high: middle + half };
  }
  const middle = Math.sqrt(low * high);
  const half = Math.sqrt(high / low) ** (1 / factor);
  return { low: middle / half, high: middle * half };
}

function titled({ title }: AxisSpec, { unit }: Ticks): string {
  return unit === "" || unit.endsWith(title) ? unit || title : `${title} (${unit})`;
}
