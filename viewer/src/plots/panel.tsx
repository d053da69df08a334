// A small plot with a title and its own readout: what does not need choices.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { onTheme } from "../shell/theme";
import { Chart, type ChartSpec } from "./chart";

interface Props {
  title: string;
  label: string;
  /** Everything but what the panel does itself; another value draws again. */
  spec: Omit<ChartSpec, "hover" | "zoomed">;
  /** Places that can be read, x and y. */
  places: [number, number][];
  /** A place in words. */
  words: (index: number) => string;
}

const NEAR = 30;

export function Panel({ title, label, spec, places, words }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const [at, read] = useState(-1);

  const tell = (index: number) => {
    const place = places[index];
    chart.current?.point(place?.[0] ?? null, place?.[1] ?? null);
    read(place ? index : -1);
  };
  const hover = (x: number | null, y: number | null) => {
    let best = -1;
    let least = NEAR * NEAR;
    if (x !== null && y !== null) {
      places.forEach(([a, b], k) => {
        const place = chart.current?.place(a, b);
        if (!place) return;
        const distance = (place[0] - x) ** 2 + (place[1] - y) ** 2;
        if (distance < least) [least, best] = [distance, k];
      });
    }
    tell(best);
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const made = new Chart(element, { ...spec, hover, zoomed: () => {} });
    chart.current = made;
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (Math.abs(element.clientWidth - width) > 1) {
        width = element.clientWidth;
        made.redraw();
      }
    });
    observer.observe(element);
    const stop = onTheme(() => made.redraw());
    return () => {
      observer.disconnect();
      stop();
      made.destroy();
    };
  }, [spec]);

  const keys = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) tell(Math.min(places.length - 1, Math.max(0, at + step)));
    else if (event.key === "0" || event.key === "Escape") chart.current?.reset();
    else return;
    event.preventDefault();
  };

  return (
    <figure class="panel">
      <figcaption>{title}</figcaption>
      <div
        class="canvas"
        ref={box}
        tabIndex={0}
        role="group"
        aria-roledescription="plot"
        aria-label={label}
        onKeyDown={keys}
      />
      <p class="readout" role="status">
        {at < 0 ? "\u00a0" : words(at)}
      </p>
    </figure>
  );
}
