// Where the cards of the call graph stand, and how they look: those of figure 3 of the paper.

import type { Pen } from "../../plots/pen";
import { shown } from "../../shell/text";
import { type Costs, labelOf, METRICS, type Merged, type Nodes, type Profile, termsOf } from "../data/profile";
import type { Palette } from "../palette";
import type { Scene, Visible } from "../scene";
import { rank, summary } from "../words";

export interface Card {
  width: number;
  height: number;
}

export const FULL: Card = { width: 236, height: 118 };
export const SMALL: Card = { width: 224, height: 46 };
const GAP_X = 70;
const GAP_Y = 14;

/** Edges by number: cards of the plan, and the points between. */
export interface Edges {
  count: number;
  from: Int32Array;
  to: Int32Array;
  points: number[][] | null;
}

/** Cards by number, in the plane. */
export interface Plan {
  /** Nodes of the tree, or of the graph. */
  nodes: ArrayLike<number>;
  x: Float64Array;
  y: Float64Array;
  /** Place of a node in the plan, -1 if it is not there. */
  at: (node: number) => number;
  edges: Edges;
  width: number;
  height: number;
  card: Card;
}

/** A tidy tree: leaves below each other, a caller in the middle of what it calls. */
export function treePlan(profile: Profile, visible: Visible, card: Card, above: (node: number) => number): Plan {
  const { nodes, depth } = visible;
  const size = nodes.length;
  const place = new Int32Array(profile.tree.count).fill(-1);
  for (let k = 0; k < size; k++) place[nodes[k] ?? 0] = k;
  const x = new Float64Array(size);
  const y = new Float64Array(size);
  const [dx, dy] = [card.width + GAP_X, card.height + GAP_Y];
  const first = new Float64Array(size).fill(-1);
  const last = new Float64Array(size);
  let leaves = 0;
  const from = new Int32Array(size);
  const to = new Int32Array(size);
  let count = 0;
  // Nodes stand in preorder: what is below a node comes after it.
  for (let k = size - 1; k >= 0; k--) x[k] = (depth[k] ?? 0) * dx;
  for (let k = 0; k < size; k++) if (k + 1 >= size || (depth[k + 1] ?? 0) <= (depth[k] ?? 0)) y[k] = dy * leaves++;
  for (let k = size - 1; k >= 0; k--) {
    if ((first[k] ?? -1) >= 0) y[k] = ((first[k] ?? 0) + (last[k] ?? 0)) / 2;
    const parent = k === 0 ? -1 : (place[above(nodes[k] ?? 0)] ?? -1);
    if (parent < 0) continue;
    if ((first[parent] ?? -1) < 0) last[parent] = y[k] ?? 0;
    first[parent] = y[k] ?? 0;
    from[count] = parent;
    to[count++] = k;
  }
  const edges = { count, from, to, points: null };
  const width = largest(x) + card.width;
  return { nodes, x, y, at: (node) => place[node] ?? -1, edges, width, height: dy * Math.max(1, leaves) - GAP_Y, card };
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let k = 0; k < values.length; k++) if ((values[k] ?? 0) > most) most = values[k] ?? 0;
  return most;
}

/** The layers that Rust has found. */
export function graphPlan({ layered, nodes: graph }: Merged, card: Card, hidden: Set<number>): Plan {
  const [dx, dy] = [card.width + GAP_X, card.height + GAP_Y];
  const nodes: number[] = [];
  const place = new Int32Array(graph.count).fill(-1);
  for (let at = 0; at < graph.count; at++) {
    if (hidden.has(at)) continue;
    place[at] = nodes.length;
    nodes.push(at);
  }
  const x = Float64Array.from(nodes, (at) => (layered.layer[at] ?? 0) * dx);
  const y = Float64Array.from(nodes, (at) => (layered.row[at] ?? 0) * dy);
  const fromCard = new Int32Array(layered.from.length);
  const toCard = new Int32Array(layered.from.length);
  const between: number[][] = [];
  for (let edge = 0; edge < layered.from.length; edge++) {
    const from = place[layered.from[edge] ?? 0] ?? -1;
    const to = place[layered.to[edge] ?? 0] ?? -1;
    if (from < 0 || to < 0) continue;
    const begin = edge === 0 ? 0 : (layered.bendsUntil[edge - 1] ?? 0);
    const bends = layered.bends.subarray(begin, layered.bendsUntil[edge] ?? begin);
    const ends = [layered.layer[layered.from[edge] ?? 0] ?? 0, layered.layer[layered.to[edge] ?? 0] ?? 0];
    const lowest = Math.min(...ends);
    const points = Array.from(bends, (row, k) => [(lowest + 1 + k) * dx + card.width / 2, row * dy + card.height / 2]);
    if ((ends[0] ?? 0) > (ends[1] ?? 0)) points.reverse();
    fromCard[between.length] = from;
    toCard[between.length] = to;
    between.push(points.flat());
  }
  const edges = { count: between.length, from: fromCard, to: toCard, points: between };
  const height = largest(y) + card.height;
  return { nodes, x, y, at: (node) => place[node] ?? -1, edges, width: largest(x) + card.width, height, card };
}

/** An edge from the side of a card to that of another. */
function line(plan: Plan, edge: number): number[] {
  const { card, x, y, edges } = plan;
  const [from, to] = [edges.from[edge] ?? 0, edges.to[edge] ?? 0];
  const points = edges.points?.[edge] ?? [];
  const [a, b] = [x[from] ?? 0, x[to] ?? 0];
  const begin = [a + (a <= b ? card.width : 0), (y[from] ?? 0) + card.height / 2];
  const end = [b + (a <= b ? 0 : card.width), (y[to] ?? 0) + card.height / 2];
  if (from === to) {
    const [right, middle] = [a + card.width, (y[from] ?? 0) + card.height / 2];
    return [right, middle - 8, right + 18, middle - 8, right + 18, middle + 8, right, middle + 8];
  }
  if (points.length === 0) {
    const bend = ((begin[0] ?? 0) + (end[0] ?? 0)) / 2;
    return [...begin, bend, begin[1] ?? 0, bend, end[1] ?? 0, ...end];
  }
  return [...begin, ...points, ...end];
}

export interface Looks {
  nodes: Nodes;
  costs: Costs;
  ranks: Float64Array;
  shades: Float64Array;
  /** Whether a node is on the path, selected, found. */
  onPath: (node: number) => boolean;
  selected: number;
  matching: (node: number) => boolean;
  /** Nodes below that are folded away. */
  folded: (node: number) => number;
}

/** Below this scale there is no room for all words: only for the name, and for the rank below it. */
const WORDS = 0.42;
/** The size of these, and the widest letters at it. */
const NAME = { size: 10, letter: 6.2, least: 4, edge: 4 };

/** Draws what lies in the window. */
export function drawPlan(
  pen: Pen,
  plan: Plan,
  scene: Scene,
  looks: Looks,
  colours: Palette,
  view: { x: number; y: number; scale: number; width: number; height: number },
): void {
  const { card } = plan;
  const { x: left, y: top, scale } = view;
  const px = (x: number) => (x - left) * scale;
  const py = (y: number) => (y - top) * scale;
  const seen = (x: number, y: number, w: number, h: number) =>
    px(x + w) >= 0 && py(y + h) >= 0 && px(x) <= view.width && py(y) <= view.height;
  // Of cards that share a pixel one is drawn, and one on the critical path before others.
  const tiny = card.height * scale < 4;
  if (tiny) {
    drawTiny(pen, plan, looks, colours, view);
    return;
  }
  const plain: number[] = [];
  const { edges } = plan;
  for (let edge = 0; edge < edges.count; edge++) {
    const [a, b] = [edges.from[edge] ?? 0, edges.to[edge] ?? 0];
    const x0 = Math.min(plan.x[a] ?? 0, plan.x[b] ?? 0);
    const y0 = Math.min(plan.y[a] ?? 0, plan.y[b] ?? 0);
    const x1 = Math.max(plan.x[a] ?? 0, plan.x[b] ?? 0) + card.width;
    const y1 = Math.max(plan.y[a] ?? 0, plan.y[b] ?? 0) + card.height;
    if (!edges.points?.[edge]?.length && !seen(x0, y0, x1 - x0, y1 - y0)) continue;
    const places = line(plan, edge);
    const critical = looks.onPath(plan.nodes[a] ?? -1) && looks.onPath(plan.nodes[b] ?? -1);
    const moved = places.map((value, k) => (k % 2 === 0 ? px(value) : py(value)));
    if (critical) pen.line(moved, { color: colours.ink, width: 2.5 });
    else for (let k = 0; k + 3 < moved.length; k += 2) plain.push(...moved.slice(k, k + 4));
  }
  if (plain.length > 0) pen.lines(plain, { color: colours.edge, width: 1 });
  for (let k = 0; k < plan.nodes.length; k++) {
    const [x, y] = [plan.x[k] ?? 0, plan.y[k] ?? 0];
    if (!seen(x, y, card.width, card.height)) continue;
    drawCard(pen, plan.nodes[k] ?? 0, px(x), py(y), scale, card, scene, looks, colours);
  }
}

function drawTiny(
  pen: Pen,
  plan: Plan,
  looks: Looks,
  colours: Palette,
  view: { x: number; y: number; scale: number; width: number; height: number },
): void {
  const width = Math.max(2, plan.card.width * view.scale);
  const drawn = new Set<number>();
  for (let k = 0; k < plan.nodes.length; k++) {
    const x = Math.round(((plan.x[k] ?? 0) - view.x) * view.scale);
    const y = Math.round(((plan.y[k] ?? 0) - view.y) * view.scale);
    if (x + width < 0 || y < -2 || x > view.width || y > view.height) continue;
    const node = plan.nodes[k] ?? 0;
    const marked = node === looks.selected || looks.onPath(node) || looks.matching(node);
    const pixel = y * 65536 + x;
    if (!marked && drawn.has(pixel)) continue;
    drawn.add(pixel);
    const colour =
      node === looks.selected
        ? colours.accent
        : marked
          ? colours.ink
          : looks.shades[node]
            ? colours.hot(looks.shades[node] ?? 0)
            : colours.edge;
    const height = marked ? 3 : 1.5;
    pen.polygon([x, y, x + width, y, x + width, y + height, x, y + height], { color: colour });
  }
}

function drawCard(
  pen: Pen,
  node: number,
  x: number,
  y: number,
  scale: number,
  card: Card,
  scene: Scene,
  looks: Looks,
  colours: Palette,
): void {
  const [w, h] = [card.width * scale, card.height * scale];
  const box = (a: number, b: number, c: number, d: number) => [a, b, a + c, b, a + c, b + d, a, b + d];
  const selected = node === looks.selected;
  const found = looks.matching(node);
  const critical = looks.onPath(node);
  pen.polygon(
    box(x, y, w, h),
    { color: colours.hot(looks.shades[node] ?? 0) },
    {
      color: selected ? colours.accent : critical ? colours.ink : colours.edge,
      width: selected ? 3.5 : critical ? 2 : 1,
    },
  );
  if (found)
    pen.polygon(
      box(x - 4, y - 4, w + 8, h + 8),
      { color: "#000", alpha: 0 },
      { color: colours.accent, width: 2, dash: [5, 3] },
    );
  // The rank as a length, too.
  const share = looks.ranks[node] ?? 0;
  if (share > 0 && h > 8) pen.polygon(box(x, y + h - 3 * scale, w * share, 3 * scale), { color: colours.ink });
  const ink = colours.inkOn(looks.shades[node] ?? 0);
  if (scale < WORDS) {
    const letters = Math.floor((w - 2 * NAME.edge) / NAME.letter);
    if (letters < NAME.least || h < NAME.size + NAME.edge) return;
    const words = [fitted(shown(labelOf(scene.profile, looks.nodes, node)), letters), rank(share)];
    const rows = Math.floor(h / (NAME.size + NAME.edge));
    words
      .slice(0, rows)
      .filter((word) => word.length <= letters)
      .forEach((word, row) => {
        pen.text(x + NAME.edge, y + (row + 1) * (NAME.size + 1), word, {
          color: ink,
          size: NAME.size,
          anchor: "start",
        });
      });
    return;
  }
  const size = 12 * scale;
  const text = (row: number, words: string, style: { anchor?: "start" | "end"; bold?: boolean; at?: number } = {}) =>
    pen.text(
      x + (style.at ?? (style.anchor === "end" ? card.width - 8 : 8)) * scale,
      y + (16 + row * 16) * scale,
      words,
      {
        color: ink,
        size: style.bold ? 13 * scale : size,
        anchor: style.anchor ?? "start",
      },
    );
  const { nodes, costs } = looks;
  const name = fitted(shown(labelOf(scene.profile, nodes, node)), card === FULL ? 25 : 23);
  const folded = looks.folded(node);
  text(0, folded > 0 ? `${name} +${folded}` : name, { bold: true });
  const count = nodes.supersteps[node] ?? 0;
  text(0, `${Number.isInteger(count) ? count : count.toFixed(1)} ×`, { anchor: "end" });
  if (card === FULL) {
    const { short } = termsOf(scene.profile);
    METRICS.forEach((metric, k) => {
      text(k + 1, short[metric], {});
      text(k + 1, summary(scene, costs, node, metric), { at: 52 });
    });
    text(5, `rank ${rank(share)}${critical ? " *" : ""}`);
  } else {
    const { metric, kind } = scene.state;
    if (kind === "synchronisation") text(1, `rank ${rank(share)}`);
    else text(1, summary(scene, costs, node, metric));
    text(1, rank(share), { anchor: "end" });
  }
}

/** Cut in the middle, so that beginnings and ends stay different. */
function fitted(text: string, letters: number): string {
  const all = [...text];
  if (all.length <= letters) return text;
  const half = Math.floor((letters - 1) / 2);
  return `${all.slice(0, half).join("")}…${all.slice(-half).join("")}`;
}
