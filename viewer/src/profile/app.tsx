// The viewer of a profile: tabs over one selection, with a key for everything.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { percent, quantity } from "../shell/numbers";
import { usePrinting } from "../shell/printing";
import { shown } from "../shell/text";
import type { Diff } from "./data/diff";
import { beginsMerged, childrenOf, isByCalls, type Metric, type Profile } from "./data/profile";
import { criticalPath, firstPath, type Kind, ranks } from "./data/ranks";
import { useParts } from "./lazy";
import { Detail } from "./parts/detail";
import { Functions, hide, nextMatch, unhide } from "./parts/functions";
import { NodeGrid, toggled } from "./parts/nodegrid";
import { Processors } from "./parts/processors";
import { type Scene, sceneMaker } from "./scene";
import { fromHash, type State, TABS, type Tab, toHash, type Update } from "./state";
import { Calls } from "./views/calls";
import { Difference } from "./views/difference";
import { Flame } from "./views/flame";
import { GraphView } from "./views/graph";
import { Heat } from "./views/heat";
import { Source } from "./views/source";
import { Timeline } from "./views/timeline";
import { Traffic } from "./views/traffic";
import { isPriced, libraryOf, pathName, programOf } from "./words";

/** Where the page begins. */
function beginning(profiles: Profile[], diff: Diff | null, machine: string): State {
  const profile = profiles[0] as Profile;
  const { kind, metric } = firstPath(profile);
  const path = criticalPath(profile, ranks(profile.tree, profile.tree.costs, kind, metric));
  return {
    tab: diff ? "diff" : "graph",
    log: 0,
    kind,
    metric,
    node: path[path.length - 1] ?? 0,
    merged: beginsMerged(profile),
    shade: "rank",
    percent: false,
    full: true,
    words: false,
    machine,
    hidden: [],
    collapsed: [],
    folded: [],
    order: "rank",
    search: "",
    onlyMatches: false,
    focus: 0,
    sorted: false,
    processors: null,
    supersteps: null,
    zoom: null,
    // The time is without waiting, which is what most calls differ in.
    compared: isByCalls(profile) ? 4 : 0,
    keys: true,
  };
}

export function App({ profiles, diff, machine }: { profiles: Profile[]; diff: Diff | null; machine: string }) {
  const begin = useMemo(() => beginning(profiles, diff, machine), []);
  const sizes = { nodes: profiles.map(({ tree }) => tree.count) };
  const opened = useRef(location.hash);
  /** The link that was read or written last. */
  const known = useRef(opened.current);
  const [state, setState] = useState<State>(() => fromHash(opened.current, begin, sizes));
  const make = useMemo(() => sceneMaker(profiles), []);
  const set = (update: Update) =>
    setState((old) => ({ ...old, ...(typeof update === "function" ? update(old) : update) }));
  const { parts, broken } = useParts(profiles, state);
  const scene = make(state, set, parts[state.log] ?? { merged: null, each: null });
  const latest = useRef(scene);
  latest.current = scene;
  const tabs = TABS.filter(
    ([name]) => (name !== "diff" || diff) && (name !== "calls" || profiles.some(({ stats }) => stats)),
  ).map(([name, title]) => [name, name === "timeline" && isByCalls(scene.profile) ? "Time line" : title] as const);
  const [help, setHelp] = useState(false);
  // Colours differ on paper.
  usePrinting();

  /** The state of the entry in the browser's history: one for each view that was gone to, so that Back returns to it. */
  const entry = useRef(state);
  useEffect(() => {
    const address = (of: State) => toHash(of, begin) || location.pathname + location.search;
    const write = (how: "pushState" | "replaceState", of: State) => {
      // A link that was opened meanwhile, and is not read yet, goes first.
      if (location.hash !== known.current) return;
      history[how](null, "", address(of));
      known.current = location.hash;
    };
    const { tab, log } = entry.current;
    if (tab !== state.tab || log !== state.log) {
      write("replaceState", entry.current);
      write("pushState", state);
    }
    entry.current = state;
    const timer = setTimeout(() => {
      // Another entry may have been gone to since, whose view is not drawn yet.
      if (entry.current === state && location.hash !== toHash(state, begin)) write("replaceState", state);
    }, 150);
    return () => clearTimeout(timer);
  }, [state]);
  // Together with the first drawing: a key pressed as soon as there is something to see counts.
  useLayoutEffect(() => {
    const changed = () => {
      known.current = location.hash;
      entry.current = fromHash(known.current, begin, sizes);
      setState(entry.current);
    };
    const pressed = (event: KeyboardEvent) =>
      onKey(
        event,
        latest.current,
        diff,
        tabs.map(([name]) => name),
        setHelp,
      );
    // The link may have changed before anybody listened.
    if (location.hash !== opened.current) changed();
    addEventListener("hashchange", changed);
    addEventListener("keydown", pressed);
    return () => {
      removeEventListener("hashchange", changed);
      removeEventListener("keydown", pressed);
    };
  }, []);

  const { profile } = scene;
  return (
    <>
      <div class="tabs">
        <div role="tablist" aria-label="Views">
          {tabs.map(([name, title], k) => (
            <button
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={state.tab === name}
              aria-controls="view"
              tabIndex={state.tab === name ? 0 : -1}
              onClick={() => set({ tab: name })}
              onKeyDown={(event) => {
                const to = { ArrowRight: k + 1, ArrowLeft: k - 1, Home: 0, End: tabs.length - 1 }[event.key];
                if (to === undefined) return;
                event.preventDefault();
                event.stopPropagation();
                const [next = "graph"] = tabs[(to + tabs.length) % tabs.length] ?? [];
                set({ tab: next as Tab });
                document.getElementById(`tab-${next}`)?.focus();
              }}
            >
              {title}
            </button>
          ))}
        </div>
        <span class="space" />
        <button type="button" class="help" aria-expanded={help} onClick={() => setHelp(!help)}>
          Keys <kbd>?</kbd>
        </button>
        <button type="button" onClick={() => print()}>
          Print
        </button>
      </div>
      {help && <Help scene={scene} close={() => setHelp(false)} />}
      <Head scene={scene} diff={diff} />
      {broken && (
        <p class="wrong" role="alert">
          Not all data of this page can be shown: {shown(broken)}.
        </p>
      )}
      <div class="panes">
        <Functions scene={scene} />
        <div class={`view ${state.tab}`} id="view" role="tabpanel" aria-labelledby={`tab-${state.tab}`}>
          <View scene={scene} diff={diff} />
        </div>
      </div>
      <p class="visually-hidden" role="status">
        {shown(profile.head.name)}, critical path {pathName(scene)}
      </p>
    </>
  );
}

function View({ scene, diff }: { scene: Scene; diff: Diff | null }): JSX.Element | null {
  switch (scene.state.tab) {
    case "diff":
      return diff ? <Difference scene={scene} diff={diff} /> : null;
    case "graph":
      return <GraphView scene={scene} />;
    case "flame":
      return <Flame scene={scene} />;
    case "timeline":
      return <Timeline scene={scene} />;
    case "heat":
      return <Heat scene={scene} />;
    case "table":
      return (
        <div class="split">
          <div class="main tall">
            <NodeGrid scene={scene} id="t" />
          </div>
          <aside aria-label="Processors, details">
            <Processors scene={scene} />
            <Detail scene={scene} />
          </aside>
        </div>
      );
    case "source":
      return <Source scene={scene} />;
    case "calls":
      return <Calls scene={scene} />;
    case "traffic":
      return <Traffic scene={scene} />;
  }
}

/** What run it is, and what should be known of it. */
function Head({ scene, diff }: { scene: Scene; diff: Diff | null }) {
  const { profiles, profile, state, set } = scene;
  const { head } = profile;
  const { source } = head;
  const origin =
    source.source === "oxford"
      ? `Oxford BSP Toolset on ${shown(source.architecture ?? "")}, ${shown(source.date ?? "")}`
      : isByCalls(profile)
        ? `calls of ${libraryOf(source.library ?? "MPI")}`
        : source.virtually
          ? "virtual processors: times are virtual"
          : source.engine
            ? `engine ${shown(source.engine)}`
            : "engine not recorded";
  return (
    <div class="run">
      {profiles.length > 1 && (
        <span class="pair" role="group" aria-label="Which run">
          {profiles.map((one, k) => (
            <button
              type="button"
              class="choice"
              aria-pressed={state.log === k}
              onClick={() => set(ofRun(scene, diff, k))}
            >
              {k === 0 ? "before" : "after"}: <bdi>{shown(one.head.file)}</bdi>
            </button>
          ))}
        </span>
      )}
      <span>
        <b>
          <bdi>{programOf(profile)}</bdi>
        </b>
        : P = {head.processors}, {quantity(head.elapsed_s, "s")}, {origin}
      </span>
      <span>
        parallel efficiency{" "}
        {profile.stats?.efficiency && isByCalls(profile)
          ? pop(profile.stats.efficiency)
          : `${percent(head.efficiency.parallel)} = load balance ${percent(head.efficiency.load_balance)} × communication efficiency ${percent(head.efficiency.communication)}`}
      </span>
      {isPriced(scene) && <span class="caution">Communication is g·h + l; waiting is as measured.</span>}
      {head.notes.length > 0 && (
        <details>
          <summary>{head.notes.length === 1 ? "1 note" : `${head.notes.length} notes`}</summary>
          <ul>
            {head.notes.map((note) => (
              <li>{shown(note)}</li>
            ))}
          </ul>
        </details>
      )}
      {(head.quantiles > 0 || head.rows < head.nodes + head.graph_nodes) && (
        <span class="faint">
          Every processor is known of the {head.rows} nodes with the largest imbalance; of the others their quantiles.
        </span>
      )}
    </div>
  );
}

/** The efficiencies of POP. */
function pop(of: { parallel: number; load_balance: number; serialisation: number; transfer: number }): string {
  return `${percent(of.parallel)} = load balance ${percent(of.load_balance)} × serialisation ${percent(of.serialisation)} × transfer ${percent(of.transfer)}`;
}

/** The selection in another run: the node that belongs to the selected one, or the root. */
function ofRun(scene: Scene, diff: Diff | null, log: number): Partial<State> {
  const { state } = scene;
  if (log === state.log) return {};
  const row = diff?.nodes[state.log === 1 ? 1 : 0].indexOf(state.node) ?? -1;
  const node = row < 0 ? -1 : (diff?.nodes[log === 1 ? 1 : 0][row] ?? -1);
  return {
    log,
    node: Math.max(0, node),
    focus: 0,
    hidden: [],
    collapsed: [],
    zoom: null,
    processors: null,
    supersteps: null,
  };
}

const KINDS: Record<string, Kind> = { a: "absolute", i: "imbalance", r: "relative", w: "weighted" };

const HELP: [string, string][] = [
  ["1 2 3 4", "computation, communication, idle, h-relation, in the difference too"],
  ["a i r w", "absolute, imbalance, relative, weighted path"],
  ["y", "the path of synchronisations"],
  ["k", "select the end of the critical path"],
  ["[ ]", "the tab before, the next tab"],
  ["arrows", "in a drawing or a table: to the neighbouring node, superstep, processor"],
  ["Shift + arrows", "in the call graph: move it"],
  ["+ - 0", "in a drawing: larger, smaller, all"],
  ["e", "fold or unfold the selected node; E: unfold all"],
  ["x u", "hide the selected node, show again what was hidden last"],
  ["/ n N", "search, next, previous"],
  ["o", "only what was found"],
  ["g", "tree or merged graph"],
  ["c", "full or small cards"],
  ["p", "time or percentage"],
  ["b", "bytes or words"],
  ["s", "shade by rank, or by 1 - average/maximum"],
  ["l", "the other run"],
  ["t", "processors sorted, or by number"],
  ["?", "this list"],
];

function Help({ scene, close }: { scene: Scene; close: () => void }) {
  return (
    <section class="keys" aria-label="Keys">
      <dl>
        {HELP.map(([key, what]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={scene.state.keys}
          onChange={(event) => scene.set({ keys: event.currentTarget.checked })}
        />
        keys of one letter
      </label>
      <button type="button" onClick={close}>
        Close
      </button>
    </section>
  );
}

/** Keys that hold everywhere, but not while something is typed. */
function onKey(
  event: KeyboardEvent,
  scene: Scene,
  diff: Diff | null,
  tabs: Tab[],
  setHelp: (change: (old: boolean) => boolean) => void,
): void {
  const { state, set, profile } = scene;
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || !state.keys || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
    return;
  const { key } = event;
  const toggle = (field: "merged" | "full" | "percent" | "words" | "sorted" | "onlyMatches") =>
    set({ [field]: !state[field] });
  if (/^[1-4]$/.test(key) && state.tab === "diff") set({ compared: Number(key) + 1 });
  else if (/^[1-4]$/.test(key))
    set({
      metric: (Number(key) - 1) as Metric,
      ...(state.kind === "synchronisation" ? { kind: "absolute" as Kind } : {}),
    });
  else if (KINDS[key]) set({ kind: KINDS[key] as Kind });
  else {
    switch (key) {
      case "y":
        set({ kind: "synchronisation" });
        break;
      case "k":
        set({ node: scene.path[scene.path.length - 1] ?? 0 });
        break;
      case "[":
      case "]": {
        const at = tabs.indexOf(state.tab) + (key === "[" ? -1 : 1);
        set({ tab: tabs[(at + tabs.length) % tabs.length] ?? "graph" });
        break;
      }
      case "e":
        if (childrenOf(profile, state.node).length > 0) set({ collapsed: toggled(state.collapsed, state.node) });
        break;
      case "E":
        set({ collapsed: [] });
        break;
      case "x":
        hide(scene);
        break;
      case "u":
        unhide(scene);
        break;
      case "/":
        document.getElementById("search")?.focus();
        break;
      case "n":
      case "N":
        nextMatch(scene, key === "N");
        break;
      case "o":
        if (scene.matches) toggle("onlyMatches");
        break;
      case "g":
        set({ merged: !state.merged, zoom: null });
        break;
      case "c":
        set({ full: !state.full, zoom: null });
        break;
      case "p":
        toggle("percent");
        break;
      case "b":
        if (profile.head.h_unit === 1) toggle("words");
        break;
      case "s":
        set({ shade: state.shade === "rank" ? "absolute" : "rank" });
        break;
      case "t":
        toggle("sorted");
        break;
      case "l":
        if (scene.profiles.length > 1) {
          set(ofRun(scene, diff, 1 - state.log));
        }
        break;
      case "?":
        setHelp((old) => !old);
        break;
      default:
        return;
    }
  }
  event.preventDefault();
}
