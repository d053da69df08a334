// The English of documents: what of Markdown is prose, and what is to mend in it. `words.json` has the vocabulary.

import writeGood from "write-good";

/** Checks of write-good. Those that are off find what is mostly right in a manual, such as the passive voice. */
const CHECKS = {
  weasel: true,
  illusion: true,
  so: true,
  tooWordy: true,
  cliches: true,
  passive: false,
  adverb: false,
  thereIs: false,
  eprime: false,
};

/** Stands for each letter of code: no letter of a word, and no space. */
const CODE = "·";

const fence = /^\s*(?:[-*]\s+|\d+\.\s+)?(`{3,}|~{3,})/;

/** An item, a heading, a row of a table, a quotation. */
const begins = /^\s*(?:[-*] |\d+\. |#|\||>)/;

/** These keep the length: a word of the prose has the index that it has in the document. */
const blank = (text) => text.replace(/[^\n]/g, " ");
const hide = (text) => text.replace(/[^\n]/g, CODE);

function withoutBlocks(text) {
  let open = "";
  let isAfterCode = true;
  const lines = text.split("\n").map((line) => {
    // Four spaces after an empty line are code, too.
    isAfterCode = !line.trim() || (isAfterCode && /^ {4}/.test(line) && !begins.test(line));
    if (!open && isAfterCode) return blank(line);
    const mark = fence.exec(line)?.[1] ?? "";
    if (open) {
      if (mark.startsWith(open) && line.trim() === mark) open = "";
      return blank(line);
    }
    open = mark;
    return open ? blank(line) : line;
  });
  return lines.join("\n").replace(/<!--[\s\S]*?-->/g, blank);
}

const isWhole = /^\s*[#|]/;

/** Each paragraph in one line, so that no sentence ends where a line does. */
function joined(text) {
  let before = "";
  let all = "";
  for (const line of text.split("\n")) {
    const goesOn = before.trim() && line.trim() && !isWhole.test(before) && !begins.test(line);
    all += `${goesOn ? " " : "\n"}${line}`;
    before = line;
  }
  return all.slice(1);
}

/** The prose of a Markdown document: a line for each paragraph, spaces in place of markup, dots in place of code. */
export function proseOf(text) {
  return joined(withoutBlocks(text))
    .replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, hide)
    .replace(/\]\([^)\s]*\)/g, (target) => `]${blank(target.slice(1))}`)
    .replace(/https?:\/\/[^\s)>]+/g, hide)
    .replace(/^#+ |^\s*[-*] |^\s*\d+\. |[[\]*]/gm, blank)
    .replace(/^\s*\|.*$/gm, (row) => row.replace(/\|/g, "."));
}

const sentenceEnd = /[.!?:](?=["”')]*(?:\s|$))/g;
const abbreviation = /\b(?:e\.g|i\.e|al|cf|vs)$/;

/** The sentences of a paragraph with their indices. A colon ends one, too. */
export function sentencesOf(paragraph) {
  const sentences = [];
  let from = 0;
  const add = (to) => {
    const text = paragraph.slice(from, to);
    if (text.trim()) sentences.push({ index: from + text.length - text.trimStart().length, text: text.trim() });
  };
  for (const { index } of paragraph.matchAll(sentenceEnd)) {
    if (abbreviation.test(paragraph.slice(from, index))) continue;
    add(index);
    from = index + 1;
  }
  add(paragraph.length);
  return sentences;
}

/** Code and numbers do not count. */
const wordsIn = (text) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;

const escaped = (phrase) => phrase.replace(/[.]/g, "\\.");
const phrases = (list) => new RegExp(`(?<![\\w-])(?:${list.map(escaped).join("|")})(?![\\w-])`, "gi");

/** Numbers and names of variables stand beside each other twice with good reason, and so do names with a comma. */
const isNoIllusion = (word, reason) => reason.includes("is repeated") && !/^\p{L}{2,}$/u.test(word);

/** What is to mend in a paragraph: the index, and why. */
function findingsIn(paragraph, { isAllowed, isAvoided, avoided, longest }) {
  const places = [...paragraph.matchAll(isAllowed)];
  const isRight = (index) => places.some((place) => place.index <= index && index < place.index + place[0].length);
  const findings = writeGood(paragraph, CHECKS).filter(
    ({ index, offset, reason }) => !isRight(index) && !isNoIllusion(paragraph.substr(index, offset), reason),
  );
  for (const { 0: text, index } of paragraph.matchAll(isAvoided)) {
    findings.push({ index, reason: `"${text}": ${avoided[text.toLowerCase()]}` });
  }
  for (const { index, text } of sentencesOf(paragraph)) {
    const count = wordsIn(text);
    if (count > longest) {
      findings.push({ index, reason: `"${text.slice(0, 40)}…" has ${count} words: divide it (at most ${longest})` });
    }
  }
  return findings.sort((a, b) => a.index - b.index);
}

/** What is to mend in a document: the line, and why. */
export function findingsOf(text, { allowed, avoided, longest }) {
  const rules = { isAllowed: phrases(allowed), isAvoided: phrases(Object.keys(avoided)), avoided, longest };
  const findings = [];
  let start = 0;
  for (const paragraph of proseOf(text).split("\n")) {
    for (const { index, reason } of findingsIn(paragraph, rules)) {
      findings.push({ line: text.slice(0, start + index).split("\n").length, reason });
    }
    start += paragraph.length + 1;
  }
  return findings;
}
