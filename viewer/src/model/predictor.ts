// The predictions of `cll predict`: its own code, compiled to WebAssembly (viewer/predict). It is unpacked when it is
// first used.

import type { ExperimentModel } from "./data";

/** As `predictions[]` of `cll predict --json` has it; `at` is in the order of the formula. */
export interface Prediction {
  at: [string, number][];
  assumed: string[];
  value: number | null;
  low: number | null;
  high: number | null;
  repetitions: number | null;
  run_low: number | null;
  run_high: number | null;
  confidence: number | null;
  domain: Domain | null;
  follows: boolean | null;
  averaged: { value: number | null; low: number | null; high: number | null; error: string | null } | null;
  warnings: { code: string; text: string }[];
  error: string | null;
}

export interface Domain {
  where: "inside" | "between" | "beyond" | "apart";
  variable?: string;
  value?: number;
  nearest?: number | number[][];
  factor?: number | null;
  last_left?: number;
  first_right?: number;
  variables?: string[];
  values?: number[];
}

interface Exports {
  memory: WebAssembly.Memory;
  input(bytes: number): number;
  output(): number;
  load(): number;
  predict(model: number): number;
}

export class Predictor {
  private readonly known = new Map<ExperimentModel, number>();

  private constructor(private readonly code: Exports) {}

  /** From the element of the page that has it. */
  static async unpack(): Promise<Predictor> {
    const text = document.getElementById("cll-predict")?.textContent;
    if (!text) throw new Error("the page has no program for predictions");
    if (typeof DecompressionStream === "undefined" || typeof WebAssembly === "undefined") {
      throw new Error("this browser has no DecompressionStream or no WebAssembly");
    }
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return Predictor.of(await new Response(stream).arrayBuffer());
  }

  static async of(bytes: BufferSource): Promise<Predictor> {
    const { instance } = await WebAssembly.instantiate(bytes);
    return new Predictor(instance.exports as unknown as Exports);
  }

  /** What an experiment's fit says for these values. */
  predict(model: ExperimentModel, given: [string, number][]): Prediction {
    let index = this.known.get(model);
    if (index === undefined) {
      this.write({ fit: model.fit, average: model.search?.average ?? null });
      index = this.code.load();
      if (index < 0) throw new Error("the model in the page cannot be read");
      this.known.set(model, index);
    }
    this.write(given);
    const length = this.code.predict(index);
    if (length === 0) throw new Error("the values cannot be read");
    const answer = new Uint8Array(this.code.memory.buffer, this.code.output(), length);
    return JSON.parse(new TextDecoder().decode(answer)) as Prediction;
  }

  private write(value: unknown): void {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const at = this.code.input(bytes.length);
    new Uint8Array(this.code.memory.buffer, at, bytes.length).set(bytes);
  }
}
