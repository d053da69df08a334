// Colours of the drawings: those of the style sheet, and scales between two of them.

export interface Palette {
  ground: string;
  raised: string;
  ink: string;
  faint: string;
  line: string;
  edge: string;
  accent: string;
  /** Computation, communication, waiting, h. */
  metrics: string[];
  /** A shade of rank 0 to 1: white to red. */
  hot: (share: number) => string;
  /** From nothing to the largest. */
  cool: (share: number) => [number, number, number];
  /** -1 less, 0 the same, 1 more: blue to orange. */
  diverging: (share: number) => string;
  /** Ink on a shade. */
  inkOn: (share: number) => string;
}

type Rgb = [number, number, number];

let kept: { key: string; palette: Palette } | null = null;

export function palette(): Palette {
  const root = document.documentElement;
  const key = `${root.dataset.theme} ${matchMedia("(prefers-color-scheme: dark)").matches} ${matchMedia("(forced-colors: active)").matches}`;
  if (kept?.key === key) return kept.palette;
  const probe = document.createElement("span");
  document.body.append(probe);
  const of = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const rgb = (name: string): Rgb => {
    const [r = 0, g = 0, b = 0] = (of(name).match(/[\d.]+/g) ?? []).map(Number);
    return [r, g, b];
  };
  const [ground, hot, cool, less, more] = ["surface", "hot", "cool", "less", "more"].map(rgb) as [
    Rgb,
    Rgb,
    Rgb,
    Rgb,
    Rgb,
  ];
  const mixed = (a: Rgb, b: Rgb, share: number): Rgb => {
    const t = Math.min(1, Math.max(0, share));
    return a.map((from, k) => Math.round(from + t * ((b[k] ?? 0) - from))) as Rgb;
  };
  const css = (colour: Rgb) => `rgb(${colour.join(" ")})`;
  const found: Palette = {
    ground: of("surface"),
    raised: of("raised"),
    ink: of("ink"),
    faint: of("faint"),
    line: of("line"),
    edge: of("edge"),
    accent: of("accent"),
    metrics: ["series0", "series1", "wait", "series2"].map(of),
    hot: (share) => css(mixed(ground, hot, share)),
    cool: (share) => mixed(ground, cool, share),
    diverging: (share) => css(mixed(ground, share < 0 ? less : more, Math.abs(share))),
    inkOn: () => found.ink,
  };
  probe.remove();
  kept = { key, palette: found };
  return found;
}
