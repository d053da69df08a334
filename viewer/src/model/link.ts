// Links to a prediction: `#at=N=3000, P=8` on the first screen, `#e2/at=…` in the part of an experiment.

/** The key of the experiment that has the first screen. */
export const FIRST = "";

/** The key of an experiment's part. */
export function keyOf(experiment: number): string {
  return `e${experiment}/`;
}

/** The link to a question. */
export function linkTo(key: string, question: string): string {
  return `#${key}at=${encodeURIComponent(question)}`;
}

/** The question of this key in the page's link; null if there is none. */
export function questionIn(hash: string, key: string): string | null {
  const start = `#${key}at=`;
  if (!hash.startsWith(start)) return null;
  try {
    return decodeURIComponent(hash.slice(start.length));
  } catch {
    return null;
  }
}

/** The address of this page with a link. */
export function addressOf(link: string): string {
  return new URL(link, location.href).href;
}
