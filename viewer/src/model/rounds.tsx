// The machine's speed in each round of the sampling.

import { useMemo } from "preact/hooks";
import type { ChartSpec } from "../plots/chart";
import { Panel } from "../plots/panel";
import { mark, SHAPES } from "../plots/pen";
import { room } from "../plots/scale";
import { number } from "../shell/numbers";
import { shown } from "../shell/text";
import type { Round } from "./data";

/** What the canary measures, in the order of the series. */
const KINDS = ["chain", "width", "partner"] as const;

interface Reading {
  kind: number;
  round: Round;
  x: number;
  y: number;
}

export function Rounds({ rounds }: { rounds: Round[] }) {
  const readings = useMemo(
    () =>
      rounds.flatMap((round): Reading[] =>
        KINDS.flatMap((name, kind) => {
          const y = round.canary?.[name];
          return y == null ? [] : [{ kind, round, x: round.round, y }];
        }),
      ),
    [rounds],
  );
  const spec = useMemo((): Omit<ChartSpec, "hover" | "zoomed"> => {
    const xs = rounds.map((round) => round.round);
    const ys = readings.map((reading) => reading.y);
    return {
      height: 220,
      x: { title: "round", unit: "", kind: "linear", full: between(xs), whole: true },
      y: { title: "times", unit: "×", kind: "linear", full: room([...ys, 0.98, 1.05], "linear") },
      draw: (pen, frame, palette) => {
        const half = Math.abs(frame.x(0.4) - frame.x(0));
        const bottom = frame.top + frame.height;
        for (const round of rounds.filter((one) => one.marked?.length || one.used === false)) {
          const [a, b] = [frame.x(round.round) - half, frame.x(round.round) + half];
          const corners = [a, frame.top, b, frame.top, b, bottom, a, bottom];
          pen.polygon(corners, { color: palette.gap, alpha: 0.16 });
        }
        const one = frame.y(1);
        pen.line([frame.left, one, frame.left + frame.width, one], {
          color: palette.faint,
          width: 1,
        });
        for (const { kind, x, y, round } of readings) {
          const color = palette.series[kind] ?? palette.ink;
          const fill = round.used === false ? { color: palette.ground } : { color };
          mark(pen, SHAPES[kind] ?? "circle", frame.x(x), frame.y(y), 4, fill, { color, width: 1.4 });
        }
      },
    };
  }, [rounds, readings]);
  if (readings.length === 0) return null;
  return (
    <Panel
      title={
        "Time of small fixed tests before each round, relative to the fastest known: ● chain (the clock), ■ width (the core), ▲ partner (a message between processors). Shaded rounds are marked, hollow ones not used."
      }
      label="Time of the canary in each round. Arrow keys go from reading to reading."
      spec={spec}
      places={readings.map(({ x, y }) => [x, y])}
      words={(index) => {
        const reading = readings[index];
        if (!reading) return "";
        const marks = (reading.round.marked ?? []).map(shown).join(", ");
        const used = reading.round.used === false ? ", not used" : "";
        const time = `${number(reading.y)} times the fastest`;
        return `round ${reading.x}, ${KINDS[reading.kind]}: ${time}${marks && `, ${marks}`}${used}`;
      }}
    />
  );
}

/** Half a round more on both sides. */
function between(rounds: number[]): { low: number; high: number } {
  return { low: Math.min(...rounds) - 0.5, high: Math.max(...rounds) + 0.5 };
}
