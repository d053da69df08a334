// Finds nodes by the words of their labels.

import type { Node, Views } from "./views";

/** Makes the field for a search live. */
export function startSearch(views: Views): void {
  const place = document.getElementById("search");
  if (!place) return;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Search (/)";
  field.setAttribute("aria-label", "Search the nodes of the graph");
  const count = document.createElement("output");
  place.append(field, count);
  let found: Node[] = [];
  let at = -1;

  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (node: Node) => `${node.textContent ?? ""} ${node.dataset.at ?? ""}`.toLowerCase();
    const fits = (node: Node) => {
      const label = text(node);
      return words.length > 0 && words.every((word) => label.includes(word));
    };
    at = -1;
    found = [];
    for (const node of views.nodes()) {
      const is = fits(node);
      node.classList.toggle("found", is);
      if (is) found.push(node);
    }
    say();
  };
  const say = () => {
    if (field.value.trim() === "") count.textContent = "";
    else if (at < 0) count.textContent = `${found.length} found`;
    else count.textContent = `${at + 1} of ${found.length}`;
  };
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      search();
    }
    if (event.key !== "Enter" || found.length === 0) return;
    at = (at + (event.shiftKey ? -1 : 1) + found.length) % found.length;
    views.choose(found[at] ?? null, true);
    say();
  });
  views.onShown(search);
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || (event.target as Element).closest("input")) return;
    event.preventDefault();
    field.focus();
  });
}
