// The linter of the documents finds what it is for, at its line, and leaves code alone.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findingsOf, proseOf, sentencesOf } from "./prose.mjs";

const words = { longest: 12, allowed: ["many", "huge pages"], avoided: { "inside of": 'write "inside"' } };
const lines = (text) => findingsOf(text, words).map(({ line, reason }) => `${line}: ${reason}`);

test("each check finds its kind", () => {
  const cases = [
    ["It takes a very long time.", '1: "very" is a weasel word'],
    ["It reads the the file.", '1: "the" is repeated'],
    ["This is done. So it ends.", '1: "So" adds no meaning'],
    ["Utilize a file.", '1: "Utilize" is wordy or unneeded'],
    ["A bird's eye view.", '1: "bird\'s eye view" is a cliche'],
    ["It runs inside of a program.", '1: "inside of": write "inside"'],
    ["a b c d e f g h i j k l m.", '1: "a b c d e f g h i j k l m…" has 13 words: divide it (at most 12)'],
  ];
  for (const [text, finding] of cases) assert.deepEqual(lines(text), [finding], text);
});

test("good sentences have no findings", () => {
  assert.deepEqual(lines("The passive voice may be used. There are many files, on huge pages.\n"), []);
  assert.deepEqual(lines("It compares N N, 80, 80, and Rodríguez, Rodríguez, too.\n"), []);
  assert.deepEqual(lines("- He ends.\n- Ends are good.\n\n**Good.** A word.\n"), []);
});

test("an allowed phrase allows no other use of its words", () => {
  assert.deepEqual(lines("A huge page, not huge pages."), ['1: "huge" is a weasel word']);
});

test("code, sessions, targets of links and comments are no prose", () => {
  const code = "it is very very huge, so so inside of it";
  for (const text of [
    `Text.\n\n\`\`\`console\n$ ${code}\n\n\`\`\`\n`,
    `1. Item:\n\n   \`\`\`\`text\n   ${code}\n   \`\`\`\n   ${code}\n   \`\`\`\`\n`,
    `~~~\n${code}\n~~~\n`,
    `Text.\n\n    ${code}\n    ${code}\n`,
    `Text with \`${code}\` and \`\`${code}\`\`.`,
    "[Text](https://very.example/very-huge) and https://example.org/very.\n",
    `Text.\n<!-- ${code}\n${code} -->\n`,
  ]) {
    assert.deepEqual(lines(text), [], text);
  }
  assert.deepEqual(lines("- Text\n    goes on inside of it.\n    - It is\n"), [
    '2: "inside of": write "inside"',
    '3: "It is" is wordy or unneeded',
  ]);
  assert.deepEqual(lines("```\ncode\n```\n\nA very long text.\n"), ['5: "very" is a weasel word']);
});

test("code is no word, and parts words that are the same", () => {
  assert.deepEqual(lines("a b c d e `f g h i j k l m n` o p q r s t u."), []);
  assert.deepEqual(lines("It writes the `file` the user named."), []);
});

test("a finding has the line of its word in a paragraph of several lines", () => {
  const text = "# Title\n\nA text\ngoes on inside\nof a file. The\nvery long line.\n";
  assert.deepEqual(lines(text), ['4: "inside of": write "inside"', '6: "very" is a weasel word']);
});

test("items and cells of tables end sentences", () => {
  assert.deepEqual(lines("- a b c d e f g\n- h i j k l m n\n"), []);
  assert.deepEqual(lines("| a b c d e f g | h i j k l m n |\n"), []);
});

test("sentences end at points, not at abbreviations", () => {
  const sentences = sentencesOf("By Author et al. in 2003. A second: 1.5 s of it? Yes.").map(({ text }) => text);
  assert.deepEqual(sentences, ["By Author et al. in 2003", "A second", "1.5 s of it", "Yes"]);
});

test("the prose of a document is as long as the document", () => {
  const text = "# A `b`\n\n[c](d) **e**\nf\n\n```\ng\n```\n| h | i |\n";
  assert.equal(proseOf(text).length, text.length);
});

test("each phrase to avoid is found, and has its advice", () => {
  const vocabulary = JSON.parse(readFileSync(new URL("words.json", import.meta.url), "utf8"));
  assert.ok(vocabulary.longest > 20 && vocabulary.allowed.length > 0);
  for (const [phrase, advice] of Object.entries(vocabulary.avoided)) {
    const reasons = findingsOf(`A file ${phrase} a file.`, vocabulary).map(({ reason }) => reason);
    assert.ok(reasons.includes(`"${phrase}": ${advice}`), `${phrase}: ${reasons}`);
  }
});

test("the program names file and line, and fails", () => {
  const folder = mkdtempSync(join(tmpdir(), "prose-"));
  const check = (text) => {
    const path = join(folder, "text.md");
    writeFileSync(path, text);
    const program = fileURLToPath(new URL("check.mjs", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, path], { encoding: "utf8" });
    assert.equal(stderr, "");
    return { status, lines: stdout.replaceAll(path, "FILE").trimEnd().split("\n") };
  };
  const bad = check("Good.\n\nIt is very bad.\n");
  assert.equal(bad.status, 1);
  assert.equal(bad.lines[0], 'FILE:3: "very" is a weasel word');
  assert.match(bad.lines[1], /^1 to mend\. /);
  assert.deepEqual(check("Good.\n"), { status: 0, lines: [""] });
  rmSync(folder, { recursive: true });
});
