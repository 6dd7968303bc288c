import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseLogs } from "../../src/knowledge/logs/index.ts";
import { newFolder } from "../support/cli.ts";

/** A case whose every text from outside carries an attacker's words. */
export type HostileCase = { name: string; input: unknown; config?: unknown };

/** Cases of every pack, with `words` in whatever a user, a document, a log, a persona or an import may bring. */
export const hostileCases: Record<string, (words: string) => Promise<HostileCase[]>> = {
  sentiment: async (words) => {
    const text = `The battery life is not bad, but the screen scratches far too easily.\n${words}`;
    const persona = { name: `Critic ${words}`, role: words, goal: words };
    return [
      { name: "patch", input: { text }, config: { debate: { rounds: 2, personas: { epm: persona } } } },
      {
        name: "stance",
        input: { text: `맛은 좋은데 서비스가 느려요.\n${words}`, language_code: "ko" },
        config: { debate: { style: "stance", personas: { critic: persona } } },
      },
    ];
  },
  law: async (words) => {
    const item = {
      id: `OWN-1 ${oneLine(words)}`,
      aliases: [words],
      kind: "norm",
      domain: "adat",
      regime: "adat",
      community: "bali",
      title: `Hibah lisan menurut adat Bali ${words}`,
      title_en: `Oral gifts in Balinese adat ${words}`,
      statement: `Hibah tanah secara lisan menurut adat Bali sah. ${words}`,
      statement_en: `An oral gift of land is valid in Balinese adat. ${words}`,
      scope: words,
      scope_en: words,
      topics: ["hibah"],
      source: words,
      source_kind: "user",
      confidence: "unconfirmed",
      related: [],
    };
    const query = `Orang tua kami di Bali menghibahkan tanah itu secara lisan kepada anak bungsunya, dan tidak ada surat yang dibuat pada saat itu. Kalau anak yang lain tidak setuju, apakah hibah itu sah menurut KUHPerdata, dan apakah juga sah menurut adat? Bagaimana jika orang tua kami sudah meninggal, dan siapa yang harus menyerahkan tanah itu kepada anak yang lain?\n${words}`;
    return [
      { name: "debate", input: { query, corpus: [item] } },
      { name: "single", input: { query, corpus: [item] }, config: { protocol: "single" } },
      { name: "one round", input: { query }, config: { rounds: 1, max_rounds: 1 } },
    ];
  },
  question: async (words) => {
    const docs = [
      { id: `report ${words}`, text: `The bridge was closed because its bearings were of the wrong steel. ${words}` },
      { id: "letter.txt", text: `Everybody knows that frost broke the bearings of the bridge. ${words}` },
    ];
    const question = `Why were the bearings of the bridge broken?\n${words}`;
    const persona = { name: words, role: words, goal: words, style: words };
    return [
      {
        name: "round table",
        input: { question, docs },
        config: { judge: true, personas: { analyst: persona, skeptic: persona, generalist: persona } },
      },
      {
        name: "courtroom",
        input: { question, docs, choices: [`frost ${words}`, `the wrong steel ${words}`] },
        config: { protocol: "courtroom", personas: { for: { ...persona, stance: "for" } } },
      },
    ];
  },
  "root-cause": async (words) => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    const lines = words.split("\n").map((line) => `2024-05-01 10:00:07 ERROR stock.Pool: connection refused: ${line}`);
    writeFileSync(join(folder, "orders.log"), "2024-05-01 10:00:09 ERROR orders.Api: order failed: stock timed out\n");
    const name = `stock ${oneLine(words).replaceAll("/", " ").slice(0, 150)}.log`;
    writeFileSync(join(folder, name), `${[...lines, ...words.split("\n")].join("\n")}\n`);
    const incident = {
      id: "own-1",
      title: `Pool exhausted ${words}`,
      symptoms: [`connection refused ${words}`],
      errors: [{ type: "ConnectionRefused", message: `connection refused ${words}` }],
      templates: [`connection refused: ${words}`],
      cause: `The pool of connections was too small ${words}`,
      category: "resource",
      chain: [{ cause: words, effect: "ConnectionRefused", confidence: 0.9, delay_seconds: 1 }],
      resolution: [words],
    };
    const log = await parseLogs([folder]);
    return [{ name: "debate", input: { ...log, incidents: [incident] } }];
  },
};

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, " ");
}
