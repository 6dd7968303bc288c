import type { PrepareTools } from "../../src/engine/pack.ts";

/** Vectors from a server that answers `URL/embeddings` as OpenAI does, each text asked for once. */
export function embedAt(url: string): NonNullable<PrepareTools["embed"]> {
  const known = new Map<string, number[]>();
  return {
    model: url,
    async embed(texts) {
      const missing = [...new Set(texts.filter((text) => !known.has(text)))];
      if (missing.length > 0) {
        const response = await fetch(`${url}/embeddings`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ model: "any", input: missing }),
        });
        if (!response.ok) throw new Error(`${url}/embeddings: ${response.status} ${await response.text()}`);
        const { data } = (await response.json()) as { data: { embedding: number[] }[] };
        for (const [at, text] of missing.entries()) known.set(text, data[at]?.embedding ?? []);
      }
      return texts.map((text) => known.get(text) ?? []);
    },
  };
}
