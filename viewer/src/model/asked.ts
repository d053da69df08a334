// The values that an experiment is asked for. Sliders move them, and the plot shows the prediction for them: the two
// stand in islands of their own.

import { useEffect, useState } from "preact/hooks";
import type { ExperimentData, ExperimentModel, Fit, View } from "./data";
import type { Prediction } from "./predictor";
import type { Size } from "./size";

/** A prediction, and the model around it. */
export interface Asked {
  at: Size;
  prediction: Prediction;
  /** The prediction at a size. */
  predict: (at: Size) => Prediction;
}

/** The model along a variable through the values that are asked for. */
export interface AskedCurve {
  /** Where there is no number, the value is not a number. */
  x: number[];
  y: number[];
  low: number[];
  high: number[];
}

interface Shared {
  asked: Asked | null;
  tell: Set<(asked: Asked | null) => void>;
}

/** Values of a curve. */
const STEPS = 72;

const known = new WeakMap<ExperimentData, Shared>();

function sharedOf(data: ExperimentData): Shared {
  let shared = known.get(data);
  if (!shared) {
    shared = { asked: null, tell: new Set() };
    known.set(data, shared);
  }
  return shared;
}

/** What is asked, and how to ask something else. */
export function useAsked(data: ExperimentData): [Asked | null, (asked: Asked | null) => void] {
  const shared = sharedOf(data);
  const [asked, set] = useState(shared.asked);
  useEffect(() => {
    // It may have been asked before this one listened.
    set(shared.asked);
    shared.tell.add(set);
    return () => void shared.tell.delete(set);
  }, [data]);
  const ask = (asked: Asked | null) => {
    shared.asked = asked;
    for (const one of shared.tell) one(asked);
  };
  return [asked, ask];
}

/** Whether the page has a curve for the values of the other variables. */
export function isDrawn(view: View, slices: number[], asked: Asked): boolean {
  return slices.some((index) => {
    const at = Object.entries(view.slices[index]?.at ?? {});
    return at.every(([name, value]) => asked.at.every(([other, v]) => other !== name || v === value));
  });
}

/** The model along the variable of a view, from one value to another. */
export function curveThrough(view: View, { at, predict }: Asked, from: number, to: number): AskedCurve {
  const isRatio = from > 0;
  const curve: AskedCurve = { x: [], y: [], low: [], high: [] };
  for (let k = 0; k <= STEPS; k++) {
    const share = k / STEPS;
    const x = isRatio ? from * (to / from) ** share : from + share * (to - from);
    const size: Size = at.map(([name, value]) => [name, name === view.x ? x : value]);
    const { value, low, high } = predict(size);
    curve.x.push(x);
    curve.y.push(value ?? Number.NaN);
    curve.low.push(low ?? Number.NaN);
    curve.high.push(high ?? Number.NaN);
  }
  return curve;
}

/** An experiment that can be asked. */
export interface Askable {
  model: ExperimentModel;
  fit: Fit;
  data: ExperimentData;
}
