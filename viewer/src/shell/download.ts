// Files made in the page.

/** Hands a text to the reader as a file. */
export function download(name: string, type: string, text: string | string[]): void {
  const parts = Array.isArray(text) ? text : [text];
  const url = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName(name);
  link.click();
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name that no file system takes for something else. */
function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^[._]+/, "");
  return safe.slice(-120) || "cll";
}

/** A field of CSV. */
export function field(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of CSV, in pieces, so that no string of all is made. */
export function csv(head: string[], rows: Iterable<(string | number)[]>): string[] {
  const pieces: string[] = [];
  let lines = `${head.map(field).join(",")}\n`;
  for (const row of rows) {
    lines += `${row.map(field).join(",")}\n`;
    if (lines.length > 1 << 16) {
      pieces.push(lines);
      lines = "";
    }
  }
  pieces.push(lines);
  return pieces;
}
