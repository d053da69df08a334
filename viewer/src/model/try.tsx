// A slider and a field for each variable. They move the prediction in the answer and in the plot.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { exact } from "../shell/numbers";
import { shown } from "../shell/text";
import { type Askable, type Asked, useAsked } from "./asked";
import type { ExperimentData } from "./data";
import { addressOf, linkTo, questionIn } from "./link";
import { Predictor } from "./predictor";
import { clockOf, doubtsOf, intervalOf, placeOf, timeOf, warningsOf, whereabouts } from "./sentence";
import { parse, type Size } from "./size";
import { nearest, stopsOf } from "./stops";

interface Props extends Askable {
  /** The key of its links. */
  link: string;
  /** Its part of the page, which is shown if the link leads to it. */
  part: HTMLElement | null;
}

/** Links are written so long after the last movement: browsers refuse many in a row. */
const LATER = 300;

export function Try({ model, fit, data, link, part }: Props) {
  const start = data.start;
  const [values, setValues] = useState<Size>(() => linked(link, start) ?? start);
  const [asked, ask] = useAsked(data);
  const [broken, setBroken] = useState("");
  const ready = useRef<Promise<Predictor> | null>(null);
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stops = useMemo(() => start.map(([name, value]) => stopsOf(fit, name, value)), [fit]);

  useEffect(() => {
    let isCurrent = true;
    const answer = async () => {
      try {
        ready.current ??= Predictor.unpack();
        const predictor = await ready.current;
        const predict = (at: Size) => predictor.predict(model, at);
        if (isCurrent) ask({ at: values, prediction: predict(values), predict });
      } catch (reason) {
        setBroken(reason instanceof Error ? reason.message : String(reason));
      }
    };
    void answer();
    return () => {
      isCurrent = false;
    };
  }, [values]);
  useEffect(() => {
    const follow = () => {
      const found = linked(link, start);
      if (!found) return;
      setValues(found);
      reveal(part);
    };
    if (linked(link, start)) reveal(part);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  const question = values.map(([name, value]) => `${name}=${exact(value)}`).join(", ");
  const hash = linkTo(link, question);
  const move = (name: string, value: number) => {
    const moved = values.map(([other, old]): [string, number] => [other, other === name ? value : old]);
    setValues(moved);
    const text = moved.map(([name, value]) => `${name}=${exact(value)}`).join(", ");
    clearTimeout(later.current);
    later.current = setTimeout(() => history.replaceState(null, "", linkTo(link, text)), LATER);
  };
  return (
    <div class="try">
      {values.map(([name, value], k) => (
        <Slider key={name} name={name} value={value} stops={stops[k] ?? []} move={(v) => move(name, v)} />
      ))}
      {broken ? (
        <p class="caution">No prediction: {broken}</p>
      ) : (
        asked && <Sentence asked={asked} unit={model.unit} data={data} />
      )}
      {values.length > 0 && <Share hash={hash} />}
    </div>
  );
}

/** The values of the page's link, the others as they are at the start; null if the link has none for this one. */
function linked(key: string, start: Size): Size | null {
  const question = questionIn(location.hash, key);
  if (question === null) return null;
  const { sizes, error } = parse(
    question,
    start.map(([name]) => name),
  );
  const [only, ...others] = sizes;
  if (error || !only || others.length > 0) return null;
  return start.map(([name, value]) => only.find(([other]) => other === name) ?? [name, value]);
}

/** Unfolds the part and shows it. */
function reveal(part: HTMLElement | null): void {
  if (!part) return;
  const folded = part.closest("details");
  if (folded) folded.open = true;
  part.scrollIntoView();
}

function Slider(props: { name: string; value: number; stops: number[]; move: (value: number) => void }) {
  const { name, value, stops, move } = props;
  const [text, setText] = useState(exact(value));
  const [wrong, setWrong] = useState("");
  const label = shown(name);
  useEffect(() => {
    // What is typed stays as it was typed.
    if (parse(text, [name]).sizes[0]?.[0]?.[1] === value) return;
    setText(exact(value));
    setWrong("");
  }, [value]);
  const type = (typed: string) => {
    setText(typed);
    const { sizes, error } = parse(typed, [name]);
    const only = sizes.length === 1 ? sizes[0]?.[0] : undefined;
    const several = sizes.length > 1 ? "one value; several sizes have a field below" : "";
    setWrong(error || several);
    if (!error && only) move(only[1]);
  };
  return (
    <div class="slider">
      <label>
        <bdi>{label}</bdi>{" "}
        <input
          type="text"
          inputMode="text"
          value={text}
          aria-invalid={wrong !== ""}
          aria-label={`${label}, value`}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      {stops.length > 1 && (
        <input
          type="range"
          min={0}
          max={stops.length - 1}
          step={1}
          value={nearest(stops, value)}
          aria-label={label}
          aria-valuetext={`${label} = ${exact(value)}`}
          onInput={(event) => {
            const stop = stops[Number(event.currentTarget.value)];
            if (stop !== undefined) move(stop);
          }}
        />
      )}
      <p class="wrong" role="alert">
        {wrong}
      </p>
    </div>
  );
}

function Sentence({ asked, unit, data }: { asked: Asked; unit: string; data: ExperimentData }) {
  const { prediction } = asked;
  const { text, inside } = whereabouts(prediction);
  const isDoubtful = !data.measurable;
  const isCertain = inside && data.doubts.length === 0;
  const { repetitions, run_low: low, run_high: high } = prediction;
  const run = (repetitions ?? 1) > 1 && low !== null && high !== null ? { ...prediction, low, high } : null;
  return (
    <div role="status">
      <ul class="predictions">
        <li data-value={prediction.value}>
          <bdi class="at">{placeOf(prediction.at) || "at any size"}</bdi>
          {prediction.value === null ? (
            <span class="caution">{shown(prediction.error ?? "no prediction")}</span>
          ) : (
            <>
              {isDoubtful ? (
                <span class="doubt">? {timeOf(prediction, unit)}</span>
              ) : (
                <b class="value">{timeOf(prediction, unit)}</b>
              )}
              <span class="range">{intervalOf(prediction, unit)}</span>
              <span class={`where ${isDoubtful ? "bad" : isCertain ? "good" : "caution"}`}>
                {clockOf(prediction, unit)}
                {text}
                {doubtsOf(data.doubts)}
              </span>
              {run && <span class="run">one run {intervalOf(run, unit)}</span>}
            </>
          )}
        </li>
      </ul>
      {prediction.value !== null && warningsOf(prediction).map((one) => <p class="caution">▲ {one}</p>)}
    </div>
  );
}

/** The link to these values: to be followed, or copied. */
function Share({ hash }: { hash: string }) {
  const [copied, setCopied] = useState<"" | "copied" | "by hand">("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setCopied(""), [hash]);
  useEffect(() => {
    if (copied === "by hand") field.current?.select();
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(addressOf(hash));
      setCopied("copied");
    } catch {
      // Browsers that keep the clipboard to themselves: the reader takes it from a field.
      setCopied("by hand");
    }
  };
  return (
    <p class="share">
      <button type="button" onClick={() => void copy()}>
        Copy link
      </button>{" "}
      <a href={hash}>Link to these values</a> <span role="status">{copied === "copied" && "copied"}</span>
      {copied === "by hand" && (
        <input ref={field} type="text" readOnly value={addressOf(hash)} aria-label="The link, to be copied" />
      )}
    </p>
  );
}
