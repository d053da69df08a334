// Checks the English of the documents. It prints FILE:LINE: and what is to mend there.
//
//   node viewer/prose/check.mjs            documents of the project
//   node viewer/prose/check.mjs FILE...    other Markdown files

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findingsOf } from "./prose.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const vocabulary = JSON.parse(readFileSync(new URL("words.json", import.meta.url), "utf8"));

/** Names in the order in which `ls` shows them, relative to the root. */
function documents() {
  const names = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"];
  const below = readdirSync(join(root, "docs"), { recursive: true }).filter((name) => name.endsWith(".md"));
  return [...names, ...below.map((name) => join("docs", name)).sort()].map((name) => [name, join(root, name)]);
}

const given = process.argv.slice(2).map((path) => [path, path]);
let count = 0;
for (const [name, path] of given.length ? given : documents()) {
  for (const { line, reason } of findingsOf(readFileSync(path, "utf8"), vocabulary)) {
    console.log(`${name}:${line}: ${reason}`);
    count += 1;
  }
}
if (count) {
  console.log(`${count} to mend. A word that is right where it stands goes to viewer/prose/words.json.`);
  process.exitCode = 1;
}
