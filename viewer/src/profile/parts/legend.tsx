// What colours of a drawing mean: beside it on the page and on paper, and in its SVG file.

import type { Pen } from "../../plots/pen";
import { type Palette, palette } from "../palette";

/** A colour with what it means, or shades from one value to another. */
export type Entry =
  | { kind: "sign"; color: (colours: Palette) => string; text: string }
  | { kind: "scale"; title: string; shade: (colours: Palette, share: number) => string; low: string; high: string };

const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => k / 8);

export function Legend({ entries }: { entries: Entry[] }) {
  const colours = palette();
  return (
    <ul class="key">
      {entries.map((entry) =>
        entry.kind === "sign" ? (
          <li>
            <span class="sign" aria-hidden="true" style={{ background: entry.color(colours) }} />
            {entry.text}
          </li>
        ) : (
          <li>
            {entry.title}: {entry.low}
            <span class="scale" aria-hidden="true">
              {STEPS.map((share) => (
                <span style={{ background: entry.shade(colours, share) }} />
              ))}
            </span>
            {entry.high}
          </li>
        ),
      )}
    </ul>
  );
}

const [SIGN, LETTER, LINE] = [10, 6.4, 18];

/** Draws entries in lines from a place on; returns the height of the lines. */
export function drawLegend(
  pen: Pen,
  left: number,
  top: number,
  width: number,
  entries: Entry[],
  colours: Palette,
): number {
  let [x, y] = [left, top];
  const room = (needed: number) => {
    if (x > left && x + needed > left + width) [x, y] = [left, y + LINE];
  };
  const word = (text: string) => {
    pen.text(x, y + 13, text, { color: colours.ink, size: 12, anchor: "start" });
    x += LETTER * [...text].length + 6;
  };
  const block = (color: string) => {
    pen.polygon(
      [x, y + 4, x + SIGN, y + 4, x + SIGN, y + 4 + SIGN, x, y + 4 + SIGN],
      { color },
      { color: colours.edge, width: 0.5 },
    );
    x += SIGN;
  };
  for (const entry of entries) {
    if (entry.kind === "sign") {
      room(SIGN + LETTER * entry.text.length + 24);
      block(entry.color(colours));
      x += 5;
      word(entry.text);
    } else {
      room(LETTER * (entry.title.length + entry.low.length + entry.high.length + 2) + SIGN * STEPS.length + 30);
      word(`${entry.title}: ${entry.low}`);
      STEPS.forEach((share) => block(entry.shade(colours, share)));
      x += 6;
      word(entry.high);
    }
    x += 12;
  }
  return entries.length === 0 ? 0 : y + LINE - top;
}
