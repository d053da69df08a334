// The selected node, with all of its figures.

import { percent } from "../../shell/numbers";
import { shown } from "../../shell/text";
import { isByCalls, METRICS, pathTo, termsOf } from "../data/profile";
import { steadiness } from "../data/ranks";
import { nodeLabel, type Scene } from "../scene";
import { rank, remarks, supersteps, value } from "../words";

export function Detail({ scene }: { scene: Scene }) {
  const { profile, state, costs, price } = scene;
  const { node } = state;
  const { tree, head } = profile;
  const of = (list: Float64Array[], metric: number) => list[metric]?.[node] ?? 0;
  const file = head.strings[tree.file[node] ?? 0] ?? "";
  const ends = head.ends.find((one) => one.node === node)?.ends ?? [];
  const { metrics } = termsOf(profile);
  const byCalls = isByCalls(profile);
  const waiting = tree.costs.average[2]?.[node] ?? 0;
  return (
    <section class="pane">
      <h2>
        <bdi>{shown(nodeLabel(scene, node))}</bdi>
      </h2>
      <p class="faint">
        {pathTo(profile, node).map((at, k) => (
          <>
            {k > 0 && " > "}
            <button type="button" class="link" onClick={() => scene.set({ node: at })}>
              <bdi>{shown(nodeLabel(scene, at))}</bdi>
            </button>
          </>
        ))}
      </p>
      <p>
        {supersteps(profile, tree, node)}, rank {rank(scene.ranks[node] ?? 0)}
        {remarks(tree, node)}
        {file && (
          <>
            , <bdi>{shown(file)}</bdi>
            {(tree.line[node] ?? 0) > 0 && `:${tree.line[node]}`}
          </>
        )}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">metric</th>
            <th scope="col" class="num">
              maximum
            </th>
            <th scope="col" class="num">
              average
            </th>
            <th scope="col" class="num">
              minimum
            </th>
            {!byCalls && (
              <th scope="col" class="num">
                R
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {METRICS.flatMap((metric) => {
            const [maximum, average, minimum] = [costs.maximum, costs.average, costs.minimum].map((list) =>
              of(list, metric),
            );
            const r = steadiness(profile, scene.each, tree, costs, node, metric, price);
            const parts = metric === 2 ? profile.waits.filter((one) => (one.maximum[node] ?? 0) > 0) : [];
            return [
              <tr>
                <th scope="row">{metric === 1 && price ? "g·h + l" : metrics[metric]}</th>
                <td class="num">{value(scene, metric, maximum ?? 0)}</td>
                <td class="num">{value(scene, metric, average ?? 0)}</td>
                <td class="num">{value(scene, metric, minimum ?? 0)}</td>
                {!byCalls && <td class="num">{Number.isNaN(r) ? "-" : r.toFixed(2)}</td>}
              </tr>,
              ...parts.map((one) => (
                <tr>
                  <th scope="row">- {one.kind}</th>
                  {[one.maximum, one.average, one.minimum].map((list) => (
                    <td class="num">{value(scene, 2, list[node] ?? 0)}</td>
                  ))}
                </tr>
              )),
            ];
          })}
        </tbody>
      </table>
      {waiting > 0 && head.source.source === "log" && (
        <p class="faint">
          Waiting: {percent(Math.min(1, (tree.barrier[node] ?? 0) / waiting))} for the slowest computation, the rest
          {head.source.engine === "mpi"
            ? " for communication, also of the superstep before (the engine passes messages)"
            : " within communication"}
          .
        </p>
      )}
      {ends.length > 0 && (
        <ul>
          {ends.slice(0, 20).map((end) => (
            <li>
              <bdi>{shown(end.file)}</bdi>:{end.line},{" "}
              {end.processors.length > 12
                ? `${end.processors.length} processors`
                : `processors ${end.processors.join(", ")}`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
