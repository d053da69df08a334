// Columns in the page: base64 of a zlib stream, in which a head of JSON tells where each column is.

export type Column = Float64Array | Float32Array | Uint32Array | Int32Array | Uint8Array;

/** Why the data of the page cannot be shown. */
export class Unreadable extends Error {}

const MAGIC = 0x434c4c43;

interface Entry {
  name: string;
  type: string;
  offset: number;
  length: number;
}

const TYPES: Record<string, { bytes: number; make: (buffer: ArrayBuffer, offset: number, length: number) => Column }> =
  {
    f64: { bytes: 8, make: (b, o, n) => new Float64Array(b, o, n) },
    f32: { bytes: 4, make: (b, o, n) => new Float32Array(b, o, n) },
    u32: { bytes: 4, make: (b, o, n) => new Uint32Array(b, o, n) },
    i32: { bytes: 4, make: (b, o, n) => new Int32Array(b, o, n) },
    u8: { bytes: 1, make: (b, o, n) => new Uint8Array(b, o, n) },
  };

/** A head with its columns. */
export class Columns {
  constructor(
    readonly head: Record<string, unknown>,
    private readonly columns: Map<string, Column>,
  ) {}

  /** A column of a type, of so many numbers. */
  get<T extends Column>(name: string, type: { new (length: number): T }, length: number): T {
    const found = this.columns.get(name);
    if (!(found instanceof type) || found.length !== length) {
      throw new Unreadable(`the column ${name} is missing or damaged`);
    }
    return found;
  }

  f64(name: string, length: number): Float64Array {
    return this.get(name, Float64Array, length);
  }
  f32(name: string, length: number): Float32Array {
    return this.get(name, Float32Array, length);
  }
  u32(name: string, length: number): Uint32Array {
    return this.get(name, Uint32Array, length);
  }
  i32(name: string, length: number): Int32Array {
    return this.get(name, Int32Array, length);
  }
  u8(name: string, length: number): Uint8Array {
    return this.get(name, Uint8Array, length);
  }
  /** How many numbers a column has. */
  length(name: string): number {
    return this.columns.get(name)?.length ?? 0;
  }
}

/** Whether the page has such data. */
export function has(name: string): boolean {
  return document.getElementById(`cll-${name}`) !== null;
}

/** Waits until the whole page has been read: what stands behind the first view's data. */
export function whole(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => addEventListener("DOMContentLoaded", () => done(), { once: true }));
}

/** Reads the data of a name. */
export async function decode(name: string): Promise<Columns> {
  const element = document.getElementById(`cll-${name}`);
  if (!element) throw new Unreadable(`the page has no data of the name ${name}`);
  if (typeof DecompressionStream === "undefined") {
    throw new Unreadable(
      "this browser cannot decompress them (it has no DecompressionStream; Chrome 80, Firefox 113 and Safari 16.4 have it)",
    );
  }
  let packed: Uint8Array<ArrayBuffer>;
  try {
    packed = bytes(element.textContent ?? "");
  } catch {
    throw new Unreadable("they are no base64: the page was changed");
  }
  let buffer: ArrayBuffer;
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    buffer = await new Response(stream).arrayBuffer();
  } catch {
    throw new Unreadable("they do not decompress: the page was changed or cut off");
  }
  return parse(buffer);
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const letters = atob(text);
  const found = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) found[k] = letters.charCodeAt(k);
  return found;
}

function parse(buffer: ArrayBuffer): Columns {
  const damaged = new Unreadable("their head is damaged: the page was changed");
  if (buffer.byteLength < 8) throw damaged;
  const view = new DataView(buffer);
  const size = view.getUint32(4, true);
  if (view.getUint32(0, false) !== MAGIC || size % 8 !== 0 || 8 + size > buffer.byteLength) throw damaged;
  let head: Record<string, unknown>;
  try {
    head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size))) as Record<string, unknown>;
  } catch {
    throw damaged;
  }
  const columns = new Map<string, Column>();
  const entries = head.columns;
  if (!Array.isArray(entries)) throw damaged;
  for (const { name, type, offset, length } of entries as Entry[]) {
    const kind = TYPES[type];
    const begin = 8 + size + offset;
    if (!kind || begin % kind.bytes !== 0 || !(length >= 0) || begin + length * kind.bytes > buffer.byteLength) {
      throw damaged;
    }
    columns.set(name, kind.make(buffer, begin, length));
  }
  return new Columns(head, columns);
}
