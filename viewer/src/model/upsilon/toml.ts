// The file of the sets, as `docs/formats/upsilon.md` describes it.

import type { Statement } from "../data";
import { type Corrections, isListed } from "./corrections";

/** The file with all corrections. */
export function toml({ page, entries }: Corrections): string {
  const { sets } = page;
  const lines = [
    "# Which statements the constants of each formula stand for.",
    '# After a correction of `constants` write by = "hand"; `cll upsilon check` checks the file.',
    "cll-upsilon = 1",
    `source = ${quoted(sets.source)}`,
    `crc32 = ${quoted(sets.crc32)}`,
  ];
  if (sets.by) lines.push(`by = ${quoted(sets.by)}`);
  sets.experiments.forEach((one, k) => {
    lines.push("", "[[experiments]]", `name = ${quoted(one.name)}`, `formula = ${quoted(one.formula)}`);
    const notes = one.notes ?? [];
    if (notes.length > 0) lines.push("notes = [", ...notes.map((note) => `  ${quoted(note)},`), "]");
    const listed = (entries[k] ?? []).filter(isListed).map(({ now }) => now);
    listed.sort((a, b) => a.line - b.line);
    lines.push("statements = [", ...listed.map((now) => `  ${row(now)},`), "]");
  });
  return `${lines.join("\n")}\n`;
}

function row(one: Statement): string {
  const more = (["times", "function", "note"] as const)
    .filter((key) => one[key])
    .map((key) => `, ${key} = ${quoted(one[key] ?? "")}`);
  const constants = one.constants.map(quoted).join(", ");
  return `{ line = ${one.line}, text = ${quoted(one.text)}, constants = [${constants}], by = ${quoted(one.by)}${more.join("")} }`;
}

/** A text as `cll` writes it: plain if it can be, else with escapes. */
function quoted(text: string): string {
  const control = /[\u0000-\u001f\u007f-\u009f]/;
  if (/["\\]/.test(text) && !text.includes("'") && !control.test(text)) return `'${text}'`;
  const escaped = (c: string) =>
    c === '"' || c === "\\" ? `\\${c}` : `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  return `"${text.replace(/["\\\u0000-\u001f\u007f-\u009f]/g, escaped)}"`;
}
