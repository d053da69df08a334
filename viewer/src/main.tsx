// Makes a model's page live.

import { read } from "./model/data";
import { ExperimentPlot } from "./model/plot";
import { Points } from "./model/points";
import { Residuals } from "./model/residuals";
import { Rounds } from "./model/rounds";
import { Data } from "./model/samples";
import { islands } from "./shell/islands";
import { startNavigation } from "./shell/navigation";
import { startTheme, ThemeButton } from "./shell/theme";

startTheme();
startNavigation();
islands("theme", () => <ThemeButton />);

const data = read();
if (data) {
  /** The experiment that an island belongs to, if it has a fit. */
  const of = (element: HTMLElement) => {
    const index = Number(element.dataset["experiment"]);
    const model = data.model.experiments[index];
    const own = data.experiments[index];
    return model?.fit && own ? { model, fit: model.fit, data: own } : null;
  };
  islands(
    "plot",
    (element) => {
      const one = of(element);
      return one && one.data.views.length > 0 ? <ExperimentPlot {...one} /> : null;
    },
    true,
  );
  islands(
    "residuals",
    (element) => {
      const one = of(element);
      return one && <Residuals model={one.model} fit={one.fit} />;
    },
    true,
  );
  islands(
    "points",
    (element) => {
      const one = of(element);
      return one && <Points model={one.model} fit={one.fit} />;
    },
    true,
  );
  const rounds = data.model.sampling?.rounds ?? [];
  islands("rounds", () => (rounds.length > 0 ? <Rounds rounds={rounds} /> : null), true);
  islands("data", () => <Data data={data} />, true);
  document.documentElement.dataset["viewer"] = "live";
}
