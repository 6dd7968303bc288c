/**
 * Writes data/question/related-words.txt from the files of WordNet 3.0: for each common English word the words that its
 * commonest senses share a meaning with, are derived from, or stand directly above or below it, and how common it is.
 * `node scripts/build-related-words.ts FOLDER`, where FOLDER holds data.noun, index.noun, cntlist.rev and so on.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { termOf } from "../src/text/search.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("say which folder holds the files of WordNet");

/** How often a sense must have been counted in tagged texts to be kept, and how many senses of a word are looked at. */
const least = 2;
const mostSenses = 4;

type Synset = { words: string[]; pointers: { symbol: string; to: string; from: number; target: number }[] };
const parts = { noun: "n", verb: "v", adj: "a", adv: "r" };
const readLines = (name: string): string[] =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(" "));

const synsets = new Map<string, Synset>();
for (const [part, letter] of Object.entries(parts))
  for (const line of readLines(`data.${part}`)) {
    const fields = (line.split(" | ")[0] ?? "").split(" ");
    const size = Number.parseInt(fields[3] ?? "0", 16);
    const words = Array.from({ length: size }, (_, at) => (fields[4 + at * 2] ?? "").replace(/\(.*/, "").toLowerCase());
    const from = 4 + size * 2;
    const pointers = Array.from({ length: Number(fields[from]) }, (_, at) => {
      const [symbol = "", offset = "", to = "", places = "0000"] = fields.slice(from + 1 + at * 4);
      const target = Number.parseInt(places.slice(2), 16);
      return { symbol, to: `${to === "s" ? "a" : to}${offset}`, from: Number.parseInt(places.slice(0, 2), 16), target };
    });
    synsets.set(`${letter}${fields[0]}`, { words, pointers });
  }

/** How often each sense of a word was counted, by its part of speech and number. */
const counts = new Map<string, number>();
const types = ["", "n", "v", "a", "r", "a"];
for (const line of readLines("cntlist.rev")) {
  const [key = "", sense = "", count = "0"] = line.split(" ");
  const [word = "", rest = ""] = key.split("%");
  counts.set(`${types[Number(rest[0])]} ${word} ${sense}`, Number(count));
}

/** The synsets of the senses of a word that are common, of all parts of speech. */
const senses = new Map<string, string[]>();
for (const [part, letter] of Object.entries(parts))
  for (const line of readLines(`index.${part}`)) {
    const fields = line.trim().split(" ");
    const [word = "", , size = "0"] = fields;
    const offsets = fields.slice(-Number(size));
    const kept = offsets
      .slice(0, mostSenses)
      .filter((_, at) => (counts.get(`${letter} ${word} ${at + 1}`) ?? 0) >= least);
    if (kept.length > 0 && /^[a-z]{3,}$/.test(word))
      senses.set(word, [...(senses.get(word) ?? []), ...kept.map((offset) => `${letter}${offset}`)]);
  }

const related = new Map<string, Set<string>>();
const relate = (a: string, b: string): void => {
  const [one, other] = [termOf(a), termOf(b)];
  if (one === null || other === null || one === other || !/^[a-z]{3,}$/.test(b) || !senses.has(b)) return;
  related.set(one, (related.get(one) ?? new Set()).add(other));
  related.set(other, (related.get(other) ?? new Set()).add(one));
};
for (const [word, own] of senses)
  for (const id of own) {
    const { words, pointers } = synsets.get(id) as Synset;
    for (const other of words) if (senses.get(other)?.includes(id)) relate(word, other);
    for (const { symbol, to, from, target } of pointers) {
      const there = synsets.get(to)?.words ?? [];
      const isOwn = from === 0 || words[from - 1] === word;
      if (["+", "\\", "<", "="].includes(symbol) && isOwn) relate(word, there[target - 1] ?? "");
      if (["@", "&", "*", ">"].includes(symbol))
        for (const other of there) if (senses.get(other)?.includes(to)) relate(word, other);
    }
  }

/** How often the words of a stem were counted in tagged texts, as a power of two. */
const totals = new Map<string, number>();
for (const [key, count] of counts) {
  const [, word = ""] = key.split(" ");
  const term = /^[a-z]+$/.test(word) ? termOf(word) : null;
  if (term !== null) totals.set(term, (totals.get(term) ?? 0) + count);
}

const out = resolve(import.meta.dirname, "../data/question/related-words.txt");
// Each pair once, under the word that comes first; the number behind a word says how common it is.
const lines = [...new Set([...related.keys(), ...[...totals].filter(([, count]) => count >= 8).map(([term]) => term)])]
  .toSorted()
  .map((word) => {
    const others = [...(related.get(word) ?? [])].filter((other) => word < other).toSorted();
    const level = Math.round(Math.log2(1 + (totals.get(word) ?? 0)));
    return [word, String(level), ...others].join(" ");
  });
writeFileSync(out, `${lines.join("\n")}\n`);
console.log(`${lines.length} words`);
