// The field for a size: what every model of the page predicts there.

import { useRef, useState } from "preact/hooks";
import { number, quantity, range } from "../shell/numbers";
import { shown } from "../shell/text";
import type { ExperimentModel } from "./data";
import { type Domain, type Prediction, Predictor } from "./predictor";
import { parse } from "./size";

interface Answer {
  model: ExperimentModel;
  prediction: Prediction;
}

export function Ask({ models, doubtful }: { models: ExperimentModel[]; doubtful: boolean }) {
  const names = [...new Set(models.flatMap((one) => one.fit?.variables ?? []))];
  const [answers, setAnswers] = useState<Answer[]>([]);
  const [wrong, setWrong] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const predictor = useRef<Promise<Predictor> | null>(null);

  const ask = async (event: Event) => {
    event.preventDefault();
    const { values, error } = parse(field.current?.value ?? "", names);
    setWrong(error);
    if (error) return setAnswers([]);
    try {
      const ready = await (predictor.current ??= Predictor.unpack());
      setAnswers(models.map((model) => ({ model, prediction: ready.predict(model, values) })));
    } catch (reason) {
      setWrong(reason instanceof Error ? reason.message : String(reason));
    }
  };

  const example = names.map((name, k) => `${shown(name)}=${k === 0 ? "2^12" : "8"}`).join(", ");
  return (
    <form class="ask" onSubmit={ask}>
      <label>
        Size{" "}
        <input ref={field} type="text" name="size" placeholder={example} aria-describedby="ask-wrong" />
      </label>{" "}
      <button type="submit">Predict</button>
      <p id="ask-wrong" role="alert">
        {wrong}
      </p>
      <div role="status">
        {answers.length > 0 && (
          <div class="scroll" tabIndex={0} role="group" aria-label="Predictions">
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
                {answers.map(({ model, prediction }) => (
                  <Row model={model} prediction={prediction} doubtful={doubtful} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </form>
  );
}

function Row({ model, prediction, doubtful }: Answer & { doubtful: boolean }) {
  const { value, low, high, averaged, confidence, repetitions, run_low, run_high } = prediction;
  const at = prediction.at.map(([name, v]) => `${shown(name)} = ${number(v)}`).join(", ");
  const level = confidence === null ? "" : ` (${number(100 * confidence)} %)`;
  const several = (repetitions ?? 1) > 1;
  const runs = several ? `, ${repetitions} runs together` : "";
  const warnings = prediction.warnings.filter((one) => !["beyond", "apart", "between"].includes(one.code));
  return (
    <tr>
      <th scope="row">
        <bdi>{shown(model.name)}</bdi>
      </th>
      <td>{at}</td>
      <td data-value={value}>
        {value === null ? "none" : `${doubtful ? "? " : ""}${quantity(value, model.unit, 4)}`}
        {averaged?.value != null && (
          <p>averaged over all formulas: {quantity(averaged.value, model.unit, 4)}</p>
        )}
      </td>
      <td>
        {low !== null && high !== null ? `${range(low, high, model.unit)}${level}${runs}` : "not known"}
        {several && run_low !== null && run_high !== null && <p>one run: {range(run_low, run_high, model.unit)}</p>}
        {averaged?.low != null && averaged.high != null && (
          <p>averaged: {range(averaged.low, averaged.high, model.unit)}</p>
        )}
      </td>
      <td>
        {prediction.error ? shown(prediction.error) : prediction.domain && place(prediction.domain)}
        {warnings.map((one) => (
          <p>{shown(one.text)}</p>
        ))}
      </td>
    </tr>
  );
}

/** The position relative to the data. */
function place(domain: Domain): string {
  const { variable = "", value = 0, nearest } = domain;
  switch (domain.where) {
    case "inside":
      return "inside the data";
    case "between":
      return `between two intervals, ${number(domain.last_left ?? 0)} and ${number(domain.first_right ?? 0)}`;
    case "apart":
      return `${(domain.variables ?? []).map(shown).join(" and ")} were not measured together there`;
    case "beyond":
      return typeof nearest === "number"
        ? `beyond the data: ${shown(variable)} = ${number(value)}, nearest measured ${number(nearest)}`
        : "beyond the data";
  }
}
