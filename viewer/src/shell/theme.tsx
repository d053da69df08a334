// Light or dark: as the system prefers, or as the reader chooses.

import { useState } from "preact/hooks";

type Theme = "auto" | "light" | "dark";

const KEY = "cll-theme";
const NAMES: Record<Theme, string> = { auto: "Auto", light: "Light", dark: "Dark" };
const CHANGED = "cll-theme-changed";

/** What the reader chose before. Files from a disk may have no storage. */
function kept(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}

function apply(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  recoloured();
}

/** Says that colours have changed. */
export function recoloured(): void {
  document.dispatchEvent(new Event(CHANGED));
}

/** Takes up the reader's choice; before anything is drawn. */
export function startTheme(): void {
  apply(kept());
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", recoloured);
}

/** Calls back whenever colours change; gives the way to stop that. */
export function onTheme(then: () => void): () => void {
  document.addEventListener(CHANGED, then);
  return () => document.removeEventListener(CHANGED, then);
}

/** The button that goes through the themes. */
export function ThemeButton() {
  const [theme, choose] = useState<Theme>(kept());
  const next: Theme = theme === "auto" ? "light" : theme === "light" ? "dark" : "auto";
  const change = () => {
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // It holds for as long as the page is open.
    }
    choose(next);
    apply(next);
  };
  return (
    <button type="button" class="theme" onClick={change} title={`Change to ${NAMES[next]}`}>
      <span class="half" aria-hidden="true" />
      <span class="visually-hidden">Colours: </span>
      {NAMES[theme]}
    </button>
  );
}
