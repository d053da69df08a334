// Names come from other people's programs: what a reader's eyes would obey is shown instead.

const OBEYED =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\ufeff\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** More of a name than this is never shown. */
const LONGEST = 400;

/** Control characters, invisible and direction-changing ones as escapes; cut where it is endless. */
export function shown(text: string): string {
  const cut = text.length > LONGEST ? `${[...text.slice(0, LONGEST)].slice(0, -1).join("")}…` : text;
  return cut.replace(OBEYED, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Text for markup: SVG files are written as text. */
export function escaped(text: string): string {
  return shown(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
