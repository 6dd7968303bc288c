import type { Prompt } from "../contract/prompt.ts";
import { remember } from "../text/remember.ts";

const heading = /^(#{1,6})\s+(.*)$/;
const exampleHeading = /^(?:example|contoh|예시)/iu;
const quoted = /"((?:[^"\\\n]|\\.)*)"/g;

/**
 * What the worked examples of a prompt say: the quoted texts under each heading that begins with "Example", "Contoh" or "예시",
 * in what the organisers wrote (the instructions and the texts of a speaker's own). Single words are left out: they are keys,
 * ids and choices, which a reply may share with an example. The list of instructions is the same one turn after turn.
 */
export function listExampleSayings({ instructions, own }: Prompt): readonly string[] {
  const common = recallSayings(instructions);
  const added = own.flatMap((block) => ("text" in block ? readSayings(block.text) : []));
  return added.length === 0 ? common : [...new Set([...common, ...added])];
}

const recallSayings = remember(256, (instructions): readonly string[] => [...new Set(readSayings(instructions))]);

function readSayings(text: string): string[] {
  if (!text.includes("#")) return [];
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
