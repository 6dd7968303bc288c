import type { Prompt } from "../contract/prompt.ts";
import { remember } from "../text/remember.ts";

const heading = /^(#{1,6})\s+(.*)$/;
const exampleHeading = /^(?:example|contoh|예시)/iu;
const quoted = /"((?:[^"\\\n]|\\.)*)"/g;

/** What an example says, loosened too, with a word without which nothing repeats it: looking for that alone is quick. */
export type Saying = { text: string; words: string; longestWord: string };

/**
 * What the worked examples of a prompt say: the quoted texts under each heading that begins with "Example", "Contoh" or "예시",
 * in what the organisers wrote (the instructions and the texts of a speaker's own). Single words are left out: they are keys,
 * ids and choices, which a reply may share with an example.
 */
export function listExampleSayings({ instructions, own }: Prompt): readonly Saying[] {
  const common = recallSayings(instructions);
  const added = own.flatMap((block) => ("text" in block && block.text.includes("#") ? recallSayings(block.text) : []));
  return added.length === 0 ? common : [...common, ...added];
}

/** Instructions and tasks are the same turn after turn. */
const recallSayings = remember(256, (written): readonly Saying[] =>
  [...new Set(readSayings(written))].map((text) => {
    const words = loosen(text);
    return { text, words, longestWord: findLongest(words.split(" ")) };
  }),
);

/** Letter case, spaces and marks do not make a copy one's own words. */
export function loosen(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function findLongest(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

function readSayings(text: string): string[] {
  const quotes = listExamples(text).flatMap((example) => [...example.matchAll(quoted)].map(([, said = ""]) => said));
  return quotes.map(unescape).filter((saying) => saying.split(/\s+/).length >= minWords);
}

const minWords = 3;

/** The sections of a text that are examples, each up to the next heading. */
export function listExamples(text: string): string[] {
  const sections: string[][] = [];
  let isExample = false;
  for (const line of text.split("\n")) {
    const title = heading.exec(line)?.[2];
    if (title !== undefined) {
      isExample = exampleHeading.test(title);
      if (isExample) sections.push([]);
    } else if (isExample) sections.at(-1)?.push(line);
  }
  return sections.map((lines) => lines.join("\n").trim());
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1").trim();
}
