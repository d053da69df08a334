// Builds the viewer into crates/report, with the hash of what it was built from and the notices of
// what is in it. The same sources give the same bytes.
//
//   node build.mjs           writes the bundle
//   node build.mjs --check   fails if the bundle that is there differs

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = join(here, "../crates/report/src/page/bundle");
const check = process.argv.includes("--check");

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Every file below a folder. */
function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}

/** One hash for all that the bundle is made from; a test in crates/report makes it too. */
function sources() {
  const paths = ["package-lock.json", "tsconfig.json", "build.mjs"].map((name) => join(here, name));
  const lines = [...paths, ...files(join(here, "src"))].map(
    (path) => `${relative(here, path)} ${sha256(readFileSync(path))}\n`,
  );
  // By bytes, as the test sorts.
  lines.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sha256(lines.join(""));
}

/** Licences of the libraries in the bundle. */
function notice() {
  const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const each = Object.keys(dependencies).map((name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const head = "The page that cll writes contains these libraries.\n";
  return [head, ...each].join(`\n${"-".repeat(72)}\n\n`);
}

const common = {
  bundle: true,
  minify: true,
  write: false,
  legalComments: "none",
  charset: "ascii",
  target: ["chrome123", "firefox121", "safari17.5"],
  logLevel: "warning",
};
const script = (entry) =>
  build({
    ...common,
    entryPoints: [join(here, entry)],
    format: "iife",
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfig: join(here, "tsconfig.json"),
  });
const style = (entry) => build({ ...common, entryPoints: [join(here, entry)] });
// The page of a model, with sets of constants in it or not, that of a profile, and that of a graph of an MPI program.
const entries = {
  "page.js": script("src/main.tsx"),
  "upsilon.js": script("src/upsilon.tsx"),
  "page.css": style("src/style/page.css"),
  "profile.js": script("src/profile/main.tsx"),
  "profile.css": style("src/profile/style/profile.css"),
  "graph.js": script("src/graph/main.tsx"),
  "graph.css": style("src/graph/style/graph.css"),
};
const built = await Promise.all(
  Object.entries(entries).map(async ([name, result]) => [name, (await result).outputFiles[0].text]),
);

const outputs = {
  ...Object.fromEntries(built),
  "SOURCES.sha256": `${sources()}\n`,
  NOTICE: notice(),
};
mkdirSync(bundle, { recursive: true });
let stale = false;
for (const [name, text] of Object.entries(outputs)) {
  const path = join(bundle, name);
  if (!check) {
    writeFileSync(path, text);
    console.log(`${name}: ${Buffer.byteLength(text)} bytes`);
    continue;
  }
  if (readFileSync(path, "utf8") !== text) {
    stale = true;
    console.error(`${name} differs from what the sources give: npm run build`);
  }
}
process.exitCode = stale ? 1 : 0;
