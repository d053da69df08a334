// Makes the page of a graph of an MPI program live: zoom, search, and the source beside the drawing.

import { islands } from "../shell/islands";
import { startTheme, ThemeButton } from "../shell/theme";
import { startSearch } from "./search";
import { startSource } from "./source";
import { startViews } from "./views";

startTheme();
const root = document.documentElement;
root.dataset.viewer = "live";
addEventListener("DOMContentLoaded", () => {
  islands("theme", () => <ThemeButton />);
  const views = startViews();
  if (!views) {
    delete root.dataset.viewer;
    return;
  }
  const source = startSource(views);
  startSearch(views);
  views.onChosen((node) => source.show(node));
});
