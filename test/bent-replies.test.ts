import { describe, expect, it } from "vitest";
import type { Turn } from "../src/contract/turn.ts";
import { buildJsonSchema, buildRequest } from "../src/engine/prompt.ts";
import type { AnyPack } from "../src/engine/pack.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { readReply } from "../src/engine/read-reply.ts";
import { headlineOf } from "../src/runs/show-run.ts";
import { sampleTurns } from "./abuse/sampled-turns.ts";
import { bends, bentPlayer, rebuild } from "./support/bent-replies.ts";

async function hold(pack: AnyPack, example: AnyPack["examples"][number], bend: (typeof bends)[string]) {
  const input: unknown = pack.input.parse(example.input);
  const config: unknown = pack.config.parse(example.config ?? {});
  return runDebate({ pack, input, config, cast: bentPlayer(bend), seed: 1 });
}

/** A number as text: a reference may be either. */
function wordNumber(part: unknown): unknown {
  return typeof part === "number" ? String(part) : part;
}

function wordNumbers(turns: readonly Turn[]): unknown[] {
  return turns.map(({ reply }) => rebuild({}, reply, wordNumber));
}

describe.each(packNames)("bent replies in every seat of the %s pack", (name) => {
  it.each(Object.keys(bends))("%s: decided as with replies to the letter", async (kind) => {
    const pack = await loadPack(name);
    for (const example of pack.examples) {
      const straight = await hold(pack, example, bends["as it is"] as (typeof bends)[string]);
      const bent = await hold(pack, example, bends[kind] as (typeof bends)[string]);
      expect(bent.result.outcome).toBe(straight.result.outcome);
      expect(headlineOf(pack, bent)).toEqual(headlineOf(pack, straight));
      expect(wordNumbers(bent.turns)).toEqual(wordNumbers(straight.turns));
      const isStraight = bent.turns.every(({ attempts }) => (attempts.at(-1)?.mends ?? []).length === 0);
      expect(isStraight, "a mend is noted, and nothing is mended that is valid").toBe(
        kind === "as it is" || bent.result.quorum.mended === 0,
      );
      expect(bent.result.quorum.abstained).toBe(straight.result.quorum.abstained);
    }
  });
});

/** Without the white space between the parts of JSON. */
function squeeze(text: string): string {
  return text.replaceAll(/\n\s*|(?<=":) /g, "");
}

describe("bent replies of every role of every pack, under every config", async () => {
  const samples = await sampleTurns(2);
  it.each(Object.entries(bends))(
    "%s: read as the reply to the letter, and noted where it had to be mended",
    (kind, bend) => {
      for (const { pack, role, input, reply } of samples) {
        const read = (text: string) =>
          readReply(role, input, buildRequest(role, input), { reply: { text }, finish: "stop" });
        const text = bend(buildJsonSchema(role.reply), reply);
        const [bent, straight] = [read(text), read(JSON.stringify(reply))];
        const name = `${pack}/${role.name} ${kind}`;
        expect([name, rebuild({}, bent.value, wordNumber)]).toEqual([name, rebuild({}, straight.value, wordNumber)]);
        expect([name, straight.mends]).toEqual([name, []]);
        const isBent = squeeze(text) !== squeeze(JSON.stringify(reply));
        const mayStand = kind === "numbers as text" || kind === "nulls left out";
        if (!mayStand) expect([name, bent.mends.length > 0]).toEqual([name, isBent]);
      }
    },
  );
});
