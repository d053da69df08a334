// Arrow keys in drawings of the tree: left to the caller, right to what is called, up and down to siblings.

import { orderedChildren, type Scene } from "../scene";

/** The node that a key leads to; null if the key leads nowhere. */
export function neighbour(scene: Scene, key: string): number | null {
  const { profile, state } = scene;
  const { node } = state;
  const parent = profile.tree.parent[node] ?? -1;
  const hidden = new Set(state.hidden);
  const below = (of: number) =>
    state.collapsed.includes(of) ? [] : Array.from(orderedChildren(scene, of)).filter((at) => !hidden.has(at));
  switch (key) {
    case "ArrowLeft":
      return parent >= 0 ? parent : null;
    case "ArrowRight": {
      // To the child on the critical path, if there is one.
      const children = below(node);
      return children.find((at) => scene.onPath.has(at)) ?? children[0] ?? null;
    }
    case "ArrowUp":
    case "ArrowDown": {
      if (parent < 0) return null;
      const siblings = below(parent);
      return siblings[siblings.indexOf(node) + (key === "ArrowUp" ? -1 : 1)] ?? null;
    }
    case "Home":
      return 0;
    default:
      return null;
  }
}
