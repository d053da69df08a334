// Makes a profile's page live.

import { render } from "preact";
import { islands } from "../shell/islands";
import { startPrinting } from "../shell/printing";
import { shown } from "../shell/text";
import { startTheme, ThemeButton } from "../shell/theme";
import { App } from "./app";
import { readDiff } from "./data/diff";
import { readProfiles } from "./data/profile";

startTheme();
startPrinting();
const root = document.documentElement;
// The data of the first view stand before this element, all others behind it.
const first = new MutationObserver(() => document.getElementById("cll-first") && begin());
const begin = () => {
  first.disconnect();
  removeEventListener("DOMContentLoaded", begin);
  void start();
};
first.observe(root, { childList: true, subtree: true });
addEventListener("DOMContentLoaded", begin);

async function start(): Promise<void> {
  islands("theme", () => <ThemeButton />);
  const place = document.getElementById("live");
  if (!place) return;
  try {
    const [profiles, diff] = await Promise.all([readProfiles(), readDiff()]);
    root.dataset.viewer = "live";
    const machine = place.dataset.asOn ?? "";
    render(<App profiles={profiles} diff={diff} machine={machine} />, place);
  } catch (error) {
    // The static report stays.
    const why = error instanceof Error ? error.message : String(error);
    render(
      <p class="wrong" role="alert">
        The data of this page cannot be shown: {shown(why)}. Below is the report without them.
      </p>,
      place,
    );
  }
}
