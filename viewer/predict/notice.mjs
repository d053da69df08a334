// Writes the notices of the crates that predict.wasm is made of: node viewer/predict/notice.mjs > FILE

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const manifest = join(import.meta.dirname, "Cargo.toml");
const metadata = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version", "1", "--locked", "--manifest-path", manifest], {
    maxBuffer: 1 << 28,
  }),
);
const crates = metadata.packages.filter((one) => one.source !== null);
crates.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));

const holders = (one) => {
  for (const name of ["LICENSE-MIT", "LICENSE-MIT.md", "LICENSE-MIT.txt", "LICENSE.txt", "LICENSE.md", "LICENSE"]) {
    const file = join(dirname(one.manifest_path), name);
    if (!existsSync(file)) continue;
    const lines = readFileSync(file, "utf8").split("\n").map((line) => line.trim());
    return lines.filter((line) => /^Copyright .*\d/.test(line));
  }
  return [];
};

const apache = crates.find((one) => one.name === "nalgebra");
const text = (one, name) => readFileSync(join(dirname(one.manifest_path), name), "utf8").trim();
const mit = text(crates.find((one) => one.name === "memchr"), "LICENSE-MIT").replace(/^[^]*?(?=Permission)/, "");
const rule = `\n${"-".repeat(72)}\n\n`;
const lines = crates.flatMap((one) => [
  `${one.name} ${one.version} (${one.license})`,
  ...holders(one).map((holder) => `    ${holder}`),
]);
process.stdout.write(
  [
    `The program for predictions in this page is made of these crates of Rust, and of Rust's standard library
(MIT OR Apache-2.0). Where there is a choice, MIT is used. Both texts follow.

${lines.join("\n")}
`,
    `MIT\n\n${mit}\n`,
    `Apache-2.0\n\n${text(apache, "LICENSE")}\n`,
  ].join(rule),
);
