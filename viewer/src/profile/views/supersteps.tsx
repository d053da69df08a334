// What the views of supersteps have in common: the range that is shown.

import { type Scene, superstepRange } from "../scene";

/** What a column is: a superstep, or a slice of time. */
export function stepWord(scene: Scene): string {
  return scene.profile.supersteps?.slice ? "slice" : "superstep";
}

export function NoSupersteps({ scene }: { scene: Scene }) {
  const why =
    scene.profile.head.source.source === "oxford"
      ? "A profile of the Oxford BSP Toolset has sums, not single supersteps."
      : "The page has no supersteps.";
  return <p class="nothing">{why}</p>;
}

/** Makes the range smaller or larger around a superstep, or moves it. Returns whether the key does that. */
export function zoomKey(scene: Scene, key: string, around: number): boolean {
  const last = (scene.profile.supersteps?.count ?? 1) - 1;
  const { from, to } = superstepRange(scene);
  const size = to - from + 1;
  const show = (begin: number, count: number) => {
    const length = Math.max(1, Math.min(last + 1, Math.round(count)));
    const first = Math.max(0, Math.min(last + 1 - length, Math.round(begin)));
    scene.set({ supersteps: length === last + 1 ? null : { from: first, to: first + length - 1 } });
  };
  const middle = around >= from && around <= to ? around : (from + to) / 2;
  switch (key) {
    case "+":
    case "=":
      show(middle - size / 4, size / 2);
      return true;
    case "-":
      show(middle - size, size * 2);
      return true;
    case "0":
      scene.set({ supersteps: null });
      return true;
    case "PageUp":
      show(from - size, size);
      return true;
    case "PageDown":
      show(from + size, size);
      return true;
    default:
      return false;
  }
}

export function RangeTools({ scene }: { scene: Scene }) {
  const steps = scene.profile.supersteps;
  const { from, to } = superstepRange(scene);
  const last = (steps?.count ?? 1) - 1;
  const field = (name: string, value: number, set: (value: number) => void) => (
    <label>
      {name}
      <input
        type="number"
        min={0}
        max={last}
        value={value}
        onChange={(event) => {
          const typed = Math.round(Number(event.currentTarget.value));
          if (Number.isFinite(typed)) set(Math.max(0, Math.min(last, typed)));
        }}
      />
    </label>
  );
  return (
    <>
      {field("from", from, (value) => scene.set({ supersteps: { from: value, to: Math.max(value, to) } }))}
      {field("to", to, (value) => scene.set({ supersteps: { from: Math.min(from, value), to: value } }))}
      <button type="button" disabled={scene.state.supersteps === null} onClick={() => scene.set({ supersteps: null })}>
        all
      </button>
      {steps && steps.perColumn > 1 && (
        <span class="faint">
          Up to {steps.perColumn} consecutive supersteps are added up: the page has no room for each.
        </span>
      )}
    </>
  );
}
