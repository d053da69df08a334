// The drawings of the page, of which one is seen at a time, with their zoom and the node that is chosen.

const STEP = 1.25;
const LEAST = 0.1;
const MOST = 5;

/** A node of a drawing: the group of its symbol and labels. */
export type Node = SVGGElement;

export interface Views {
  /** Nodes of the drawing that is seen. */
  nodes(): Node[];
  /** Chooses a node, in view if `scroll` is true; null: none. */
  choose(node: Node | null, scroll: boolean): void;
  onChosen(then: (node: Node | null) => void): void;
  onShown(then: () => void): void;
}

/** The part of the page with the drawings; null if it has none. */
export function startViews(): Views | null {
  const pane = document.getElementById("drawings");
  const bar = document.getElementById("zoom");
  const all = [...document.querySelectorAll<HTMLElement>(".drawing")];
  const first = all[0];
  if (!pane || !bar || !first) return null;
  let shown = first;
  let chosen: Node | null = null;
  const choosers: ((node: Node | null) => void)[] = [];
  const showers: (() => void)[] = [];
  const zooms = new Map<HTMLElement, number>();

  const size = (view: HTMLElement) => {
    const svg = view.querySelector("svg");
    const box = svg?.viewBox.baseVal;
    return svg && box ? { svg, wide: box.width, high: box.height } : null;
  };
  /** Draws so many times as large; the point of the pane at `at` stays where it is. */
  const zoom = (by: number, at?: { x: number; y: number }) => {
    const of = size(shown);
    if (!of) return;
    const old = zooms.get(shown) ?? 1;
    const now = Math.min(MOST, Math.max(LEAST, by));
    const x = at?.x ?? pane.clientWidth / 2;
    const y = at?.y ?? pane.clientHeight / 2;
    const left = (pane.scrollLeft + x) * (now / old) - x;
    const top = (pane.scrollTop + y) * (now / old) - y;
    zooms.set(shown, now);
    of.svg.setAttribute("width", String(of.wide * now));
    of.svg.setAttribute("height", String(of.high * now));
    pane.scrollTo(left, top);
    percent.textContent = `${Math.round(100 * now)} %`;
  };
  const level = () => zooms.get(shown) ?? 1;
  const button = (text: string, title: string, act: () => void) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.title = title;
    made.addEventListener("click", act);
    bar.append(made);
    return made;
  };
  const tabs = all.map((view) => {
    const tab = button(view.dataset.name ?? "", view.dataset.about ?? "", () => show(view));
    return { view, tab };
  });
  button("−", "Smaller (-)", () => zoom(level() / STEP));
  const percent = document.createElement("output");
  bar.append(percent);
  button("+", "Larger (+)", () => zoom(level() * STEP));
  button("Fit", "All of the width (0)", () => {
    const of = size(shown);
    if (of) zoom(Math.min(1, (pane.clientWidth - 16) / of.wide));
  });

  const choose = (node: Node | null, scroll: boolean) => {
    chosen?.classList.remove("chosen");
    chosen = node;
    node?.classList.add("chosen");
    if (scroll) node?.scrollIntoView({ block: "center", inline: "center" });
    for (const then of choosers) then(node);
  };
  function show(view: HTMLElement): void {
    const task = chosen?.dataset.task;
    shown = view;
    for (const one of tabs) {
      one.view.hidden = one.view !== view;
      one.tab.setAttribute("aria-pressed", String(one.view === view));
    }
    zoom(level());
    // A task is followed into its nodes, and back.
    const same = task ? view.querySelector<Node>(`g.node[data-task="${CSS.escape(task)}"]`) : null;
    choose(same, same !== null);
    for (const then of showers) then();
  }
  for (const view of all) {
    for (const node of view.querySelectorAll<Node>("g.node")) node.tabIndex = 0;
    view.addEventListener("click", (event) => {
      const node = (event.target as Element).closest<Node>("g.node");
      choose(node, false);
    });
  }
  pane.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = pane.getBoundingClientRect();
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      zoom(level() * Math.exp(-event.deltaY / 300), at);
    },
    { passive: false },
  );
  addEventListener("keydown", (event) => {
    const target = event.target as Element;
    if (target.closest("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+") zoom(level() * STEP);
    else if (event.key === "-") zoom(level() / STEP);
    else if (event.key === "0") zoom(1);
    else if (event.key === "Enter" && target.matches("g.node")) choose(target as Node, false);
    else return;
    event.preventDefault();
  });
  show(shown);
  return {
    nodes: () => [...shown.querySelectorAll<Node>("g.node")],
    choose,
    onChosen: (then) => choosers.push(then),
    onShown: (then) => showers.push(then),
  };
}
