// What plots are drawn with: the same strokes on a canvas and in an SVG file.

import { escaped } from "../shell/text";

/** Kinds of marks: what tells series apart without colour. */
export const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "wedge"] as const;
export type Shape = (typeof SHAPES)[number];

export interface Stroke {
  color: string;
  width: number;
  dash?: number[];
  alpha?: number;
}

export interface Fill {
  color: string;
  alpha?: number;
}

/** x and y by turns. */
export type Places = number[];

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Pen {
  line(places: Places, stroke: Stroke): void;
  /** Many straight lines: four coordinates each. */
  lines(ends: Places, stroke: Stroke): void;
  polygon(places: Places, fill: Fill, stroke?: Stroke): void;
  circle(x: number, y: number, radius: number, fill: Fill, stroke?: Stroke): void;
  /** Many squares of one size by their middles. */
  dots(places: Places, size: number, fill: Fill): void;
  text(x: number, y: number, text: string, style: TextStyle): void;
  /** Draws something that must not leave an area. */
  within(area: Area, draw: () => void): void;
}

export interface TextStyle {
  color: string;
  size: number;
  anchor: "start" | "middle" | "end";
  /** A ground behind the letters. */
  halo?: string;
  turned?: boolean;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/** The corners of a mark. */
function corners(shape: Shape, x: number, y: number, r: number): Places {
  switch (shape) {
    case "square":
      return [x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r];
    case "triangle":
      return [x, y - 1.25 * r, x + 1.2 * r, y + r, x - 1.2 * r, y + r];
    case "wedge":
      return [x, y + 1.25 * r, x + 1.2 * r, y - r, x - 1.2 * r, y - r];
    case "diamond":
      return [x, y - 1.4 * r, x + 1.4 * r, y, x, y + 1.4 * r, x - 1.4 * r, y];
    case "cross": {
      const [a, b] = [0.45 * r, 1.2 * r];
      const points = [
        [-a, -b, a, -b, a, -a, b, -a, b, a, a, a],
        [a, b, -a, b, -a, a, -b, a, -b, -a, -a, -a],
      ].flat();
      return points.map((value, k) => value + (k % 2 === 0 ? x : y));
    }
    case "circle":
      return [];
  }
}

/** A mark of a series. */
export function mark(pen: Pen, shape: Shape, x: number, y: number, radius: number, fill: Fill, stroke?: Stroke): void {
  if (shape === "circle") pen.circle(x, y, 1.08 * radius, fill, stroke);
  else pen.polygon(corners(shape, x, y, radius), fill, stroke);
}

/** Draws on a canvas, in CSS pixels. */
export class CanvasPen implements Pen {
  constructor(private readonly context: CanvasRenderingContext2D) {}

  line(places: Places, stroke: Stroke): void {
    this.trace(places);
    this.stroke(stroke);
  }

  lines(ends: Places, stroke: Stroke): void {
    const { context } = this;
    context.beginPath();
    for (let k = 0; k < ends.length; k += 4) {
      context.moveTo(ends[k] ?? 0, ends[k + 1] ?? 0);
      context.lineTo(ends[k + 2] ?? 0, ends[k + 3] ?? 0);
    }
    this.stroke(stroke);
  }

  polygon(places: Places, fill: Fill, stroke?: Stroke): void {
    this.trace(places);
    this.context.closePath();
    this.fill(fill);
    if (stroke) this.stroke(stroke);
  }

  circle(x: number, y: number, radius: number, fill: Fill, stroke?: Stroke): void {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.fill(fill);
    if (stroke) this.stroke(stroke);
  }

  dots(places: Places, size: number, { color, alpha = 1 }: Fill): void {
    // Pixel by pixel on a sheet of its own: thousands of small rectangles are slow.
    const { context } = this;
    const { a: ratio } = context.getTransform();
    const sheet = document.createElement("canvas");
    [sheet.width, sheet.height] = [context.canvas.width, context.canvas.height];
    const ink = sheet.getContext("2d");
    if (!ink || sheet.width === 0 || sheet.height === 0) return;
    ink.fillStyle = color;
    ink.fillRect(0, 0, 1, 1);
    const [pixel = 0] = new Uint32Array(ink.getImageData(0, 0, 1, 1).data.buffer);
    const image = new ImageData(sheet.width, sheet.height);
    const pixels = new Uint32Array(image.data.buffer);
    const side = Math.max(1, Math.round(size * ratio));
    for (let k = 0; k < places.length; k += 2) {
      const left = Math.round(ratio * (places[k] ?? 0) - side / 2);
      const top = Math.round(ratio * (places[k + 1] ?? 0) - side / 2);
      if (!(left >= 0 && left + side <= sheet.width && top >= 0)) continue;
      for (let row = top; row < top + side; row++) {
        pixels.fill(pixel, row * sheet.width + left, row * sheet.width + left + side);
      }
    }
    ink.putImageData(image, 0, 0);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = alpha;
    context.drawImage(sheet, 0, 0);
    context.restore();
  }

  text(x: number, y: number, text: string, style: TextStyle): void {
    const { context } = this;
    context.save();
    context.translate(x, y);
    if (style.turned) context.rotate(-Math.PI / 2);
    context.font = `${style.size}px ${FONT}`;
    context.textAlign = style.anchor === "middle" ? "center" : style.anchor;
    context.textBaseline = "alphabetic";
    if (style.halo) {
      context.lineWidth = 4;
      context.lineJoin = "round";
      context.strokeStyle = style.halo;
      context.strokeText(text, 0, 0);
    }
    context.fillStyle = style.color;
    context.fillText(text, 0, 0);
    context.restore();
  }

  within(area: Area, draw: () => void): void {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.width, area.height);
    context.clip();
    draw();
    context.restore();
  }

  private trace(places: Places): void {
    const { context } = this;
    context.beginPath();
    for (let k = 0; k < places.length; k += 2) {
      context.lineTo(places[k] ?? 0, places[k + 1] ?? 0);
    }
  }

  private fill({ color, alpha = 1 }: Fill): void {
    this.context.globalAlpha = alpha;
    this.context.fillStyle = color;
    this.context.fill();
    this.context.globalAlpha = 1;
  }

  private stroke({ color, width, dash = [], alpha = 1 }: Stroke): void {
    const { context } = this;
    context.globalAlpha = alpha;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.lineCap = "round";
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }
}

/** Writes an SVG file. */
export class SvgPen implements Pen {
  private readonly parts: string[] = [];
  private clips = 0;

  line(places: Places, stroke: Stroke): void {
    this.parts.push(`<path d="${path(places)}" fill="none"${stroked(stroke)}/>`);
  }

  lines(ends: Places, stroke: Stroke): void {
    let d = "";
    for (let k = 0; k < ends.length; k += 4) d += path(ends.slice(k, k + 4));
    this.parts.push(`<path d="${d}" fill="none"${stroked(stroke)}/>`);
  }

  polygon(places: Places, fill: Fill, stroke?: Stroke): void {
    this.parts.push(`<path d="${path(places)}Z"${filled(fill)}${stroked(stroke)}/>`);
  }

  circle(x: number, y: number, radius: number, fill: Fill, stroke?: Stroke): void {
    const at = `cx="${short(x)}" cy="${short(y)}" r="${short(radius)}"`;
    this.parts.push(`<circle ${at}${filled(fill)}${stroked(stroke)}/>`);
  }

  dots(places: Places, size: number, fill: Fill): void {
    const half = size / 2;
    let d = "";
    for (let k = 0; k < places.length; k += 2) {
      d += `M${short((places[k] ?? 0) - half)} ${short((places[k + 1] ?? 0) - half)}h${size}v${size}h-${size}z`;
    }
    this.parts.push(`<path d="${d}"${filled(fill)}/>`);
  }

  text(x: number, y: number, text: string, style: TextStyle): void {
    const at = style.turned
      ? `transform="translate(${short(x)} ${short(y)}) rotate(-90)"`
      : `x="${short(x)}" y="${short(y)}"`;
    const halo = style.halo
      ? ` paint-order="stroke" stroke="${style.halo}" stroke-width="4" stroke-linejoin="round"`
      : "";
    const look = `font-size="${style.size}" text-anchor="${style.anchor}" fill="${style.color}"`;
    this.parts.push(`<text ${at} ${look}${halo}>${escaped(text)}</text>`);
  }

  within(area: Area, draw: () => void): void {
    const id = `clip${this.clips++}`;
    const { left, top, width, height } = area;
    const box = `x="${short(left)}" y="${short(top)}" width="${short(width)}" height="${short(height)}"`;
    this.parts.push(`<clipPath id="${id}"><rect ${box}/></clipPath><g clip-path="url(#${id})">`);
    draw();
    this.parts.push("</g>");
  }

  /** Draws something with its origin at another place. */
  from(x: number, y: number, draw: () => void): void {
    this.parts.push(`<g transform="translate(${short(x)} ${short(y)})">`);
    draw();
    this.parts.push("</g>");
  }

  /** The file. */
  file(width: number, height: number, ground: string, title: string): string {
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${FONT}" role="img">`,
      `<title>${escaped(title)}</title>`,
      `<rect width="${width}" height="${height}" fill="${ground}"/>`,
      ...this.parts,
      "</svg>\n",
    ].join("\n");
  }
}

function path(places: Places): string {
  let d = "";
  for (let k = 0; k < places.length; k += 2) {
    d += `${k === 0 ? "M" : "L"}${short(places[k] ?? 0)} ${short(places[k + 1] ?? 0)}`;
  }
  return d;
}

/** To a hundredth. */
function short(value: number): number {
  return Number.isFinite(value) ? Math.round(100 * value) / 100 : 0;
}

function filled({ color, alpha = 1 }: Fill): string {
  return ` fill="${color}"${alpha < 1 ? ` fill-opacity="${alpha}"` : ""}`;
}

function stroked(stroke?: Stroke): string {
  if (!stroke) return "";
  const { color, width, dash, alpha = 1 } = stroke;
  const dashes = dash?.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
  const opacity = alpha < 1 ? ` stroke-opacity="${alpha}"` : "";
  return ` stroke="${color}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"${dashes}${opacity}`;
}
