// The field for sizes: what every model of the page predicts there. The question is in the page's link.

import { useEffect, useRef, useState } from "preact/hooks";
import { number, quantity, range } from "../shell/numbers";
import { shown } from "../shell/text";
import { FIRST, linkTo, questionIn } from "./link";
import { type Prediction, Predictor } from "./predictor";
import { placeOf, warningsOf, whereabouts } from "./sentence";
import { parse } from "./size";
import type { Fitted } from "./together";

interface Answer {
  one: Fitted;
  prediction: Prediction;
}

export function Ask({ all }: { all: Fitted[] }) {
  const names = [...new Set(all.flatMap(({ fit }) => fit.variables))];
  const [answers, setAnswers] = useState<Answer[]>([]);
  const [wrong, setWrong] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const predictor = useRef<Promise<Predictor> | null>(null);

  const answer = async (text: string) => {
    const { sizes, error } = parse(text, names);
    setWrong(error);
    if (error) return setAnswers([]);
    try {
      predictor.current ??= Predictor.unpack();
      const ready = await predictor.current;
      const of = (one: Fitted) => sizes.map((size) => ({ one, prediction: ready.predict(one.model, size) }));
      setAnswers(all.flatMap(of));
    } catch (reason) {
      setWrong(reason instanceof Error ? reason.message : String(reason));
    }
  };
  const ask = (event: Event) => {
    event.preventDefault();
    const text = field.current?.value ?? "";
    history.replaceState(null, "", text.trim() === "" ? " " : linkTo(FIRST, text));
    void answer(text);
  };
  useEffect(() => {
    const follow = () => {
      const text = questionIn(location.hash, FIRST);
      if (text === null || !field.current) return;
      field.current.value = text;
      void answer(text);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  const first = shown(names[0] ?? "N");
  const example =
    names.length === 1
      ? "3000, 4k or 100:1000:*2"
      : names.map((name, k) => `${shown(name)}=${k === 0 ? "2^12" : "8"}`).join(", ");
  return (
    <form class="ask" onSubmit={ask}>
      <label>
        {names.length === 1 ? first : "Size"}{" "}
        <input ref={field} type="text" name="size" placeholder={example} aria-describedby="ask-wrong" />
      </label>{" "}
      <button type="submit">Predict</button>
      <p id="ask-wrong" role="alert">
        {wrong}
      </p>
      <div role="status">
        {answers.length > 0 && (
          <div class="scroll answered" tabIndex={0} role="group" aria-label="Predictions">
            <table>
              <thead>
                <tr>
                  <th scope="col">experiment</th>
                  <th scope="col">at</th>
                  <th scope="col">prediction</th>
                  <th scope="col">interval</th>
                  <th scope="col">where</th>
                </tr>
              </thead>
              <tbody>
                {answers.map((answer) => (
                  <Row {...answer} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </form>
  );
}

function Row({ one: { model, data }, prediction }: Answer) {
  const { value, low, high, averaged, confidence, repetitions, run_low, run_high } = prediction;
  const level = confidence === null ? "" : ` (${number(100 * confidence)} %)`;
  const several = (repetitions ?? 1) > 1;
  const runs = several ? `, ${repetitions} runs together` : "";
  const doubt = data.measurable ? "" : "? ";
  return (
    <tr>
      <th scope="row">
        <bdi>{shown(model.name)}</bdi>
      </th>
      <td>{placeOf(prediction.at)}</td>
      <td data-value={value} class={data.measurable ? "value" : "bad"}>
        {value === null ? "none" : `${doubt}${quantity(value, model.unit, 4)}`}
        {averaged?.value != null && <p>averaged over all formulas: {quantity(averaged.value, model.unit, 4)}</p>}
      </td>
      <td>
        {low !== null && high !== null ? `${range(low, high, model.unit)}${level}${runs}` : "not known"}
        {several && run_low !== null && run_high !== null && <p>one run: {range(run_low, run_high, model.unit)}</p>}
        {averaged?.low != null && averaged.high != null && (
          <p>averaged: {range(averaged.low, averaged.high, model.unit)}</p>
        )}
      </td>
      <td>
        {!data.measurable && <p class="bad">not measurable: the machine was too disturbed</p>}
        {prediction.error ? shown(prediction.error) : prediction.domain && whereabouts(prediction).text}
        {warningsOf(prediction).map((one) => (
          <p>{one}</p>
        ))}
      </td>
    </tr>
  );
}
