// Numbers as the text report writes them: a unit with a prefix that fits, few digits.

/** As in model.json: "s", "B", "misses". */
export type Unit = string;

const TIMES: [number, string][] = [
  [0, "s"],
  [-3, "ms"],
  [-6, "µs"],
  [-9, "ns"],
  [-12, "ps"],
  [-15, "fs"],
  [-18, "as"],
];
const BYTES = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** Exponent of ten after rounding to so many digits. */
function exponent(value: number, digits: number): number {
  return value === 0 ? 0 : Number(value.toExponential(digits - 1).split("e")[1]);
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** How values of about this size are written: divided by what, with which unit behind. */
export interface Prefix {
  divisor: number;
  unit: string;
}

/** The prefix that fits a value. */
export function prefix(size: number, unit: Unit, digits = 3): Prefix {
  if (unit === "s") {
    const e = exponent(size, digits);
    const found = e > 4 ? undefined : TIMES.find(([ten]) => e >= ten);
    if (size === 0 || e > 4 || !found) return { divisor: 1, unit: "s" };
    return { divisor: 10 ** found[0], unit: found[1] };
  }
  if (unit === "B") {
    let divisor = 1;
    for (const name of BYTES) {
      if (Math.abs(size) / divisor < 1023.5) return { divisor, unit: name };
      divisor *= 1024;
    }
  }
  return { divisor: 1, unit: unit === "1" ? "" : unit };
}

/** A number without unit: whole ones exactly, others to 4 digits. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value + 0);
  const e = exponent(value, digits);
  if (e >= -4 && e < 6) return trimmed(value.toFixed(Math.max(0, digits - 1 - e)));
  const [mantissa, power] = value.toExponential(digits - 1).split("e");
  return `${trimmed(mantissa ?? "")}e${Number(power)}`;
}

/** A number as it was given: all of its digits. */
export function exact(value: number): string {
  return Number.isFinite(value) ? String(value + 0) : number(value);
}

/** A value with its unit, to so many significant digits. */
export function quantity(value: number, unit: Unit, digits = 3): string {
  if (!Number.isFinite(value)) return number(value);
  const { divisor, unit: name } = prefix(value, unit, digits);
  const scaled = value / divisor;
  const e = exponent(scaled, digits);
  const text =
    unit === "s" && value !== 0 && e < 6 && e > -4
      ? scaled.toFixed(Math.max(0, digits - 1 - e))
      : number(scaled, digits);
  return name === "" ? text : `${text} ${name}`;
}

/** A range in one unit. */
export function range(low: number, high: number, unit: Unit): string {
  return `${quantity(low, unit)} to ${quantity(high, unit)}`;
}

/** A share as percent. */
export function percent(share: number): string {
  const value = 100 * share;
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return `${number(value)} %`;
  if (size < 1e-7) return "0 %";
  if (size < 0.001) return "< 0.001 %";
  if (size < 0.0995) return `${value.toFixed(-exponent(value, 1))} %`;
  return `${value.toFixed(size < 9.95 ? 1 : 0)} %`;
}

/** `1 point`, `5 points`. */
export function count(howMany: number, one: string, many: string): string {
  return `${howMany.toLocaleString("en")} ${howMany === 1 ? one : many}`;
}

/** A value to the digits that its range allows, as the text report writes it. */
export function within(value: number, low: number, high: number, unit: Unit): string {
  const half = 0.5 * Math.abs(high - low);
  if (!Number.isFinite(value) || !Number.isFinite(half) || half === 0 || value === 0) return quantity(value, unit, 4);
  const [leading = "0", power = "0"] = half.toExponential(2).split("e");
  const place = Number(power) - (Number(leading) < 3.55 ? 1 : 0);
  const digits = exponent(value, 12) - place + 1;
  return quantity(value, unit, Math.min(12, Math.max(3, digits)));
}

/** How many times, without the sign: `1.23`, `12`. */
export function times(ratio: number): string {
  const size = Math.abs(ratio);
  if (!Number.isFinite(size) || size >= 99_999.5 || (size !== 0 && size < 0.01)) return number(ratio);
  if (size < 9.995) return trimmed(ratio.toFixed(2));
  return size < 99.95 ? trimmed(ratio.toFixed(1)) : ratio.toFixed(0);
}

/** Seconds as people say long times: `2 min 5 s`; null if they are short, or longer than anyone waits. */
export function clock(seconds: number): string | null {
  if (!(seconds >= 120 && seconds < 1e11)) return null;
  const [large, small, first, second]: [number, number, string, string] =
    seconds < 3600
      ? [60, 1, "min", "s"]
      : seconds < 86_400
        ? [3600, 60, "h", "min"]
        : seconds < 365 * 86_400
          ? [86_400, 3600, "d", "h"]
          : [365.25 * 86_400, 86_400, "years", "d"];
  const parts = Math.round(seconds / small);
  const each = large / small;
  const whole = Math.floor(parts / each);
  const rest = Math.round(parts - whole * each);
  const name = whole === 1 && first === "years" ? "year" : first;
  return rest === 0 || whole >= 100 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${second}`;
}
