// Makes the sets of constants of a model's page correctable. It stands in pages that have sets.

import { read } from "./model/data";
import { Corrections } from "./model/upsilon/corrections";
import { Lines } from "./model/upsilon/lines";
import { Panel } from "./model/upsilon/panel";
import { islands } from "./shell/islands";

addEventListener("DOMContentLoaded", () => {
  const data = read();
  if (!data) return;
  islands("upsilon", (element) => {
    const page = data.upsilon?.find((one) => one.source === Number(element.dataset.source));
    if (!page) return null;
    const corrections = new Corrections(page);
    return <Panel corrections={corrections} lines={new Lines(corrections)} />;
  });
});
