// The sets of a source with the reader's corrections.

import type { SetsOfSource, Statement } from "../data";

/** A statement as it was, and as it is. */
export interface Entry {
  /** As the file, or the proposal, has it; null if it is not there. */
  base: Statement | null;
  now: Statement;
}

export class Corrections {
  readonly page: SetsOfSource;
  /** The statements of each experiment, in their order. */
  readonly entries: Entry[][];
  /** The version of the file that the corrections are of; null if this page is not served. */
  version: string | null;
  private past: { entry: Entry; before: Statement }[] = [];
  private listeners = new Set<() => void>();

  constructor(page: SetsOfSource) {
    this.page = page;
    this.version = page.version;
    this.entries = page.sets.experiments.map((one) => one.statements.map((now) => ({ base: now, now })));
  }

  /** Calls back after each change; gives the way to stop that. */
  listen(then: () => void): () => void {
    this.listeners.add(then);
    return () => this.listeners.delete(then);
  }

  /** Names of an experiment's constants. */
  names(experiment: number): string[] {
    return (this.page.constants[experiment] ?? []).map((one) => one.name);
  }

  /** Statements of a line that are in the file, by experiment. */
  on(line: number): Entry[][] {
    return this.entries.map((all) => all.filter((one) => one.now.line === line && isListed(one)));
  }

  /** All statements of a line, by experiment: those that are not in the file, too. */
  all(line: number): Entry[][] {
    return this.entries.map((all) => {
      const own = all.filter((one) => one.now.line === line);
      const free = [...own];
      for (const [at, text, name] of this.page.statements) {
        if (at !== line) continue;
        const known = free.findIndex((one) => one.now.text === text);
        if (known >= 0) {
          free.splice(known, 1);
          continue;
        }
        const added: Entry = { base: null, now: { line, text, function: name, constants: [], by: "hand" } };
        all.push(added);
        own.push(added);
      }
      return own;
    });
  }

  /** Puts a statement into the set of a constant, or takes it out. */
  turn(experiment: number, entry: Entry, constant: string): void {
    const { constants } = entry.now;
    const has = constants.includes(constant);
    const chosen = this.names(experiment).filter((name) => (name === constant ? !has : constants.includes(name)));
    this.past.push({ entry, before: entry.now });
    // What nobody has changed is as it was; why it was in no set does not hold for what a person says.
    const { note: _, ...kept } = entry.now;
    const same = entry.base !== null && equal(entry.base.constants, chosen);
    entry.now = same && entry.base ? entry.base : { ...kept, constants: chosen, by: "hand" };
    this.tell();
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  undo(): void {
    const last = this.past.pop();
    if (!last) return;
    last.entry.now = last.before;
    this.tell();
  }

  /** Number of statements that differ from the file. */
  get changed(): number {
    return this.entries.flat().filter((one) => isListed(one) && one.now !== one.base).length;
  }

  /** The file has these sets now. */
  written(version: string | null): void {
    for (const one of this.entries.flat()) if (isListed(one)) one.base = one.now;
    this.past = [];
    this.version = version;
    this.tell();
  }

  private tell(): void {
    for (const then of this.listeners) then();
  }
}

/** Whether the file has it, or will have it. */
export function isListed({ base, now }: Entry): boolean {
  return base !== null || now.constants.length > 0;
}

export function equal(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
