// Colours of plots: those of the style sheet, so that both change together.

import { SHAPES, type Shape } from "./pen";

/** What plots are drawn in. */
export interface Colours {
  ground: string;
  ink: string;
  faint: string;
  grid: string;
  gap: string;
  series: string[];
}

/** Dashes of the series' curves, which tell them apart without colour. */
const DASHES: number[][] = [[], [9, 4], [3, 4], [9, 4, 2, 4], [14, 5], [5, 3]];

/** How a series looks: the first six differ in colour, shape and dashes, later ones in pairs. */
export function look(series: number): { hue: number; shape: Shape; dash: number[] } {
  const turned = (series + Math.floor(series / 6)) % 6;
  return { hue: series % 6, shape: SHAPES[turned] ?? "circle", dash: DASHES[turned] ?? [] };
}

/** The colours that hold now. */
export function colours(): Colours {
  // Only an element of the page knows whether light or dark holds.
  const probe = document.createElement("span");
  document.body.append(probe);
  const of = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const found = {
    ground: of("surface"),
    ink: of("ink"),
    faint: of("faint"),
    grid: of("grid"),
    gap: of("gap"),
    series: [0, 1, 2, 3, 4, 5].map((k) => of(`series${k}`)),
  };
  probe.remove();
  return found;
}
