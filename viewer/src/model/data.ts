// The data in the page: what `docs/formats/page.md` describes.

import type { Kind } from "../plots/scale";

export interface PageData {
  format: "cll-page";
  version: 1;
  model: Model;
  experiments: ExperimentData[];
  /** The statements of constants, for each source for which they are known. */
  upsilon?: SetsOfSource[];
}

/** The sets of a source. */
export interface SetsOfSource {
  /** The number of the source in the page. */
  source: number;
  /** The name of the file with the sets. */
  file: string;
  kept: boolean;
  /** The version of the file that corrections are of, if the page is served. */
  version: string | null;
  sets: { source: string; crc32: string; by: string; experiments: SetsOfExperiment[] };
  /** Line, text, function of what may be put into sets, too. */
  statements: [number, string, string][];
  /** Of each experiment, in their order. */
  constants: { name: string; values: string[] }[][];
}

export interface SetsOfExperiment {
  name: string;
  formula: string;
  notes?: string[];
  statements: Statement[];
}

export interface Statement {
  line: number;
  text: string;
  function: string;
  constants: string[];
  by: string;
  times?: string;
  note?: string;
}

/** model.json, as far as the viewer uses it. */
export interface Model {
  program?: { name: string } | null;
  experiments: ExperimentModel[];
  sampling?: { rounds?: Round[] } | null;
}

export interface ExperimentModel {
  name: string;
  unit: string;
  observable?: string;
  variables?: string[];
  counters?: Counter[];
  misses?: Misses[];
  /** What predictions are averaged over, if the formula was searched. */
  search?: { average?: unknown } | null;
  fit: Fit | null;
}

/** What was recorded beside the time. */
export interface Counter {
  name: string;
  unit: string;
  points: {
    values: (number | null)[];
    count: number;
    median: number | null;
    minimum: number | null;
    maximum: number | null;
  }[];
}

/** Misses per access. */
export interface Misses {
  misses: string;
  accesses: string;
  points: { values: (number | null)[]; time_s: number | null; share: number | null }[];
}

export interface Fit {
  formula: { text: string };
  variables: string[];
  recorded: string[];
  intervals: { first: number; last: number }[];
  /** Divisions into regions; not there with intervals along one axis. */
  splits?: unknown[];
  residuals: Residual[];
}

/** A point beside the model. */
export interface Residual {
  values: (number | null)[];
  interval: number;
  measured: number;
  fitted: number;
  error: number;
  spread: {
    count: number;
    spikes: number;
    minimum: number;
    lower_quartile: number;
    median: number;
    upper_quartile: number;
    maximum: number;
  };
  excluded: string | null;
}

export interface Round {
  round: number;
  canary?: { chain?: number | null; width?: number | null; partner?: number | null } | null;
  marked?: string[];
  used?: boolean;
}

export interface ExperimentData {
  views: View[];
  samples: EncodedSamples | null;
  /** The values of the formula's variables at which sliders begin. */
  start: [string, number][];
  /** Whether the machine was quiet enough: else no number can be trusted. */
  measurable: boolean;
  /** Why its numbers are not to be believed as they stand. */
  doubts: { code: string; text: string }[];
}

/** The model along one variable. */
export interface View {
  x: string;
  x_scale: Kind;
  y_scale: Kind;
  slices: Slice[];
  boundaries: { low: number; high: number; at: number }[];
  references: { at: number; label: string }[];
  markers: Marker[];
  notes: string[];
}

/** The model at one combination of the other variables. */
export interface Slice {
  label: string;
  at: Record<string, number | null>;
  curves: Curve[];
}

export interface Curve {
  interval: number;
  beyond: boolean;
  x: number[];
  y: number[];
  low: number[];
  high: number[];
}

export interface Marker {
  x: number;
  y: number;
  band: [number, number] | null;
  label: string;
  series: number;
  beyond: boolean;
}

interface EncodedSamples {
  variables: string[];
  points: { values: (number | null)[]; count: number }[];
  encoding: "f32" | "f64";
  data: string;
  measured: number;
}

/** The samples of an experiment. */
export interface Samples {
  variables: string[];
  /** The values of each point. */
  points: (number | null)[][];
  /** The point of each sample. */
  point: Uint32Array;
  /** The number of each sample within its point. */
  order: Uint32Array;
  values: Float32Array | Float64Array;
  measured: number;
}

/** The data of this page; null if they are damaged. */
export function read(): PageData | null {
  const text = document.getElementById("cll-data")?.textContent;
  try {
    const data = JSON.parse(text ?? "null") as PageData | null;
    return data?.format === "cll-page" && data.version === 1 ? data : null;
  } catch {
    return null;
  }
}

const decoded = new WeakMap<EncodedSamples, Samples>();

/** The samples of an experiment, decoded when they are first asked for. */
export function samplesOf(data: ExperimentData): Samples | null {
  if (!data.samples) return null;
  const known = decoded.get(data.samples);
  if (known) return known;
  const samples = decode(data.samples);
  decoded.set(data.samples, samples);
  return samples;
}

function decode({ variables, points, encoding, data, measured }: EncodedSamples): Samples {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const values = encoding === "f32" ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  const point = new Uint32Array(values.length);
  const order = new Uint32Array(values.length);
  let at = 0;
  points.forEach(({ count }, index) => {
    for (let k = 0; k < count && at < point.length; k++, at++) {
      point[at] = index;
      order[at] = k;
    }
  });
  return { variables, points: points.map((one) => one.values), point, order, values, measured };
}

/** What is measured, for axes. */
export function observable(experiment: ExperimentModel): string {
  const name = experiment.observable ?? "time";
  if (name !== "time" && name !== "") return name;
  return experiment.unit === "s" ? "time" : experiment.unit;
}
