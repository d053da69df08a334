// A size as people type it: `N=2^21, P=32`.

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The values by name; or what is wrong with the text. */
export function parse(text: string, names: string[]): { values: [string, number][]; error: string } {
  const values: [string, number][] = [];
  const wrong = (error: string) => ({ values: [], error });
  for (const part of text.split(/[,;]/).map((one) => one.trim())) {
    if (part === "") continue;
    // Names may have any letter; the value is behind the last sign.
    const sign = part.lastIndexOf("=");
    if (sign < 1) return wrong(`“${part}”: a value is written as N=2^21`);
    const name = part.slice(0, sign).trim();
    if (!names.includes(name)) return wrong(`no model has a variable ${name}; there are ${names.join(", ")}`);
    if (values.some(([known]) => known === name)) return wrong(`${name} is given twice`);
    const value = numberOf(part.slice(sign + 1).trim());
    if (value === null) return wrong(`${name}: “${part.slice(sign + 1).trim()}” is no number`);
    values.push([name, value]);
  }
  return values.length === 0 && names.length > 0
    ? wrong(`give values, such as ${names.map((name) => `${name}=2^10`).join(", ")}`)
    : { values, error: "" };
}

/** `3000`, `1e6`, `2^21`. */
function numberOf(text: string): number | null {
  const parts = text.split("^").map((part) => part.trim());
  if (parts.length > 2 || !parts.every((part) => NUMBER.test(part))) return null;
  const [base = Number.NaN, power = 1] = parts.map(Number);
  const value = base ** power;
  return Number.isFinite(value) ? value : null;
}
