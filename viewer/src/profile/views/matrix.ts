// A matrix of numbers in shades. Where several share a pixel, the largest is shown, so that none is lost.

import type { Area, Pen } from "../../plots/pen";
import type { Palette } from "../palette";
import type { Entry } from "../parts/legend";

export interface Matrix {
  columns: number;
  rows: number;
  /** NaN: there is none. */
  value: (column: number, row: number) => number;
  largest: number;
  cursor: { column: number; row: number } | null;
}

/** How strong the shade of a share of the largest value is: small ones are to be seen. */
function strength(share: number): number {
  return Math.sqrt(share);
}

/** What the shades mean. */
export function matrixScale(title: string, largest: string): Entry {
  return {
    kind: "scale",
    title,
    shade: (colours, share) => `rgb(${colours.cool(share).join(" ")})`,
    low: "0",
    high: `${largest} (by square roots)`,
  };
}

/** Cells in an SVG file, in each direction. */
const MOST_CELLS = 160;

export function drawMatrix(
  pen: Pen,
  area: Area,
  colours: Palette,
  context: CanvasRenderingContext2D | null,
  matrix: Matrix,
): void {
  const { columns, rows } = matrix;
  if (columns <= 0 || rows <= 0) return;
  const ratio = context ? context.getTransform().a : 1;
  const width = Math.min(columns, context ? Math.floor(area.width * ratio) : MOST_CELLS);
  const height = Math.min(rows, context ? Math.floor(area.height * ratio) : MOST_CELLS);
  if (width <= 0 || height <= 0) return;
  const cells = new Float64Array(width * height).fill(Number.NaN);
  // Column after column: that is how the numbers lie in memory.
  for (let column = 0; column < columns; column++) {
    const x = Math.floor((column * width) / columns);
    for (let row = 0; row < rows; row++) {
      const value = matrix.value(column, row);
      const at = Math.floor((row * height) / rows) * width + x;
      if (!Number.isNaN(value) && !(value <= (cells[at] ?? 0))) cells[at] = value;
    }
  }
  const shade = (value: number) => colours.cool(strength(matrix.largest > 0 ? Math.max(0, value) / matrix.largest : 0));
  if (context) {
    const sheet = document.createElement("canvas");
    [sheet.width, sheet.height] = [width, height];
    const ink = sheet.getContext("2d");
    if (!ink) return;
    const image = ink.createImageData(width, height);
    for (let at = 0; at < cells.length; at++) {
      const value = cells[at] ?? Number.NaN;
      if (Number.isNaN(value)) {
        image.data[4 * at + 3] = (at + Math.floor(at / width)) % 2 === 0 ? 60 : 0;
        continue;
      }
      const [r, g, b] = shade(value);
      image.data.set([r, g, b, 255], 4 * at);
    }
    ink.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(sheet, area.left, area.top, area.width, area.height);
  } else {
    const [w, h] = [area.width / width, area.height / height];
    for (let at = 0; at < cells.length; at++) {
      const value = cells[at] ?? Number.NaN;
      const [x, y] = [area.left + (at % width) * w, area.top + Math.floor(at / width) * h];
      const color = Number.isNaN(value) ? colours.line : `rgb(${shade(value).join(" ")})`;
      pen.polygon([x, y, x + w, y, x + w, y + h, x, y + h], { color });
    }
  }
  if (matrix.cursor) {
    const [w, h] = [area.width / columns, area.height / rows];
    const [x, y] = [area.left + matrix.cursor.column * w, area.top + matrix.cursor.row * h];
    const [a, b] = [Math.max(w, 6), Math.max(h, 6)];
    const [left, top] = [x + w / 2 - a / 2, y + h / 2 - b / 2];
    pen.line([left, top, left + a, top, left + a, top + b, left, top + b, left, top], { color: colours.ink, width: 2 });
  }
}
