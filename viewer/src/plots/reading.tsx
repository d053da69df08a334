// A chart whose points are read by pointer and keys, with its zoom: what the plots of models have in common.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { onTheme } from "../shell/theme";
import { Chart, type ChartSpec } from "./chart";

/** A pointer farther from a point than this, in pixels, does not mean it. */
const NEAR = 40;
const ZOOM = 1.5;

export interface Reading {
  box: RefObject<HTMLDivElement | null>;
  chart: RefObject<Chart | null>;
  /** Whether not all is shown. */
  zoomed: boolean;
  /** The point that is read, in words. */
  said: string;
  keys: (event: KeyboardEvent) => void;
}

/**
 * A chart of these places, x and y, which `words` says in words. It is made anew when an input changes.
 */
export function useReading(
  spec: Omit<ChartSpec, "hover" | "zoomed">,
  places: readonly (readonly [number, number])[],
  words: (index: number) => string,
  inputs: unknown[],
): Reading {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const current = useRef(-1);
  const [zoomed, setZoomed] = useState(false);
  const [said, say] = useState("");

  const tell = (index: number) => {
    const place = places[index];
    current.current = index;
    chart.current?.point(place?.[0] ?? null, place?.[1] ?? null);
    say(place ? words(index) : "");
  };
  const hover = (x: number | null, y: number | null) => {
    let best = -1;
    let least = NEAR * NEAR;
    if (x !== null && y !== null) {
      places.forEach(([a, b], index) => {
        const place = chart.current?.place(a, b);
        if (!place) return;
        const distance = (place[0] - x) ** 2 + (place[1] - y) ** 2;
        if (distance < least) [least, best] = [distance, index];
      });
    }
    tell(best);
  };

  useLayoutEffect(() => {
    if (!box.current) return;
    current.current = -1;
    const whole: ChartSpec = { ...spec, hover, zoomed: setZoomed };
    if (chart.current) chart.current.update(whole);
    else chart.current = new Chart(box.current, whole);
  }, inputs);

  useLayoutEffect(() => {
    const element = box.current;
    const again = () => chart.current?.redraw();
    let width = element?.clientWidth ?? 0;
    const observer = new ResizeObserver(() => {
      if (element && Math.abs(element.clientWidth - width) > 1) {
        width = element.clientWidth;
        again();
      }
    });
    if (element) observer.observe(element);
    const stop = onTheme(again);
    return () => {
      observer.disconnect();
      stop();
      chart.current?.destroy();
    };
  }, []);

  const keys = (event: KeyboardEvent) => {
    const step = (by: number) => tell(Math.min(places.length - 1, Math.max(0, current.current + by)));
    const actions: Record<string, () => void> = {
      ArrowRight: () => step(1),
      ArrowLeft: () => step(-1),
      Home: () => tell(0),
      End: () => tell(places.length - 1),
      "+": () => chart.current?.zoom(ZOOM),
      "=": () => chart.current?.zoom(ZOOM),
      "-": () => chart.current?.zoom(1 / ZOOM),
      "0": () => chart.current?.reset(),
      Escape: () => chart.current?.reset(),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return { box, chart, zoomed, said, keys };
}

/** The chart with what is read of it. */
export function ReadingView({ reading, label }: { reading: Reading; label: string }) {
  return (
    <>
      <div
        class="canvas"
        ref={reading.box}
        tabIndex={0}
        role="group"
        aria-roledescription="plot"
        aria-label={`${label}. Left and right arrows go from point to point, plus and minus zoom, 0 shows all.`}
        onKeyDown={reading.keys}
      />
      <p class="readout" role="status">
        {reading.said || "Point at the plot to read it, drag to zoom, double-click to show all."}
      </p>
    </>
  );
}

/** Zoom, and the file of the chart. */
export function ReadingButtons({ reading, file }: { reading: Reading; file: () => void }) {
  const { chart, zoomed } = reading;
  return (
    <>
      <span class="space" />
      <button type="button" onClick={() => chart.current?.zoom(ZOOM)} aria-label="Zoom in">
        +
      </button>
      <button type="button" onClick={() => chart.current?.zoom(1 / ZOOM)} aria-label="Zoom out">
        −
      </button>
      <button type="button" disabled={!zoomed} onClick={() => chart.current?.reset()}>
        Show all
      </button>
      <button type="button" onClick={file}>
        SVG
      </button>
    </>
  );
}
