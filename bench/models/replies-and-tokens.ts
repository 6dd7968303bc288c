import type { AnyPack } from "../../src/engine/pack.ts";
import type { Player } from "../../src/engine/player.ts";
import { buildPieces, createPromptTally, estimateTokens } from "../../src/engine/prompt.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { loadPack } from "../../src/packs/registry.ts";
import { expertPlayer } from "../../src/players/offline-players.ts";
import { bends, bentPlayer } from "../../test/support/bent-replies.ts";

type Example = { name: string; pack: AnyPack; input: unknown; config: unknown };

/** Every bundled example, and the first question once more with a judge. */
async function listExamples(names: readonly string[]): Promise<Example[]> {
  const packs = await Promise.all(names.map((name) => loadPack(name)));
  return packs.flatMap((pack) => {
    const [first] = pack.examples;
    const judged =
      pack.name === "question" && first ? [{ ...first, name: "with a judge", config: { judge: true } }] : [];
    return [...pack.examples, ...judged].map(({ name, input, config }) => ({
      name: `${pack.name}: ${name}`,
      pack,
      input: pack.input.parse(input),
      config: pack.config.parse(config ?? {}),
    }));
  });
}

/** How debates end whose every reply is bent in one way: the outcome, and how many replies were mended of those asked for. */
export async function printBends(names: readonly string[]): Promise<void> {
  const examples = await listExamples(names);
  console.log(`\n| every reply bent alike | ${examples.map(({ name }) => name).join(" | ")} |`);
  console.log(`|---|${examples.map(() => "---|").join("")}`);
  for (const [kind, bend] of Object.entries(bends)) {
    const cells: string[] = [];
    for (const { pack, input, config } of examples) {
      const { result } = await runDebate({ pack, input, config, cast: bentPlayer(bend), seed: 1 });
      cells.push(`${result.outcome}, ${result.quorum.mended} of ${result.quorum.asked} mended`);
    }
    console.log(`| ${kind} | ${cells.join(" | ")} |`);
  }
}

/**
 * What the experts' debates would cost a model: tokens of prompts and replies, and the input's price in full tokens when
 * the part that an earlier prompt began with costs .1 or .5 of the price.
 */
export async function printTokens(names: readonly string[]): Promise<void> {
  console.log(
    "\n| tokens | turns | input | of it cached | output | input at .1 | input at .5 |\n|---|---|---|---|---|---|---|",
  );
  for (const { name, pack, input, config } of await listExamples(names)) {
    const tally = createPromptTally();
    let output = 0;
    const expert = expertPlayer();
    const counting: Player = {
      id: "counting",
      async play(role, given, turn) {
        const played = await expert.play(role, given, turn);
        tally.add(buildPieces(turn.rendered));
        if ("value" in played.reply) output += estimateTokens(JSON.stringify(played.reply.value ?? null));
        return played;
      },
    };
    const { turns } = await runDebate({ pack, input, config, cast: () => counting, seed: 1 });
    const { total, prefix } = tally.tokens();
    const priceAt = (share: number): string => Math.round(total - prefix * (1 - share)).toLocaleString("en");
    const figures = [turns.length, total, prefix, output].map((figure) => figure.toLocaleString("en"));
    console.log(`| ${name} | ${figures.join(" | ")} | ${priceAt(0.1)} | ${priceAt(0.5)} |`);
  }
}
