// A matrix of numbers in shades. Where several share a pixel, the largest is shown, so that none is lost.

import type { Pen } from "../../plots/pen";
import type { Size } from "../parts/picture";
import type { Palette } from "../palette";

export interface Matrix {
  columns: number;
  rows: number;
  /** NaN: there is none. */
  value: (column: number, row: number) => number;
  largest: number;
  cursor: { column: number; row: number } | null;
}

/** Cells in an SVG file, in each direction. */
const MOST_CELLS = 160;

export function drawMatrix(pen: Pen, size: Size, colours: Palette, context: CanvasRenderingContext2D | null, matrix: Matrix): void {
  const { columns, rows } = matrix;
  if (columns <= 0 || rows <= 0) return;
  const ratio = context ? context.getTransform().a : 1;
  const width = Math.min(columns, context ? Math.floor(size.width * ratio) : MOST_CELLS);
  const height = Math.min(rows, context ? Math.floor(size.height * ratio) : MOST_CELLS);
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
  const shade = (value: number) => colours.cool(matrix.largest > 0 ? Math.sqrt(Math.max(0, value) / matrix.largest) : 0);
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
    context.drawImage(sheet, 0, 0, size.width, size.height);
  } else {
    const [w, h] = [size.width / width, size.height / height];
    for (let at = 0; at < cells.length; at++) {
      const value = cells[at] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const [x, y] = [(at % width) * w, Math.floor(at / width) * h];
      pen.polygon([x, y, x + w, y, x + w, y + h, x, y + h], { color: `rgb(${shade(value).join(" ")})` });
    }
  }
  if (matrix.cursor) {
    const [w, h] = [size.width / columns, size.height / rows];
    const [x, y] = [matrix.cursor.column * w, matrix.cursor.row * h];
    const [a, b] = [Math.max(w, 6), Math.max(h, 6)];
    const [left, top] = [x + w / 2 - a / 2, y + h / 2 - b / 2];
    pen.line([left, top, left + a, top, left + a, top + b, left, top + b, left, top], { color: colours.ink, width: 2 });
  }
}
