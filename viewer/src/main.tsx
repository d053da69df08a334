// Makes a model's page live.

import { Ask } from "./model/ask";
import { Counters } from "./model/counters";
import { read } from "./model/data";
import { FIRST, keyOf } from "./model/link";
import { ExperimentPlot } from "./model/plot";
import { Points } from "./model/points";
import { Residuals } from "./model/residuals";
import { Rounds } from "./model/rounds";
import { Data } from "./model/samples";
import { Together } from "./model/together";
import { Try } from "./model/try";
import { islands, lateIslands } from "./shell/islands";
import { startLive } from "./shell/live";
import { startNavigation } from "./shell/navigation";
import { startSortable } from "./shell/sortable";
import { startTheme, ThemeButton } from "./shell/theme";

startTheme();
const root = document.documentElement;
// What is to be made live is not drawn before.
root.dataset.viewer = "live";
addEventListener("DOMContentLoaded", start);

function start(): void {
  startNavigation();
  startSortable();
  startLive();
  islands("theme", () => <ThemeButton />);
  const data = read();
  if (!data) {
    delete root.dataset.viewer;
    return;
  }
  /** The experiment that an island belongs to, if it has a fit. */
  const of = (element: HTMLElement) => {
    const index = Number(element.dataset.experiment);
    const model = data.model.experiments[index];
    const own = data.experiments[index];
    return model?.fit && own ? { model, fit: model.fit, data: own } : null;
  };
  lateIslands("plot", (element) => {
    const one = of(element);
    return one && one.data.views.length > 0 ? <ExperimentPlot {...one} /> : null;
  });
  // Not late: a link may lead to it.
  islands("try", (element) => {
    const one = of(element);
    const isFirst = element.closest("#ask") !== null;
    const link = isFirst ? FIRST : keyOf(Number(element.dataset.experiment));
    return one && <Try {...one} link={link} part={isFirst ? null : element.closest("section")} />;
  });
  const fitted = data.model.experiments.flatMap((model, index) => {
    const own = data.experiments[index];
    return model.fit && own ? [{ model, fit: model.fit, data: own }] : [];
  });
  lateIslands("together", () => (fitted.length > 1 ? <Together all={fitted} /> : null));
  lateIslands("ask", () => <Ask all={fitted} />);
  lateIslands("counters", (element) => {
    // What was counted is there without a fit, too.
    const index = Number(element.dataset.experiment);
    const model = data.model.experiments[index];
    const own = data.experiments[index];
    return model && own ? <Counters model={model} data={own} /> : null;
  });
  lateIslands("residuals", (element) => {
    const one = of(element);
    return one && <Residuals model={one.model} fit={one.fit} />;
  });
  lateIslands("points", (element) => {
    const one = of(element);
    return one && <Points model={one.model} fit={one.fit} />;
  });
  const rounds = data.model.sampling?.rounds ?? [];
  lateIslands("rounds", () => (rounds.length > 0 ? <Rounds rounds={rounds} /> : null));
  lateIslands("data", () => <Data data={data} />);
}
