// Flame graph, or icicle: the width of a node is its share of the metric. Maxima of parts that ran at the same time add
// up to more than the node above has; they are then drawn to scale of their sum.

import { useCallback, useMemo, useState } from "preact/hooks";
import type { Pen } from "../../plots/pen";
import { number } from "../../shell/numbers";
import { shown } from "../../shell/text";
import { labelOf, termsOf } from "../data/profile";
import type { Palette } from "../palette";
import { NodeGrid } from "../parts/nodegrid";
import { Picture, type Size } from "../parts/picture";
import { orderedChildren, type Scene } from "../scene";
import { runName, sentence, shades, value } from "../words";
import { neighbour } from "./moving";

const ROW = 22;

interface Block {
  node: number;
  x: number;
  width: number;
  depth: number;
}

export function Flame({ scene }: { scene: Scene }) {
  const { profile, state, set, costs } = scene;
  const [up, setUp] = useState(false);
  const hiddenKey = state.hidden.join();
  const collapsedKey = state.collapsed.join();
  const weights =
    state.kind === "synchronisation" ? profile.tree.supersteps : (costs.maximum[state.metric] ?? new Float64Array());
  const blocks = useMemo(() => layout(scene, weights), [scene.children, weights, state.focus, hiddenKey, collapsedKey]);
  const depth = blocks.reduce((most, block) => Math.max(most, block.depth), 0) + 1;
  const draw = useCallback(
    (pen: Pen, size: Size, colours: Palette) => {
      for (const block of blocks) {
        const width = block.width * size.width;
        if (width < 0.4) continue;
        const y = up ? size.height - (block.depth + 1) * ROW : block.depth * ROW;
        if (y > size.height || y + ROW < 0) continue;
        const x = block.x * size.width;
        const selected = block.node === state.node;
        const found = scene.matching?.has(block.node);
        pen.polygon(
          [x, y, x + width, y, x + width, y + ROW - 1, x, y + ROW - 1],
          { color: colours.hot(scene.shades[block.node] ?? 0) },
          {
            color: selected ? colours.accent : found ? colours.ink : colours.edge,
            width: selected ? 3 : found ? 2 : width > 3 ? 1 : 0.3,
          },
        );
        const letters = Math.floor((width - 8) / 6.6);
        if (letters < 2) continue;
        const name = [...shown(labelOf(profile, profile.tree, block.node))];
        const text = name.length > letters ? `${name.slice(0, letters - 1).join("")}…` : name.join("");
        const said = scene.onPath.has(block.node) && letters > name.length + 2 ? `${text} *` : text;
        // Letters differ in width.
        pen.within({ left: x, top: y, width: width - 2, height: ROW }, () =>
          pen.text(x + 4, y + 15, said, {
            color: colours.inkOn(scene.shades[block.node] ?? 0),
            size: 12,
            anchor: "start",
          }),
        );
      }
    },
    [blocks, up, scene.shades, state.node, scene.matching, scene.onPath],
  );
  const under = (x: number, y: number, size: Size): number => {
    const level = Math.floor((up ? size.height - y : y) / ROW);
    const share = x / size.width;
    return blocks.find((b) => b.depth === level && share >= b.x && share < b.x + b.width)?.node ?? -1;
  };
  const [pointed, point] = useState(-1);
  const { steps, metrics } = termsOf(profile);
  const counted = state.kind === "synchronisation";
  const what = counted ? steps : metrics[state.metric];
  const whole = weights[state.focus] ?? 0;
  const width = `The full width is ${counted ? number(whole) : value(scene, state.metric, whole)} ${counted ? "" : "of "}${what}${counted ? "" : " (maximum)"} of ${shown(labelOf(profile, profile.tree, state.focus))}.`;
  return (
    <div class="stacked">
      <div class="tools">
        <button type="button" class="toggle" aria-pressed={up} onClick={() => setUp(!up)}>
          upwards
        </button>
        <button type="button" disabled={state.focus === state.node} onClick={() => set({ focus: state.node })}>
          zoom to the selected node <kbd>Enter</kbd>
        </button>
        <button type="button" disabled={state.focus === 0} onClick={() => set({ focus: 0 })}>
          whole program <kbd>0</kbd>
        </button>
        <span class="faint">{width}</span>
      </div>
      <div class="deep">
        <Picture
          label={`Flame graph of ${what}`}
          name={`${profile.head.name}-flame`}
          run={runName(scene)}
          notes={[width]}
          legend={[shades(scene)]}
          draw={draw}
          height={Math.max(160, Math.min(depth, 400) * ROW + 4)}
          readout={sentence(scene, profile.tree, costs, scene.ranks, pointed >= 0 ? pointed : state.node)}
          onPoint={(x, y, size) => point(under(x, y, size))}
          onPress={(x, y, size) => {
            const node = under(x, y, size);
            if (node >= 0) set({ node });
          }}
          onTwice={(x, y, size) => {
            const node = under(x, y, size);
            if (node >= 0) set({ focus: node });
          }}
          onKey={(event) => {
            if (event.key === "Enter" || event.key === "+") set({ focus: state.node });
            else if (event.key === "0" || event.key === "Escape") set({ focus: 0 });
            else if (event.key === "-") set({ focus: Math.max(0, profile.tree.parent[state.focus] ?? 0) });
            else {
              // Downwards is to what is called.
              const turned = {
                ArrowDown: "ArrowRight",
                ArrowUp: "ArrowLeft",
                ArrowLeft: "ArrowUp",
                ArrowRight: "ArrowDown",
              }[event.key];
              const upwards = {
                ArrowDown: "ArrowLeft",
                ArrowUp: "ArrowRight",
                ArrowLeft: "ArrowUp",
                ArrowRight: "ArrowDown",
              }[event.key];
              const next = neighbour(scene, (up ? upwards : turned) ?? event.key);
              if (next === null) return false;
              set({ node: next });
            }
            return true;
          }}
        />
      </div>
      <NodeGrid scene={scene} id="f" />
    </div>
  );
}

function layout(scene: Scene, weights: Float64Array): Block[] {
  const { state } = scene;
  const hidden = new Set(state.hidden);
  const closed = new Set(state.collapsed);
  const blocks: Block[] = [{ node: state.focus, x: 0, width: 1, depth: 0 }];
  /** Narrower blocks are no pixel on any screen. */
  const LEAST = 1e-4;
  for (let k = 0; k < blocks.length; k++) {
    const { node, x, width, depth } = blocks[k] as Block;
    if (closed.has(node)) continue;
    const children = orderedChildren(scene, node);
    let sum = 0;
    for (const child of children) sum += weights[child] ?? 0;
    const whole = Math.max(weights[node] ?? 0, sum);
    if (!(whole > 0)) continue;
    let left = x;
    for (const child of children) {
      const own = (width * (weights[child] ?? 0)) / whole;
      if (own > LEAST && !hidden.has(child)) blocks.push({ node: child, x: left, width: own, depth: depth + 1 });
      left += own;
    }
  }
  return blocks;
}
