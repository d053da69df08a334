// The function bar: metric and kind of critical path, each one press away, and how figures are shown.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { number } from "../../shell/numbers";
import { shown } from "../../shell/text";
import { isByCalls, METRICS, termsOf } from "../data/profile";
import { KINDS, type Kind } from "../data/ranks";
import { revealing, type Scene } from "../scene";
import { ORDERS, type Order, type Tab } from "../state";

const KEYS: Record<string, string> = { absolute: "a", imbalance: "i", relative: "r", weighted: "w" };

/** Where each control acts: nowhere else it is shown. */
const ACTS: Record<
  "paths" | "order" | "metrics" | "merged" | "full" | "percent" | "words" | "shade" | "search" | "machine",
  readonly Tab[]
> = {
  paths: ["graph", "flame", "table", "source"],
  order: ["graph", "flame", "table"],
  metrics: ["heat"],
  merged: ["graph"],
  full: ["graph"],
  percent: ["graph", "flame", "table", "source"],
  words: ["graph", "flame", "table", "source", "heat", "timeline", "traffic"],
  shade: ["graph", "flame", "table", "source"],
  search: ["graph", "flame", "table"],
  machine: ["graph", "flame", "table", "source"],
};

export function Functions({ scene }: { scene: Scene }) {
  const { state, set } = scene;
  const acts = (control: keyof typeof ACTS) => ACTS[control].includes(state.tab);
  const inBytes = scene.profile.head.h_unit === 1;
  const few = !acts("paths");
  if (few && !acts("metrics") && !(acts("words") && inBytes)) return null;
  return (
    <div class={few ? "functions few" : "functions"} role="group" aria-label="Function bar">
      {acts("paths") && <Paths scene={scene} />}
      {acts("metrics") && <Metrics scene={scene} />}
      {acts("order") && <Siblings scene={scene} />}
      <div class="options">
        {acts("merged") && <Choice scene={scene} field="merged" no="tree" yes="graph" hint="g" />}
        {acts("full") && <Choice scene={scene} field="full" no="small cards" yes="full cards" hint="c" />}
        {acts("percent") && <Choice scene={scene} field="percent" no="time" yes="%" hint="p" />}
        {acts("words") && inBytes && <Choice scene={scene} field="words" no="bytes" yes="words" hint="b" />}
        {acts("shade") && (
          <button
            type="button"
            class="toggle"
            aria-pressed={state.shade === "absolute"}
            title="Shade by 1 - average/maximum, the same scale for every profile (s)"
            onClick={() => set({ shade: state.shade === "absolute" ? "rank" : "absolute" })}
          >
            shade 1 - A/M
          </button>
        )}
      </div>
      {acts("search") && <Search scene={scene} />}
      {acts("machine") && !isByCalls(scene.profile) && <MachineChoice scene={scene} />}
    </div>
  );
}

/** Rows of choices of which one holds: one stop of Tab, and the arrow keys go through them. */
function Radios(props: {
  label: string;
  rows: { name: string; checked: boolean; choose: () => void }[][];
  children: (radio: (row: number, column: number) => ComponentChildren) => ComponentChildren;
}) {
  const { label, rows } = props;
  const id = (row: number, column: number) => `${label}-${row}-${column}`.replaceAll(" ", "-");
  const key = (event: KeyboardEvent) => {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const row = rows.findIndex((all) => all.some(({ checked }) => checked));
    if (!by || row < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const column = rows[row]?.findIndex(({ checked }) => checked) ?? 0;
    const nextRow = (row + (by[0] ?? 0) + rows.length) % rows.length;
    const wide = rows[nextRow]?.length ?? 1;
    const next = by[0] ? Math.min(column, wide - 1) : (column + (by[1] ?? 0) + wide) % wide;
    rows[nextRow]?.[next]?.choose();
    document.getElementById(id(nextRow, next))?.focus();
  };
  const radio = (row: number, column: number) => {
    const { name = "", checked = false, choose = () => {} } = rows[row]?.[column] ?? {};
    return (
      <button
        type="button"
        class="choice"
        role="radio"
        id={id(row, column)}
        aria-checked={checked}
        aria-label={name}
        title={name}
        tabIndex={checked ? 0 : -1}
        onClick={choose}
      >
        {checked ? "●" : "○"}
      </button>
    );
  };
  return (
    <div role="radiogroup" aria-label={label} onKeyDown={key}>
      {props.children(radio)}
    </div>
  );
}

function Paths({ scene }: { scene: Scene }) {
  const { state, set } = scene;
  const { metrics, path } = termsOf(scene.profile);
  const counted = state.kind === "synchronisation";
  const rows = KINDS.map((kind) =>
    METRICS.map((metric) => ({
      name: `${kind}:${metrics[metric]}`,
      checked: state.kind === kind && state.metric === metric,
      choose: () => set({ kind, metric }),
    })),
  );
  const all = [...rows, [{ name: path, checked: counted, choose: () => set({ kind: "synchronisation" as Kind }) }]];
  return (
    <Radios label="critical path" rows={all}>
      {(radio) => (
        <table class="paths" role="presentation">
          <tbody>
            <tr>
              <td class="title">critical path</td>
              {METRICS.map((metric) => (
                <td class="metric">
                  {metrics[metric]} <kbd>{metric + 1}</kbd>
                </td>
              ))}
            </tr>
            {KINDS.map((kind, row) => (
              <tr>
                <td class="kind">
                  {kind} <kbd>{KEYS[kind]}</kbd>
                </td>
                {METRICS.map((metric) => (
                  <td>{radio(row, metric)}</td>
                ))}
              </tr>
            ))}
            <tr>
              <td class="kind">
                {path} <kbd>y</kbd>
              </td>
              <td class="wide" colSpan={4}>
                {radio(KINDS.length, 0)}
              </td>
            </tr>
          </tbody>
        </table>
      )}
    </Radios>
  );
}

/** The metric alone, where nothing is ranked. */
function Metrics({ scene }: { scene: Scene }) {
  const { metrics } = termsOf(scene.profile);
  const row = METRICS.map((metric) => ({
    name: metrics[metric],
    checked: scene.state.metric === metric,
    choose: () => scene.set({ metric }),
  }));
  return (
    <Radios label="metric" rows={[row]}>
      {(radio) => (
        <span class="options">
          {METRICS.map((metric) => (
            <span class="check">
              {radio(0, metric)} {metrics[metric]} <kbd>{metric + 1}</kbd>
            </span>
          ))}
        </span>
      )}
    </Radios>
  );
}

/** In which order siblings are. */
function Siblings({ scene }: { scene: Scene }) {
  const { metrics, steps } = termsOf(scene.profile);
  const names: Record<Order, string> = {
    rank: "rank",
    called: "first call",
    steps,
    "0": metrics[0],
    "1": metrics[1],
    "2": metrics[2],
    "3": metrics[3],
  };
  return (
    <label class="siblings">
      <span>order of siblings</span>
      <select value={scene.state.order} onChange={(event) => scene.set({ order: event.currentTarget.value as Order })}>
        {ORDERS.map((name) => (
          <option value={name}>{names[name]}</option>
        ))}
      </select>
    </label>
  );
}

function Choice(props: {
  scene: Scene;
  field: "merged" | "full" | "percent" | "words";
  no: string;
  yes: string;
  hint: string;
}) {
  const { scene, field } = props;
  const on = scene.state[field];
  return (
    <span class="pair" role="group" aria-label={`${props.no} or ${props.yes}`}>
      <button
        type="button"
        class="choice"
        aria-pressed={!on}
        title={`(${props.hint})`}
        onClick={() => scene.set({ [field]: false })}
      >
        {props.no}
      </button>
      <button
        type="button"
        class="choice"
        aria-pressed={on}
        title={`(${props.hint})`}
        onClick={() => scene.set({ [field]: true })}
      >
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
        <button
          type="button"
          disabled={state.node === 0}
          title="Hide the selected node with what is below it; no figure changes (x)"
          onClick={() => hide(scene)}
        >
          hide
        </button>
        <button
          type="button"
          disabled={state.hidden.length === 0}
          title="Show again what was hidden last (u)"
          onClick={() => unhide(scene)}
        >
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
              <input
                type="text"
                inputMode="decimal"
                size={6}
                value={value}
                aria-describedby="machine-wrong"
                onInput={(event) => type(place, event.currentTarget.value)}
              />
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
