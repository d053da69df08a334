// The lines of a source: each says which constants it belongs to, and is corrected there.

import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { shown } from "../../shell/text";
import type { Corrections, Entry } from "./corrections";
import { useCorrections } from "./panel";

/** Letters of the column beside the source. */
const WIDTH = 32;

export class Lines {
  private readonly corrections: Corrections;
  /** Where a line is corrected, and what had the focus before. */
  private place: { line: number; element: HTMLElement; from: HTMLElement | null } | null = null;
  private drawn = new Map<number, () => void>();

  constructor(corrections: Corrections) {
    this.corrections = corrections;
    const known = new Set(corrections.entries.flat().map((one) => one.now.line));
    for (const line of known) this.live(line);
    // A line that gets its first statement becomes live, too.
    corrections.listen(() => {
      for (const one of corrections.entries.flat()) {
        if (!this.drawn.has(one.now.line) && one.now.constants.length > 0) this.live(one.now.line);
      }
    });
  }

  private element(line: number): HTMLElement | null {
    return document.getElementById(`s${this.corrections.page.source}-${line}`);
  }

  /** Makes the column of a line a button. */
  private live(line: number): void {
    const column = this.element(line)?.querySelector<HTMLElement>(".sets");
    if (!column) return;
    const width = column.textContent.length - 2;
    column.replaceChildren();
    const draw = () =>
      render(
        <LineButton
          corrections={this.corrections}
          line={line}
          width={width}
          isOpen={this.place?.line === line}
          turn={(from) => (this.place?.line === line ? this.close() : this.open(line, from))}
        />,
        column,
      );
    this.drawn.set(line, draw);
    draw();
  }

  /** Opens the correction of a line below it; `false` if there is no such line or no statement. */
  open(line: number, from: HTMLElement | null): boolean {
    const element = this.element(line);
    if (!element || this.corrections.all(line).flat().length === 0) return false;
    this.close();
    const folded = element.closest("details");
    if (folded) folded.open = true;
    const place = document.createElement("span");
    place.className = "correct";
    // Behind the end of the line, which is text.
    (element.nextSibling ?? element).after(place);
    this.place = { line, element: place, from };
    render(<Correct corrections={this.corrections} line={line} close={() => this.close()} />, place);
    this.drawn.get(line)?.();
    return true;
  }

  private close(): void {
    const open = this.place;
    if (!open) return;
    this.place = null;
    const had = open.element.contains(document.activeElement);
    render(null, open.element);
    open.element.remove();
    this.drawn.get(open.line)?.();
    if (had) open.from?.focus();
  }
}

interface ButtonProps {
  corrections: Corrections;
  line: number;
  width: number;
  isOpen: boolean;
  turn: (from: HTMLElement) => void;
}

function LineButton({ corrections, line, width, isOpen, turn }: ButtonProps) {
  useCorrections(corrections);
  const names = [...new Set(corrections.on(line).flatMap((all) => all.flatMap((one) => one.now.constants)))];
  const listed = corrections.on(line).some((all) => all.length > 0);
  if (!listed) return <>{" ".repeat(width + 2)}</>;
  const text = names.length > 0 ? names.map(shown).join(", ") : "in no set";
  const longest = Math.max(width, 9);
  const cut = text.length > longest ? `${text.slice(0, Math.min(longest, WIDTH) - 1)}…` : text;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={`Line ${line}: ${cut}. Correct`}
        title={cut === text ? undefined : text}
        onClick={(event) => turn(event.currentTarget)}
      >
        <bdi>{cut}</bdi>
      </button>
      {" ".repeat(Math.max(0, width - cut.length) + 2)}
    </>
  );
}

function Correct({ corrections, line, close }: { corrections: Corrections; line: number; close: () => void }) {
  useCorrections(corrections);
  const box = useRef<HTMLSpanElement>(null);
  // Before anything else is read: a key pressed at once after that which opens the box belongs to the box.
  useLayoutEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
    box.current?.querySelector("input")?.focus();
  }, []);
  const { experiments } = corrections.page.sets;
  return (
    <span
      ref={box}
      class="box"
      role="group"
      aria-label={`Constants of line ${line}`}
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      {corrections
        .all(line)
        .map((all, k) =>
          all.map((entry) => (
            <Choice corrections={corrections} experiment={k} entry={entry} of={shown(experiments[k]?.name ?? "")} />
          )),
        )}
      <button type="button" onClick={close}>
        Close
      </button>
    </span>
  );
}

function Choice(props: { corrections: Corrections; experiment: number; entry: Entry; of: string }) {
  const { corrections, experiment, entry, of } = props;
  const text = shown(entry.now.text);
  return (
    <span role="group" aria-label={`${text}, ${of}`} class="choice">
      <code>{text}</code>
      {corrections.names(experiment).map((name) => (
        <label>
          <input
            type="checkbox"
            checked={entry.now.constants.includes(name)}
            onChange={() => corrections.turn(experiment, entry, name)}
          />
          <bdi>{shown(name)}</bdi>
        </label>
      ))}
    </span>
  );
}
