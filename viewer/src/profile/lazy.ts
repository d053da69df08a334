// What is read after the first view: processors of nodes as soon as that is drawn, the merged graph when it is wanted.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Profile, readEach, readMerged } from "./data/profile";
import type { Parts } from "./scene";
import type { State } from "./state";

/** The parts of each profile as far as they have been read, and why one cannot be read. */
export function useParts(profiles: Profile[], { log, merged }: State): { parts: Parts[]; broken: string } {
  const [parts, setParts] = useState<Parts[]>(() => profiles.map(() => ({ merged: null, each: null })));
  const [broken, setBroken] = useState("");
  const begun = useRef(new Set<string>());
  const profile = profiles[log];

  const read = (name: string, of: Promise<Partial<Parts>>) => {
    of.then(
      (found) => setParts((old) => old.map((one, k) => (k === log ? { ...one, ...found } : one))),
      (error: unknown) => setBroken(`${name}: ${error instanceof Error ? error.message : String(error)}`),
    );
  };
  const once = (name: string, begin: () => void) => {
    if (begun.current.has(`${name}${log}`)) return;
    begun.current.add(`${name}${log}`);
    begin();
  };
  useEffect(() => {
    if (!profile) return;
    // Behind the frame in which the view is drawn.
    requestAnimationFrame(() =>
      setTimeout(() =>
        once("each", () =>
          read(
            "processors",
            readEach(profile).then((each) => ({ each })),
          ),
        ),
      ),
    );
  }, [log]);
  useEffect(() => {
    if (profile && merged)
      once("merged", () =>
        read(
          "call graph",
          readMerged(profile).then((found) => ({ merged: found })),
        ),
      );
  }, [log, merged]);
  return { parts, broken };
}
