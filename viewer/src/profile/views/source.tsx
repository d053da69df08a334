// The program's sources, with the cost centres and calls of each line.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { MOST_PRINTED, usePrinting } from "../../shell/printing";
import { shown } from "../../shell/text";
import { labelOf } from "../data/profile";
import { palette } from "../palette";
import type { Scene } from "../scene";
import { pathName, rank, summary } from "../words";

const ROW = 20;
const MARGIN = 20;

export function Source({ scene }: { scene: Scene }) {
  const { profile, state, set } = scene;
  const { sources, strings } = profile.head;
  const own = strings[profile.tree.file[state.node] ?? 0] ?? "";
  const [chosen, choose] = useState<string | null>(null);
  const withNode = sources.find(({ file }) => file === own);
  const source = sources.find(({ file }) => file === chosen) ?? withNode ?? sources[0];
  useEffect(() => choose(null), [own]);
  const lines = useMemo(() => (source?.text ?? "").split("\n"), [source]);
  /** Nodes of a line, those of the highest rank first. */
  const nodes = useMemo(() => {
    const found = new Map<number, number[]>();
    const { tree } = profile;
    for (let at = 0; at < tree.count; at++) {
      if (strings[tree.file[at] ?? 0] !== source?.file || (tree.line[at] ?? 0) === 0) continue;
      const line = tree.line[at] ?? 0;
      const list = found.get(line);
      if (list) list.push(at);
      else found.set(line, [at]);
    }
    for (const list of found.values()) list.sort((a, b) => (scene.ranks[b] ?? 0) - (scene.ranks[a] ?? 0));
    return found;
  }, [profile, source, scene.ranks]);
  if (!source) return <p class="nothing">The places of this profile have no file: compile with -g.</p>;
  const line = source.file === own ? (profile.tree.line[state.node] ?? 0) : 0;
  return (
    <div class="stacked">
      <div class="tools">
        <label>
          file
          <select value={source.file} onChange={(event) => choose(event.currentTarget.value)}>
            {sources.map(({ file }) => (
              <option value={file}>{shown(file)}</option>
            ))}
          </select>
        </label>
        <span class="faint">
          {state.kind === "synchronisation" ? "" : "maximum (average% | minimum%) "}by {pathName(scene)}; several calls
          of a line: the one of the highest rank
        </span>
      </div>
      {source.text === null ? (
        <p class="nothing">{source.note}</p>
      ) : (
        <Lines scene={scene} lines={lines} nodes={nodes} line={line} file={source.file} />
      )}
      <section class="pane">
        <h2>Places in this file</h2>
        <ul class="places">
          {[...nodes]
            .sort((a, b) => a[0] - b[0])
            .slice(0, 400)
            .map(([number, list]) => (
              <li>
                <button
                  type="button"
                  class="link"
                  aria-pressed={list.includes(state.node)}
                  onClick={() => set({ node: list[0] ?? 0 })}
                >
                  line {number}, <bdi>{shown(labelOf(profile, profile.tree, list[0] ?? 0))}</bdi>
                </button>
                : {summary(scene, scene.costs, list[0] ?? 0, state.metric)}, rank {rank(scene.ranks[list[0] ?? 0] ?? 0)}
                {list.length > 1 && `, and ${list.length - 1} other paths`}
              </li>
            ))}
        </ul>
      </section>
    </div>
  );
}

function Lines(props: { scene: Scene; lines: string[]; nodes: Map<number, number[]>; line: number; file: string }) {
  const { scene, lines, nodes, line, file } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (box.current && line > 0) box.current.scrollTop = Math.max(0, (line - 1) * ROW - box.current.clientHeight / 2);
  }, [line, file]);
  const printing = usePrinting();
  const from = printing ? 0 : Math.max(0, Math.floor(top / ROW) - MARGIN);
  const to = printing
    ? Math.min(lines.length, MOST_PRINTED)
    : Math.min(lines.length, Math.ceil((top + height) / ROW) + MARGIN);
  const { hot } = palette();
  return (
    <div
      class="lines"
      ref={box}
      role="group"
      tabIndex={0}
      aria-label={`Source ${shown(file)}`}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={printing ? {} : { height: `${lines.length * ROW}px` }}>
        {lines.slice(from, to).map((text, k) => {
          const number = from + k + 1;
          const own = nodes.get(number);
          const node = own?.[0];
          return (
            <div
              key={number}
              class={`code-line${number === line ? " current" : ""}`}
              style={printing ? {} : { transform: `translateY(${(number - 1) * ROW}px)` }}
              onClick={() => node !== undefined && scene.set({ node })}
            >
              <span class="number">{number}</span>
              <span class="figure" style={node === undefined ? {} : { background: hot(scene.shades[node] ?? 0) }}>
                {node === undefined
                  ? ""
                  : `${summary(scene, scene.costs, node, scene.state.metric)} · ${rank(scene.ranks[node] ?? 0)}`}
              </span>
              <code>
                {[...text.replaceAll("\t", "    ")].length > 400
                  ? `${text.slice(0, 400)}…`
                  : shown(text.replaceAll("\t", "    "))}
              </code>
            </div>
          );
        })}
      </div>
    </div>
  );
}
