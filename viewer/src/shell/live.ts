// A page that is served while its model is measured: it asks whether there is a newer one, and loads that.

/** Milliseconds between two questions. */
const EVERY = 2000;
/** The server is gone after so many questions without an answer. */
const PATIENCE = 3;

/** Begins to ask, if the page is of a measurement that goes on. */
export function startLive(): void {
  const state = document.querySelector<HTMLElement>("[data-live]");
  if (!state) return;
  let unanswered = 0;
  const ask = async () => {
    try {
      const answer = await fetch(location.pathname + location.search, { method: "HEAD", cache: "no-store" });
      const version = answer.headers.get("ETag")?.replaceAll('"', "");
      unanswered = 0;
      // The link keeps the values of the sliders, the browser the place on the page.
      if (answer.ok && version && version !== state.dataset.live) return location.reload();
    } catch {
      unanswered++;
    }
    if (unanswered < PATIENCE) return void setTimeout(() => void ask(), EVERY);
    state.textContent =
      "The command has ended. This page shows what was measured before; the finished page is the file that the command names.";
    state.classList.add("caution");
  };
  setTimeout(() => void ask(), EVERY);
}
