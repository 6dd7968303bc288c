import { createHash } from "node:crypto";
import { join } from "node:path";
import { runDebate } from "../../src/index.ts";
import { question as pack } from "../../src/packs/question/pack.ts";
import { holds, readFolder, readQuestions } from "./measure-documents.ts";
import { wordShare } from "./read-lines.ts";

type Embed = { model: string; embed(texts: string[]): Promise<number[][]> };

/**
 * Prints how often the passages that are shown hold the answer, by word search alone and with vectors beside it, when only
 * so many passages are shown. `embedder` is a model of the cast (provider/model); without one, vectors of hashed letter
 * groups stand in: they know spelling, not meaning.
 */
export async function measureEmbeddings(
  examples: string,
  folders: Record<string, string>,
  embedder: string | null,
): Promise<void> {
  const name = embedder ?? "hashed letter groups (no embedding model was given)";
  console.log(`\nthe answer is in the passages shown; vectors of ${name}`);
  for (const passages of [1, 3, 6]) {
    const hits = { words: 0, vectors: 0, of: 0 };
    for (const [folder, file] of Object.entries(folders)) {
      const docs = await readFolder(join(examples, folder));
      for (const asked of readQuestions(join(examples, file)).filter(({ answer }) => answer !== null)) {
        const input = pack.input.parse({ question: asked.question, docs });
        const config = pack.config.parse({ document_characters: 500, passages });
        const isHit = (found: { text: string }[]): number =>
          found.some(({ text }) => asked.accept.some((wording) => holds(text, wording))) ? 1 : 0;
        hits.of += 1;
        hits.words += isHit((await pack.prepare(input, config, { embed: null })).passages);
        const prepared = embedder
          ? (await runDebate(pack, input, { config, cast: `expert,embedder=${embedder}` })).material
          : await pack.prepare(input, config, { embed: letterGroups });
        hits.vectors += isHit(prepared.passages);
      }
    }
    console.log(
      `  ${passages} shown: word search ${wordShare(hits.words, hits.of)}, with vectors ${wordShare(hits.vectors, hits.of)}`,
    );
  }
}

const dimensions = 512;

/** Vectors without a model: how often groups of three letters occur, each group hashed to a place. */
const letterGroups: Embed = {
  model: "letter-groups",
  embed: async (texts) => texts.map(countGroups),
};

function countGroups(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  const plain = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `;
  for (let at = 0; at + 3 <= plain.length; at += 1) {
    const place =
      createHash("md5")
        .update(plain.slice(at, at + 3))
        .digest()
        .readUInt16LE(0) % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector.map((count) => Math.log1p(count));
}
