// The sets of a source as a table, and what is done with corrections.

import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { download } from "../../shell/download";
import { count } from "../../shell/numbers";
import { shown } from "../../shell/text";
import { type Corrections, type Entry, equal, isListed } from "./corrections";
import type { Lines } from "./lines";
import { toml } from "./toml";

/** Drawn again after each correction. */
export function useCorrections(corrections: Corrections): void {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  // With what is drawn, so that no correction comes before.
  useLayoutEffect(() => corrections.listen(() => draw(undefined)), [corrections]);
}

export function Panel({ corrections, lines }: { corrections: Corrections; lines: Lines }) {
  useCorrections(corrections);
  const { page, changed } = corrections;
  const [said, say] = useState("");
  const [wrong, setWrong] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const file = shown(page.file);

  // What is neither written nor downloaded would be lost.
  useEffect(() => {
    const ask = (event: Event) => corrections.changed > 0 && said === "" && event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [corrections, said]);
  useLayoutEffect(() => corrections.listen(() => say("")), [corrections]);

  const write = async () => {
    setWrong("");
    try {
      const reply = await fetch("/", {
        method: "POST",
        headers: { "X-Cll-Token": location.search.slice(1), "If-Match": `"${corrections.version}"` },
        body: toml(corrections),
      });
      const text = await reply.text();
      if (!reply.ok) return setWrong(`${file} is not written: ${text}`);
      corrections.written(text);
      say(`${file} is written.`);
    } catch {
      setWrong(`${file} is not written: cll page --serve does not answer.`);
    }
  };
  const hand = () => {
    download(page.file, "application/toml", toml(corrections));
    say(`${file} is downloaded: cll upsilon import takes it.`);
  };
  const open = (event: Event) => {
    event.preventDefault();
    const line = Number(field.current?.value);
    setWrong(lines.open(line, field.current) ? "" : `Line ${line} is not in this page, or has no statement.`);
  };
  const from = page.kept || said.endsWith("written.") ? `The sets of ${file}` : "Proposed by the nesting of loops";
  return (
    <>
      {page.sets.experiments.map((_, k) => (
        <Sets corrections={corrections} experiment={k} lines={lines} />
      ))}
      <p role="status">
        {from}
        {changed > 0 ? `; ${count(changed, "statement", "statements")} corrected here. ` : ". "}
        {said}
      </p>
      <p role="alert" class="wrong">
        {wrong}
      </p>
      <form class="controls" onSubmit={open}>
        {corrections.version !== null && (
          <button type="button" disabled={changed === 0} onClick={() => void write()}>
            Write <bdi>{file}</bdi>
          </button>
        )}
        <button type="button" onClick={hand}>
          Download <bdi>{file}</bdi>
        </button>
        <button type="button" disabled={!corrections.canUndo} onClick={() => corrections.undo()}>
          Undo
        </button>
        <label>
          Line <input ref={field} type="number" name="line" min="1" required />
        </label>
        <button type="submit">Correct</button>
      </form>
    </>
  );
}

function Sets({ corrections, experiment, lines }: { corrections: Corrections; experiment: number; lines: Lines }) {
  const one = corrections.page.sets.experiments[experiment];
  const constants = corrections.page.constants[experiment] ?? [];
  if (!one) return null;
  const listed = (corrections.entries[experiment] ?? []).filter(isListed).sort((a, b) => a.now.line - b.now.line);
  const rest = listed.filter(({ now }) => now.constants.length === 0);
  const row = (entry: Entry) => <Row entry={entry} lines={lines} />;
  return (
    <div class="part">
      <h3>
        Υ <bdi>{shown(one.name)}</bdi>
        <span class="remark">
          <bdi>{shown(one.formula)}</bdi>
        </span>
      </h3>
      <div class="scroll" role="group" tabIndex={0} aria-label={`Sets of ${shown(one.name)}`}>
        <table>
          <thead>
            <tr>
              {["constant", "line", "statement", "times", "by"].map((title) => (
                <th scope="col">{title}</th>
              ))}
            </tr>
          </thead>
          {constants.map(({ name, values }) => {
            const own = listed.filter(({ now }) => now.constants.includes(name));
            const [first, ...others] = own;
            return (
              <tbody>
                <tr>
                  <th scope="rowgroup" rowSpan={Math.max(1, own.length)}>
                    <bdi class="value">{shown(name)}</bdi>
                    {values.map((value) => (
                      <span class="holds">{value}</span>
                    ))}
                  </th>
                  {first ? <Cells entry={first} lines={lines} /> : <td colSpan={4}>no statement</td>}
                </tr>
                {others.map(row)}
              </tbody>
            );
          })}
          {rest.length > 0 && (
            <tbody>
              <tr>
                <th scope="rowgroup" rowSpan={rest.length}>
                  in no set
                </th>
                {rest[0] && <Cells entry={rest[0]} lines={lines} />}
              </tr>
              {rest.slice(1).map(row)}
            </tbody>
          )}
        </table>
      </div>
      {(one.notes ?? []).map((note) => (
        <p class="faint">{shown(note)}</p>
      ))}
    </div>
  );
}

function Row(props: { entry: Entry; lines: Lines }) {
  return (
    <tr>
      <Cells {...props} />
    </tr>
  );
}

function Cells({ entry, lines }: { entry: Entry; lines: Lines }) {
  const { now } = entry;
  return (
    <>
      <td class="num">
        <button
          type="button"
          class="link"
          aria-label={`Correct line ${now.line}`}
          onClick={(event) => lines.open(now.line, event.currentTarget)}
        >
          {now.line}
        </button>
      </td>
      <td>
        <code>{shown(now.text)}</code>
      </td>
      <td>{shown(now.times ?? "")}</td>
      <td>
        {by(entry)}
        {now.note && <span class="holds">{shown(now.note)}</span>}
      </td>
    </>
  );
}

/** Who says so, and what was said before. */
function by({ base, now }: Entry): string {
  const who = now.by === "both" ? "nesting, counts" : shown(now.by);
  if (base === now) return who;
  if (!base) return `${who}, added`;
  if (equal(base.constants, now.constants)) return who;
  return `${who}, was ${base.constants.length > 0 ? base.constants.map(shown).join(", ") : "in no set"}`;
}
