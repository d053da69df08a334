// The source beside the drawing: the lines of the chosen node, and the nodes of a line.

import type { Node, Views } from "./views";

/** File and lines: `heat.c:10-20`, `heat.c:10`. */
interface Place {
  file: string;
  from: number;
  to: number;
}

function place(text: string): Place | null {
  const found = /^(.*):(\d+)(?:-(\d+))?$/.exec(text);
  if (!found) return null;
  const [, file = "", from, to] = found;
  const one = Number(from);
  const other = to === undefined ? one : Number(to);
  // A segment of a loop may end above the line where it begins.
  return { file, from: Math.min(one, other), to: Math.max(one, other) };
}

/** Makes the source live. */
export function startSource(views: Views): { show: (node: Node | null) => void } {
  const files = [...document.querySelectorAll<HTMLElement>(".text[data-file]")];
  const places = (node: Node) => (node.dataset.at ?? "").split(" ").flatMap((text) => place(text) ?? []);
  const line = (file: HTMLElement, number: number) =>
    file.querySelector<HTMLElement>(`[data-line="${number}"]`)?.parentElement ?? null;
  const show = (node: Node | null) => {
    for (const old of document.querySelectorAll(".line.in")) old.classList.remove("in");
    let seen: HTMLElement | null = null;
    for (const at of node ? places(node) : []) {
      const file = files.find((one) => one.dataset.file === at.file);
      if (!file) continue;
      file.closest("details")?.setAttribute("open", "");
      for (let number = at.from; number <= at.to; number++) {
        const found = line(file, number);
        found?.classList.add("in");
        seen ??= found;
      }
    }
    seen?.scrollIntoView({ block: "center" });
  };
  for (const file of files) {
    file.addEventListener("click", (event) => {
      const clicked = (event.target as Element).closest(".line");
      const number = Number(clicked?.querySelector<HTMLElement>(".no")?.dataset.line);
      const covers = (node: Node) =>
        places(node).some((at) => at.file === file.dataset.file && at.from <= number && number <= at.to);
      // The shortest stretch that has the line.
      const length = (node: Node) => Math.min(...places(node).map((at) => at.to - at.from));
      const [first] = views
        .nodes()
        .filter(covers)
        .sort((a, b) => length(a) - length(b));
      if (first) views.choose(first, true);
    });
  }
  return { show };
}
