// The tree of calls with its figures, for reading and for choosing a node.

import { number } from "../../shell/numbers";
import { shown } from "../../shell/text";
import { childrenOf, isByCalls, METRICS, type Metric, termsOf } from "../data/profile";
import { palette } from "../palette";
import { nodeLabel, type Scene } from "../scene";
import { causes, rank, remarks, summary } from "../words";
import { type GridColumn, TreeGrid } from "./treegrid";

export function NodeGrid({ scene, id }: { scene: Scene; id: string }) {
  const { profile, state, set, costs, visible } = scene;
  const { hot } = palette();
  const { metrics, short, steps } = termsOf(profile);
  const byCalls = isByCalls(profile);
  const figure = (metric: Metric): GridColumn => ({
    title: metric === 1 && scene.price ? "communication, g·h + l" : metrics[metric],
    short: metric === 1 && scene.price ? "g·h + l" : short[metric],
    hint: "maximum (average% | minimum%) over the processors",
    numeric: true,
    cell: (node) => {
      const [most = "", spread = ""] = summary(scene, costs, node, metric).split(/ (?=\()/);
      return (
        <>
          {most} <span class="spread">{spread}</span>
        </>
      );
    },
  });
  const cause: GridColumn = {
    title: "waiting was for",
    hint: "shares of the average",
    numeric: false,
    cell: (node) => causes(profile.waits, node),
  };
  const columns: GridColumn[] = [
    {
      title: "rank",
      hint: "by the chosen critical path, 0 to 1",
      numeric: true,
      cell: (node) => rank(scene.ranks[node] ?? 0),
      shade: (node) => hot(scene.shades[node] ?? 0),
    },
    {
      title: steps,
      short: byCalls ? "calls" : "steps",
      numeric: true,
      cell: (node) => number(profile.tree.supersteps[node] ?? 0),
    },
    ...(byCalls ? [figure(2), cause] : []),
    ...METRICS.filter((metric) => !byCalls || metric !== 2).map(figure),
  ];
  const closed = new Set(state.collapsed);
  return (
    <TreeGrid
      id={id}
      label="Call tree: maximum (average% | minimum%) of each node"
      name="call tree"
      columns={columns}
      nodes={visible.nodes}
      depth={visible.depth}
      selected={state.node}
      select={(node) => set({ node })}
      text={(node) => (
        <>
          <bdi>{shown(nodeLabel(scene, node))}</bdi>
          {scene.onPath.has(node) && scene.path.length > 1 && (
            <span class="on-path" title="on the critical path">
              {" "}
              *
            </span>
          )}
          <span class="faint">{remarks(profile.tree, node)}</span>
        </>
      )}
      open={(node) => (childrenOf(profile, node).length === 0 ? null : !closed.has(node))}
      toggle={(node) => set({ collapsed: toggled(state.collapsed, node) })}
      mark={(node) => (scene.matching?.has(node) ? "match" : "")}
      title={(node) => shown(nodeLabel(scene, node))}
      above={(node) => profile.tree.parent[node] ?? -1}
    />
  );
}

/** A list with an entry, or without it. */
export function toggled(list: number[], entry: number): number[] {
  return list.includes(entry) ? list.filter((other) => other !== entry) : [...list, entry];
}
