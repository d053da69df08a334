// Sizes as people type them, and as the commands read them: `N=2^21, P=32`, `N=100:1000:*2`, `4k`.

/** Values of variables by name. */
export type Size = [string, number][];

export interface Sizes {
  /** All combinations. */
  sizes: Size[];
  /** What is wrong with the text; empty if nothing is. */
  error: string;
}

/** Sizes that are answered at once. */
const MAX_SIZES = 500;

const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(k|M|G|T|Ki|Mi|Gi|Ti)?$/;
const MULTIPLIERS: Record<string, number> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** The sizes of a text; where there is one variable, its name may be left out. */
export function parse(text: string, names: string[]): Sizes {
  const wrong = (error: string): Sizes => ({ sizes: [], error });
  const given = new Map<string, number[]>();
  let last: number[] | undefined;
  for (const part of text.split(/[,;]/).map((one) => one.trim())) {
    if (part === "") continue;
    // Names may have any letter; the value is behind the last sign.
    const sign = part.lastIndexOf("=");
    const name = sign > 0 ? part.slice(0, sign).trim() : undefined;
    const only = names.length === 1 ? names[0] : undefined;
    if (name === undefined && last === undefined && only === undefined) {
      return wrong(`“${part}”: a value is written as N=2^21`);
    }
    if (name !== undefined && !names.includes(name)) {
      return wrong(`no model has a variable ${name}; there are ${names.join(", ")}`);
    }
    if (name !== undefined && given.has(name)) return wrong(`${name} is given twice`);
    const values = rangeOf(part.slice(sign + 1).trim());
    if (typeof values === "string") return wrong(name === undefined ? values : `${name}: ${values}`);
    // A list continues.
    if (name === undefined && last !== undefined) {
      last.push(...values);
    } else {
      given.set(name ?? only ?? "", values);
      last = values;
    }
  }
  if (given.size === 0 && names.length > 0) {
    return wrong(`give values, such as ${names.map((name) => `${name}=2^10`).join(", ")}`);
  }
  let sizes: Size[] = [[]];
  for (const [name, values] of given) {
    const each = [...new Set(values)];
    if (sizes.length * each.length > MAX_SIZES) {
      return wrong(`these are more than ${MAX_SIZES} sizes: cll predict answers them all`);
    }
    sizes = sizes.flatMap((before) => each.map((value): Size => [...before, [name, value]]));
  }
  return { sizes, error: "" };
}

/** The values of `3000`, `LO:HI`, `LO:HI:*FACTOR`, `LO:HI:+STEP`; or what is wrong. */
function rangeOf(text: string): number[] | string {
  const fields = text.split(":").map((one) => one.trim());
  const [first = "", second, step = "+1"] = fields;
  if (fields.length > 3) return `“${text}” is not a range such as LO:HI, LO:HI:*FACTOR or LO:HI:+STEP`;
  const low = numberOf(first);
  if (low === null) return `“${first}” is no number`;
  if (second === undefined) return [low];
  const high = numberOf(second);
  if (high === null) return `“${second}” is no number`;
  if (low > high) return `“${text}” is empty: ${low} is above ${high}`;
  const by = numberOf(step.slice(1).trim());
  if (by === null || !/^[*+]/.test(step)) return `“${text}”: a step is written as *2 or +100`;
  const isFactor = step.startsWith("*");
  if (isFactor ? by <= 1 || low <= 0 : by <= 0) {
    return isFactor
      ? `“${text}” never ends: it must begin above 0 and the factor must be above 1`
      : `“${text}” never ends: the step must be above 0`;
  }
  const values: number[] = [];
  for (let k = 0; values.length <= MAX_SIZES; k++) {
    const exact = isFactor ? low * by ** k : low + k * by;
    const value = isFactor && Number.isInteger(low) ? Math.round(exact) : exact;
    // Rounding errors may make the last value slightly larger than the upper bound.
    if (value > high + 1e-12 * Math.abs(high)) break;
    if (values.at(-1) !== value) values.push(value);
  }
  return values;
}

/** `3000`, `1e6`, `4k`, `2^21`. */
function numberOf(text: string): number | null {
  const parts = text.split("^").map((part) => plain(part.trim()));
  const [base, power = 1] = parts;
  if (parts.length > 2 || base == null || power === null) return null;
  const value = base ** power;
  return Number.isFinite(value) ? value : null;
}

function plain(text: string): number | null {
  const [, digits, multiplier] = NUMBER.exec(text) ?? [];
  if (digits === undefined) return null;
  return Number(digits) * (multiplier === undefined ? 1 : (MULTIPLIERS[multiplier] ?? Number.NaN));
}
