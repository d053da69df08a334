// Buttons of a plot, and the key to what it shows.

import type { ComponentChildren } from "preact";
import { look } from "../plots/colours";
import type { Shape } from "../plots/pen";
import { shown } from "../shell/text";
import type { View } from "./data";
import type { Scene } from "./scene";

/** A button that is on or off. */
export function Toggle(props: {
  on: boolean;
  set: (on: boolean) => void;
  disabled?: boolean;
  children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class="toggle"
      aria-pressed={props.on}
      disabled={props.disabled ?? false}
      onClick={() => props.set(!props.on)}
    >
      {props.children}
    </button>
  );
}

const PATHS: Record<Shape, string> = {
  circle: "M12 3.7a4.3 4.3 0 1 0 .01 0z",
  square: "M8 4h8v8H8z",
  triangle: "M12 3l4.8 9H7.2z",
  wedge: "M12 13l4.8-9H7.2z",
  diamond: "M12 2.4l5.6 5.6-5.6 5.6L6.4 8z",
  cross: "M10.2 3.2h3.6v3h3v3.6h-3v3h-3.6v-3h-3V6.2h3z",
};

/** Line and mark of a slice. */
export function Swatch({ slice }: { slice: number }) {
  const { hue, shape, dash } = look(slice);
  return (
    <svg class={`swatch series${hue}`} viewBox="0 0 24 16" aria-hidden="true">
      <path d="M0 8h24" class="curve" stroke-dasharray={dash.join(" ")} />
      <path d={PATHS[shape]} class="point" />
    </svg>
  );
}

/** Which combinations of the other variables are shown. */
export function Slices(props: { view: View; chosen: number[]; choose: (chosen: number[]) => void }) {
  const { view, chosen, choose } = props;
  const turn = (index: number) =>
    choose(
      chosen.includes(index) ? chosen.filter((other) => other !== index) : [...chosen, index].sort((a, b) => a - b),
    );
  return (
    <fieldset class="slices">
      <legend class="visually-hidden">Values of the other variables</legend>
      {view.slices.map((slice, k) => (
        <label>
          <input
            type="checkbox"
            checked={chosen.includes(k)}
            disabled={chosen.length === 1 && chosen.includes(k)}
            onChange={() => turn(k)}
          />
          <Swatch slice={k} />
          <bdi>{shown(slice.label)}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

/** What the signs in the plot mean. */
export function Key({ view, scene, raw }: { view: View; scene: Scene; raw: boolean }) {
  const curves = scene.slices.flatMap((index) => view.slices[index]?.curves ?? []);
  const entries: [boolean, string, string][] = [
    [true, "measured", "measured, with quartiles and range"],
    [raw, "samples", "each sample"],
    [curves.length > 0, "curve", "model"],
    [curves.some((curve) => curve.low.length > 0), "band", "where a new measurement lies"],
    [curves.some((curve) => curve.beyond), "beyond", "beyond the data"],
    [view.boundaries.length > 0, "gap", "constants change"],
    [view.references.length > 0, "reference", "a cache is full"],
    [scene.markers.length > 0 || !!scene.asked?.marker, "prediction", "prediction with its interval"],
    [scene.points.some((p) => p.residual.excluded !== null), "left-out", "left out of the fit"],
  ];
  return (
    <figcaption>
      <ul class="key">
        {entries
          .filter(([there]) => there)
          .map(([, kind, text]) => (
            <li>
              <Sign kind={kind} />
              {text}
            </li>
          ))}
      </ul>
    </figcaption>
  );
}

function Sign({ kind }: { kind: string }) {
  const signs: Record<string, ComponentChildren> = {
    measured: (
      <>
        <path d="M12 1v14" class="whisker" />
        <path d="M12 5v6" class="box" />
        <path d={PATHS.circle} class="point" />
      </>
    ),
    samples: <path d="M4 9h2v2H4zM10 5h2v2h-2zM15 10h2v2h-2zM19 6h2v2h-2z" class="dots" />,
    curve: <path d="M0 12Q12 11 24 3" class="curve" />,
    band: <path d="M0 13Q12 11 24 1V8Q12 14 0 15z" class="band" />,
    beyond: <path d="M0 12Q12 11 24 3" class="curve beyond" stroke-dasharray=".1 5" />,
    gap: (
      <>
        <path d="M6 0h12v16H6z" class="gap" />
        <path d="M12 0v16" class="at" stroke-dasharray="4 3" />
      </>
    ),
    reference: <path d="M12 0v16" class="reference" stroke-dasharray="1.5 3" />,
    prediction: (
      <>
        <path d="M12 1v14M8 1h8M8 15h8" class="marker" />
        <path d="M12 3.4l4.6 4.6-4.6 4.6L7.4 8z" class="marker ground" />
      </>
    ),
    "left-out": <path d={PATHS.circle} class="left-out" />,
  };
  return (
    <svg class="swatch series0" viewBox="0 0 24 16" aria-hidden="true">
      {signs[kind]}
    </svg>
  );
}
