// The function bar: metric and kind of critical path, each one press away, and how figures are shown.

import { useState } from "preact/hooks";
import { shown } from "../../shell/text";
import { isByCalls, METRICS, termsOf } from "../data/profile";
import { type Kind, KINDS } from "../data/ranks";
import { revealing, type Scene } from "../scene";
import { number } from "../../shell/numbers";

const KEYS: Record<string, string> = { absolute: "a", imbalance: "i", relative: "r", weighted: "w" };

export function Functions({ scene }: { scene: Scene }) {
  const { state, set } = scene;
  const { metrics, path } = termsOf(scene.profile);
  const isOn = (kind: Kind, metric: number) => state.kind === kind && (kind === "synchronisation" || state.metric === metric);
  return (
    <div class="functions" role="group" aria-label="Function bar">
      <table class="paths">
        <caption>critical path</caption>
        <thead>
          <tr>
            <td />
            {METRICS.map((metric) => (
              <th scope="col">
                {metrics[metric]} <kbd>{metric + 1}</kbd>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.map((kind) => (
            <tr>
              <th scope="row">
                {kind} <kbd>{KEYS[kind]}</kbd>
              </th>
              {METRICS.map((metric) => (
                <td>
                  <button
                    type="button"
                    class="choice"
                    aria-pressed={isOn(kind, metric)}
                    aria-label={`${kind}:${metrics[metric]}`}
                    title={`${kind}:${metrics[metric]}`}
                    onClick={() => set({ kind, metric })}
                  >
                    {isOn(kind, metric) ? "●" : "○"}
                  </button>
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">
              {path} <kbd>y</kbd>
            </th>
            <td colSpan={4}>
              <button
                type="button"
                class="choice wide"
                aria-pressed={isOn("synchronisation", 0)}
                aria-label={path}
                onClick={() => set({ kind: "synchronisation" })}
              >
                {isOn("synchronisation", 0) ? "●" : "○"}
              </button>
            </td>
          </tr>
        </tbody>
      </table>
      <div class="options">
        <Choice scene={scene} field="merged" no="tree" yes="graph" hint="g" />
        <Choice scene={scene} field="full" no="small cards" yes="full cards" hint="c" />
        <Choice scene={scene} field="percent" no="time" yes="%" hint="p" />
        {scene.profile.head.h_unit === 1 && <Choice scene={scene} field="words" no="bytes" yes="words" hint="b" />}
        <button
          type="button"
          class="toggle"
          aria-pressed={state.shade === "absolute"}
          title="Shade by 1 - average/maximum, the same scale for every profile (s)"
          onClick={() => set({ shade: state.shade === "absolute" ? "rank" : "absolute" })}
        >
          shade 1 - A/M
        </button>
      </div>
      <Search scene={scene} />
      {!isByCalls(scene.profile) && <MachineChoice scene={scene} />}
    </div>
  );
}

function Choice(props: { scene: Scene; field: "merged" | "full" | "percent" | "words"; no: string; yes: string; hint: string }) {
  const { scene, field } = props;
  const on = scene.state[field];
  return (
    <span class="pair" role="group" aria-label={`${props.no} or ${props.yes}`}>
      <button type="button" class="choice" aria-pressed={!on} title={`(${props.hint})`} onClick={() => scene.set({ [field]: false })}>
        {props.no}
      </button>
      <button type="button" class="choice" aria-pressed={on} title={`(${props.hint})`} onClick={() => scene.set({ [field]: true })}>
        {props.yes}
      </button>
    </span>
  );
}

/** Goes to the next node that was found, or the one before. */
export function nextMatch(scene: Scene, back: boolean): void {
  const { matches, state } = scene;
  if (!matches || matches.length === 0) return;
  const after = matches.findIndex((at) => at > state.node);
  const before = matches.filter((at) => at < state.node).length - 1;
  const at = back ? (before < 0 ? matches.length - 1 : before) : after < 0 ? 0 : after;
  scene.set(revealing(scene, matches[at] ?? 0));
}

function Search({ scene }: { scene: Scene }) {
  const { state, set, matches } = scene;
  return (
    <div class="search" role="search">
      <label>
        <span>
          search <kbd>/</kbd>
        </span>
        <input
          type="search"
          id="search"
          value={state.search}
          onInput={(event) => set({ search: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter") nextMatch(scene, event.shiftKey);
            if (event.key === "Escape") {
              set({ search: "", onlyMatches: false });
              event.currentTarget.blur();
            }
          }}
        />
      </label>
      <span role="status">{matches ? `${number(matches.length)} found` : ""}</span>
      <label class="check">
        <input
          type="checkbox"
          checked={state.onlyMatches}
          disabled={!matches}
          onChange={(event) => set({ onlyMatches: event.currentTarget.checked })}
        />
        only these
      </label>
      <span class="hiding">
        <button type="button" disabled={state.node === 0} title="Hide the selected node with what is below it; no figure changes (x)" onClick={() => hide(scene)}>
          hide
        </button>
        <button type="button" disabled={state.hidden.length === 0} title="Show again what was hidden last (u)" onClick={() => unhide(scene)}>
          undo{state.hidden.length > 0 ? ` (${state.hidden.length} hidden)` : ""}
        </button>
      </span>
    </div>
  );
}

/** Hides the selected node. The figures of other nodes stay (the paper's elision). */
export function hide(scene: Scene): void {
  const { node, hidden } = scene.state;
  if (node === 0 || hidden.includes(node)) return;
  scene.set({ hidden: [...hidden, node], node: scene.profile.tree.parent[node] ?? 0 });
}

export function unhide(scene: Scene): void {
  const { hidden } = scene.state;
  const last = hidden[hidden.length - 1];
  if (last !== undefined) scene.set({ hidden: hidden.slice(0, -1), node: last });
}

const TYPED = "typed";

export function MachineChoice({ scene }: { scene: Scene }) {
  const { state, set, profile } = scene;
  const { machines } = profile.head;
  const known = machines.find(({ name }) => name === state.machine);
  const isTyped = state.machine !== "" && !known;
  const [open, setOpen] = useState(false);
  const [s = "", g = "", l = ""] = isTyped ? state.machine.split(",") : [];
  const type = (place: number, text: string) => {
    const parts = [s, g, l];
    parts[place] = text.replaceAll(",", ".");
    set({ machine: parts.join(",") });
  };
  return (
    <div class="machine">
      <label>
        <span>communication</span>
        <select
          value={isTyped || open ? TYPED : state.machine}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setOpen(value === TYPED);
            set({ machine: value === TYPED ? "100,1,1000" : value });
          }}
        >
          <option value="">as measured</option>
          {machines.map(({ name }) => (
            <option value={name}>as on {shown(name)}</option>
          ))}
          <option value={TYPED}>(s, g, l) …</option>
        </select>
      </label>
      {(isTyped || open) && (
        <span class="typed">
          {(
            [
              ["s", s, "Mflop/s"],
              ["g", g, "flop/word"],
              ["l", l, "flop"],
            ] as const
          ).map(([name, value, unit], place) => (
            <label>
              {name}
              <input type="text" inputMode="decimal" size={6} value={value} aria-describedby="machine-wrong" onInput={(event) => type(place, event.currentTarget.value)} />
              <small>{unit}</small>
            </label>
          ))}
        </span>
      )}
      <span id="machine-wrong" role="status" class={scene.priceWrong ? "bad" : "faint"}>
        {scene.priceWrong ||
          (scene.price
            ? `g·h + l: g = ${number(scene.price.g * 1e9, 3)} ns/B, l = ${number(scene.price.l * 1e6, 3)} µs. ${known?.notes.map(shown).join(" ") ?? ""}`
            : "")}
      </span>
    </div>
  );
}
