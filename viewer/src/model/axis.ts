// What the plots of an experiment have in common: the variable that they go along, how it is placed, and which
// combinations of the others are shown. They stand in islands of their own.

import { useEffect, useState } from "preact/hooks";
import type { Kind } from "../plots/scale";
import type { ExperimentData, View } from "./data";

export interface Axis {
  /** Index of the view. */
  along: number;
  kind: Kind;
  /** Indices of the slices that are shown. */
  chosen: number[];
}

interface Shared {
  axis: Axis;
  tell: Set<(axis: Axis) => void>;
}

/** Slices that are shown at first. */
const FIRST = 6;

const known = new WeakMap<ExperimentData, Shared>();

/** The axis along a view, as it is at first. */
export function axisOf(view: View | undefined, along: number): Axis {
  return { along, kind: view?.x_scale ?? "linear", chosen: view ? spreadOut(view) : [] };
}

/** The axis, and how to change it for all. */
export function useAxis(data: ExperimentData): [Axis, (axis: Axis) => void] {
  let shared = known.get(data);
  if (!shared) {
    shared = { axis: axisOf(data.views[0], 0), tell: new Set() };
    known.set(data, shared);
  }
  const { tell } = shared;
  const [axis, set] = useState(shared.axis);
  useEffect(() => {
    // Another may have changed it before this one listened.
    set(known.get(data)?.axis ?? axis);
    tell.add(set);
    return () => void tell.delete(set);
  }, [data]);
  const change = (axis: Axis) => {
    known.set(data, { axis, tell });
    for (const one of tell) one(axis);
  };
  return [axis, change];
}

/** As many slices as can be told apart, from the first to the last. */
function spreadOut(view: View): number[] {
  const all = view.slices.length;
  if (all <= FIRST) return view.slices.map((_, k) => k);
  return Array.from({ length: FIRST }, (_, k) => Math.round((k * (all - 1)) / (FIRST - 1)));
}
