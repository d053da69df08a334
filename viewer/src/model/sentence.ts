// A prediction in words, as the answer of `cll model` has it.

import { clock, exact, number, quantity, times, within } from "../shell/numbers";
import { shown } from "../shell/text";
import type { Domain, Prediction } from "./predictor";

/** `N = 3000, P = 8` */
export function placeOf(at: readonly (readonly [string, number])[]): string {
  return at.map(([name, value]) => `${shown(name)} = ${exact(value)}`).join(", ");
}

/** The value to the digits of its interval; empty if there is none. */
export function timeOf({ value, low, high }: Prediction, unit: string): string {
  if (value === null) return "";
  return low === null || high === null ? quantity(value, unit) : within(value, low, high, unit);
}

/** `(29.2 to 33.4)` where the unit is that of the value, else with their units. */
export function intervalOf(prediction: Prediction, unit: string): string {
  const { low, high } = prediction;
  if (low === null || high === null) return "(interval not known)";
  if (low.toPrecision(6) === high.toPrecision(6)) return "(exact)";
  const ends = [low, high].map((end) => within(end, low, high, unit));
  const behind = (text: string) => text.slice(text.indexOf(" "));
  const isShared = ends.every((end) => end.includes(" ") && behind(end) === behind(timeOf(prediction, unit)));
  return `(${ends.map((end) => (isShared ? end.slice(0, end.indexOf(" ")) : end)).join(" to ")})`;
}

/** `2 min 5 s, `, or empty where the value says it. */
export function clockOf({ value }: Prediction, unit: string): string {
  const words = unit === "s" && value !== null ? clock(value) : null;
  return words === null ? "" : `${words}, `;
}

/** `inside the data`, `5.7 times beyond the data (N)` */
export function whereabouts({ domain, follows, at }: Prediction): { text: string; inside: boolean } {
  if (follows || !domain || domain.where === "inside") return { text: "inside the data", inside: true };
  return { text: outside(domain, at.length), inside: false };
}

function outside(domain: Domain, variables: number): string {
  switch (domain.where) {
    case "between":
      return `between two intervals, ${number(domain.last_left ?? 0)} and ${number(domain.first_right ?? 0)}`;
    case "apart":
      return `${(domain.variables ?? []).map(shown).join(" and ")} not measured together there`;
    default: {
      const { variable = "", value = 0, nearest, factor } = domain;
      const side = typeof nearest === "number" && value < nearest ? "below" : "beyond";
      const far = factor == null ? "" : `${times(factor)} times `;
      return `${far}${side} the data${variables > 1 ? ` (${shown(variable)})` : ""}`;
    }
  }
}

/** The doubts in a number, behind where it is: `, disturbed`. */
export function doubtsOf(doubts: { code: string }[]): string {
  const names: Record<string, string> = {
    "not-measurable": ", not measurable",
    disturbed: ", disturbed",
    predicted: ", of another machine",
  };
  return doubts.map(({ code }) => names[code] ?? "").join("");
}

/** What else is to be known of the number: not where it is, which is said with it. */
export function warningsOf(prediction: Prediction): string[] {
  const all = prediction.warnings.filter((one) => !["beyond", "apart", "between"].includes(one.code));
  return all.map((one) => shown(one.text));
}
