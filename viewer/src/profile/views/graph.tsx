// The call graph: cards that are moved and zoomed, with an overview, the grid of the same nodes, and the processors.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { childrenOf, type Merged, type Profile } from "../data/profile";
import { Detail } from "../parts/detail";
import { NodeGrid } from "../parts/nodegrid";
import { Picture, type Size } from "../parts/picture";
import { Processors } from "../parts/processors";
import type { Scene, SceneGraph } from "../scene";
import type { Zoom } from "../state";
import { pathName, runName, sentence, shades } from "../words";
import { drawPlan, FULL, graphPlan, type Looks, type Plan, SMALL, treePlan } from "./cards";
import { neighbour } from "./moving";

const LEAST = 0.02;
const MOST = 3;
/** Pixels around what is shown at first. */
const EDGE = 20;

export function GraphView({ scene }: { scene: Scene }) {
  if (scene.state.merged && !scene.merged) return <p class="nothing">The graph is being read …</p>;
  return <Cards scene={scene} merged={scene.merged} />;
}

function Cards({ scene, merged }: { scene: Scene; merged: SceneGraph | null }) {
  const { profile, state, set, visible } = scene;
  const card = state.full ? FULL : SMALL;
  const hiddenKey = state.hidden.join();
  const plan = useMemo(
    () =>
      merged
        ? graphPlan(merged, card, hiddenInGraph(profile, merged, state.hidden))
        : treePlan(profile, visible, card, (node) => profile.tree.parent[node] ?? -1),
    [profile, card, merged?.nodes, visible, hiddenKey],
  );
  const looks: Looks = useMemo(
    () => looksOf(scene),
    [scene.ranks, scene.shades, scene.costs, state, scene.matching, merged],
  );
  const size = useRef<Size>({ width: 800, height: 500 });
  const [begin, setBegin] = useState<Zoom | null>(null);
  const zoom = state.zoom ?? begin ?? { x: -20, y: -20, scale: 1 };
  const selected = plan.at(merged ? (merged.graphOf[state.node] ?? 0) : state.node);

  const fit = useCallback(() => {
    const { width, height } = size.current;
    const scale = Math.min(1.2, Math.max(LEAST, Math.min((width - 40) / plan.width, (height - 40) / plan.height)));
    return { x: plan.width / 2 - width / 2 / scale, y: plan.height / 2 - height / 2 / scale, scale };
  }, [plan]);
  const start = useCallback(() => {
    const whole = fit();
    if (whole.scale >= 0.6) return whole;
    // A large graph begins with the whole critical path.
    const { width, height } = size.current;
    const places = scene.path
      .map((node) => plan.at(merged ? (merged.graphOf[node] ?? 0) : node))
      .filter((at) => at >= 0);
    const reach = (list: ArrayLike<number>, wide: number): [number, number] => {
      const all = places.map((at) => list[at] ?? 0);
      return places.length > 0 ? [Math.min(...all), Math.max(...all) + wide] : [0, wide];
    };
    const [[left, right], [top, bottom]] = [reach(plan.x, card.width), reach(plan.y, card.height)];
    const scale = Math.min(
      1,
      Math.max(whole.scale, Math.min((width - 2 * EDGE) / (right - left), (height - 2 * EDGE) / (bottom - top))),
    );
    // Its siblings are below it in a tree, around it in the graph.
    const middle = (top + bottom) / 2 - height / 2 / scale;
    return {
      x: (left + right) / 2 - width / 2 / scale,
      y: merged ? middle : Math.max(middle, top - EDGE / scale),
      scale,
    };
  }, [fit, plan, card, scene.path]);
  useEffect(() => setBegin(start()), [plan]);
  // What is selected elsewhere comes into sight; the beginning shows it already.
  const seen = useRef(state.node);
  useEffect(() => {
    if (selected < 0 || seen.current === state.node) return;
    seen.current = state.node;
    const { width, height } = size.current;
    const [x, y] = [((plan.x[selected] ?? 0) - zoom.x) * zoom.scale, ((plan.y[selected] ?? 0) - zoom.y) * zoom.scale];
    const [w, h] = [card.width * zoom.scale, card.height * zoom.scale];
    if (x >= 0 && y >= 0 && x + w <= width && y + h <= height) return;
    move({
      x: x < 0 || x + w > width ? (plan.x[selected] ?? 0) + card.width / 2 - width / 2 / zoom.scale : zoom.x,
      y: y < 0 || y + h > height ? (plan.y[selected] ?? 0) + card.height / 2 - height / 2 / zoom.scale : zoom.y,
      scale: zoom.scale,
    });
  }, [state.node, plan]);

  const move = (next: Zoom) => set({ zoom: next });
  const zoomBy = (factor: number, x: number, y: number) => {
    const scale = Math.min(MOST, Math.max(LEAST, zoom.scale * factor));
    move({ x: zoom.x + x / zoom.scale - x / scale, y: zoom.y + y / zoom.scale - y / scale, scale });
  };
  const under = (x: number, y: number): number => {
    const [a, b] = [zoom.x + x / zoom.scale, zoom.y + y / zoom.scale];
    for (let k = 0; k < plan.nodes.length; k++) {
      const [left, top] = [plan.x[k] ?? 0, plan.y[k] ?? 0];
      if (a >= left && a <= left + card.width && b >= top && b <= top + card.height) return plan.nodes[k] ?? -1;
    }
    return -1;
  };
  const [pointed, point] = useState(-1);
  const draw = useCallback(
    (pen: Parameters<typeof drawPlan>[0], area: Size, colours: Parameters<typeof drawPlan>[4]) =>
      drawPlan(pen, plan, scene, looks, colours, { ...zoom, ...area }),
    [plan, looks, zoom.x, zoom.y, zoom.scale],
  );
  const choose = (node: number) => {
    if (node >= 0) set({ node: merged ? (merged.of[node] ?? 0) : node });
  };
  const key = (event: KeyboardEvent, area: Size): boolean => {
    const [x, y] = [area.width / 2, area.height / 2];
    const step = 80 / zoom.scale;
    switch (event.key) {
      case "+":
      case "=":
        zoomBy(1.25, x, y);
        return true;
      case "-":
        zoomBy(0.8, x, y);
        return true;
      case "0":
        move(fit());
        return true;
    }
    if (event.shiftKey && event.key.startsWith("Arrow")) {
      const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[
        event.key
      ] ?? [0, 0];
      move({ ...zoom, x: zoom.x + (dx ?? 0), y: zoom.y + (dy ?? 0) });
      return true;
    }
    const next = neighbour(scene, event.key);
    if (next === null) return false;
    set({ node: next });
    return true;
  };
  const at = pointed >= 0 ? pointed : merged ? (merged.graphOf[state.node] ?? 0) : state.node;
  const readout = sentence(scene, looks.nodes, looks.costs, looks.ranks, at);
  return (
    <div class="split">
      <div class="main">
        <Picture
          label={`Call graph, critical path ${pathName(scene)}`}
          name={`${profile.head.name}-graph`}
          run={runName(scene)}
          legend={[shades(scene)]}
          draw={draw}
          readout={readout}
          onSize={(area) => {
            const first = size.current.width !== area.width || size.current.height !== area.height;
            size.current = area;
            if (first) setBegin(start());
          }}
          onPoint={(x, y) => point(under(x, y))}
          onPress={(x, y) => choose(under(x, y))}
          onTwice={(x, y) => {
            const node = under(x, y);
            if (node >= 0 && !merged) {
              const { collapsed } = state;
              set({ collapsed: collapsed.includes(node) ? collapsed.filter((o) => o !== node) : [...collapsed, node] });
            }
          }}
          onDrag={(dx, dy) =>
            set((old) => ({
              zoom: {
                ...(old.zoom ?? zoom),
                x: (old.zoom ?? zoom).x - dx / zoom.scale,
                y: (old.zoom ?? zoom).y - dy / zoom.scale,
              },
            }))
          }
          onWheel={(delta, x, y) => zoomBy(Math.exp(-delta / 500), x, y)}
          onKey={key}
        />
        <NodeGrid scene={scene} id="g" />
      </div>
      <aside aria-label="Overview, processors, details">
        <Overview plan={plan} scene={scene} looks={looks} zoom={zoom} size={size.current} move={move} />
        <Processors scene={scene} />
        <Detail scene={scene} />
      </aside>
    </div>
  );
}

function hiddenInGraph(profile: Profile, { nodes, graphOf }: Merged, hidden: number[]): Set<number> {
  if (hidden.length === 0) return new Set();
  // A function is hidden if all that it stands for is.
  const { tree } = profile;
  const gone = new Set(hidden);
  const shown = new Uint8Array(nodes.count);
  const below = new Uint8Array(tree.count);
  for (let at = 0; at < tree.count; at++) {
    below[at] = at > 0 && (gone.has(at) || below[tree.parent[at] ?? 0]) ? 1 : 0;
    if (!below[at]) shown[graphOf[at] ?? 0] = 1;
  }
  return new Set(Array.from(shown, (flag, at) => (flag ? -1 : at)).filter((at) => at >= 0));
}

function looksOf(scene: Scene): Looks {
  const { profile, state, merged } = scene;
  const closed = new Set(state.collapsed);
  if (!merged) {
    return {
      nodes: profile.tree,
      costs: scene.costs,
      ranks: scene.ranks,
      shades: scene.shades,
      onPath: (node) => scene.path.length > 1 && scene.onPath.has(node),
      selected: state.node,
      matching: (node) => scene.matching?.has(node) ?? false,
      folded: (node) => (closed.has(node) ? childrenOf(profile, node).length : 0),
    };
  }
  const path = new Set(scene.path.map((node) => merged.graphOf[node] ?? 0));
  const found = new Set(scene.matches?.map((node) => merged.graphOf[node] ?? 0) ?? []);
  return {
    nodes: merged.nodes,
    costs: merged.costs,
    ranks: merged.ranks,
    shades: merged.shades,
    onPath: (node) => path.size > 1 && path.has(node),
    selected: merged.graphOf[state.node] ?? 0,
    matching: (node) => found.has(node),
    folded: () => 0,
  };
}

/** All of it, small, with the visible part marked. */
function Overview(props: {
  plan: Plan;
  scene: Scene;
  looks: Looks;
  zoom: Zoom;
  size: Size;
  move: (zoom: Zoom) => void;
}) {
  const { plan, looks, zoom, size } = props;
  // Each axis has its own scale: a deep tree is wide, and one of many leaves is high.
  const scaleOf = (area: Size) => ({ across: (area.width - 8) / plan.width, down: (area.height - 8) / plan.height });
  const draw = useCallback(
    (pen: Parameters<typeof drawPlan>[0], area: Size, colours: Parameters<typeof drawPlan>[4]) => {
      const { across, down } = scaleOf(area);
      const { card } = plan;
      // Of very many cards those that would fall on the same pixels are drawn once.
      const drawn = new Set<number>();
      for (let k = 0; k < plan.nodes.length; k++) {
        const [x, y] = [4 + (plan.x[k] ?? 0) * across, 4 + (plan.y[k] ?? 0) * down];
        const node = plan.nodes[k] ?? 0;
        const pixel = Math.round(y) * 65536 + Math.round(x);
        if (drawn.has(pixel) && !looks.onPath(node)) continue;
        drawn.add(pixel);
        const [w, h] = [Math.max(1.5, card.width * across), Math.max(1, card.height * down)];
        // On whole pixels edges are straight and sharp.
        const [left, top, right, bottom] = [x, y, x + w, y + h].map((place) =>
          h > 3 ? Math.floor(place) + 0.5 : place,
        );
        const edge = looks.onPath(node) ? colours.ink : colours.edge;
        const corners = [left, top, right, top, right, bottom, left, bottom].map((place) => place ?? 0);
        pen.polygon(corners, { color: colours.hot(looks.shades[node] ?? 0) }, { color: edge, width: h > 3 ? 1 : 0.5 });
      }
      const [left, top] = [4 + zoom.x * across, 4 + zoom.y * down];
      const [w, h] = [(size.width / zoom.scale) * across, (size.height / zoom.scale) * down];
      const [a, b] = [Math.max(1, left), Math.max(1, top)];
      const [c, d] = [Math.min(area.width - 1, left + w), Math.min(area.height - 1, top + h)];
      if (c > a && d > b) {
        pen.polygon(
          [a, b, c, b, c, d, a, d],
          { color: colours.accent, alpha: 0.08 },
          { color: colours.accent, width: 2 },
        );
      }
    },
    [plan, looks, zoom.x, zoom.y, zoom.scale, size.width, size.height],
  );
  const go = (x: number, y: number, area: Size) => {
    const { across, down } = scaleOf(area);
    props.move({
      x: (x - 4) / across - size.width / 2 / zoom.scale,
      y: (y - 4) / down - size.height / 2 / zoom.scale,
      scale: zoom.scale,
    });
  };
  return (
    <section class="pane">
      <h2>Overview</h2>
      <Picture
        label="Overview of the call graph; the frame is the visible part"
        name="overview"
        draw={draw}
        height={150}
        plain
        onPress={go}
        onKey={(event, area) => {
          const step = 40;
          const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[
            event.key
          ];
          if (!by || area.width === 0) return false;
          props.move({ ...zoom, x: zoom.x + (by[0] ?? 0) / zoom.scale, y: zoom.y + (by[1] ?? 0) / zoom.scale });
          return true;
        }}
      />
    </section>
  );
}
