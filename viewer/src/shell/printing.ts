// Paper has no scrolling: what is printed is drawn whole, in light colours, before the browser looks.

import { options } from "preact";
import { useEffect, useState } from "preact/hooks";
import { recoloured } from "./theme";

/** Rows of a table that are printed at most. */
export const MOST_PRINTED = 2000;
/** The width of drawings on paper in CSS pixels: less than that of any usual sheet. */
export const PAPER = 640;

const listeners = new Set<(on: boolean) => void>();
let printing = false;
let theme: string | undefined;

function change(on: boolean): void {
  if (printing === on) return;
  printing = on;
  const { dataset } = document.documentElement;
  if (on) {
    theme = dataset.theme;
    dataset.theme = "light";
  } else if (theme === undefined) delete dataset.theme;
  else dataset.theme = theme;
  // The browser prints what is there when this function returns.
  const later = options.debounceRendering;
  options.debounceRendering = (render) => render();
  for (const listener of listeners) listener(on);
  recoloured();
  if (later) options.debounceRendering = later;
  else delete options.debounceRendering;
}

/** Makes drawings and tables whole while they are printed. */
export function startPrinting(): void {
  addEventListener("beforeprint", () => change(true));
  addEventListener("afterprint", () => change(false));
}

/** Whether the page is being printed. */
export function usePrinting(): boolean {
  const [on, set] = useState(printing);
  useEffect(() => {
    listeners.add(set);
    return () => void listeners.delete(set);
  }, []);
  return on;
}

/** What a table says that has more rows than are printed. */
export function restOf(rows: number): string {
  return rows > MOST_PRINTED ? `The first ${MOST_PRINTED} of ${rows.toLocaleString("en")} rows.` : "";
}
