/** The share of a debate's prompt tokens that an earlier prompt of it began with, which is what providers' caches can reuse. */
import type { AnyPack } from "../../src/engine/pack.ts";
import type { Player } from "../../src/engine/player.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { loadPack } from "../../src/packs/registry.ts";
import { expertPlayer } from "../../src/players/offline/expert-player.ts";
import { question } from "./debate-case.ts";
import { documents } from "./documents.ts";
import { type Figure, figureOf, report } from "./figure.ts";
import { mockModel } from "./mock-model.ts";
import { playerOfModel } from "./parley-debate.ts";

type Case = { name: string; pack: string; input?: unknown; config: object; player: Player; isTarget: boolean };

const model = playerOfModel(mockModel(0));
/** The model quotes nothing, so it may answer from what it knows: else no answer would count and the debate would end at once. */
const threeRounds = { max_rounds: 3, only_documents: false };

/** Debates of three speakers and three rounds on the question pack; the other packs on their first example, by experts. */
const cases: Case[] = [
  { name: "question, documents", input: { question, docs: documents }, config: threeRounds },
  {
    name: "question, documents, and a judge",
    input: { question, docs: documents },
    config: { ...threeRounds, judge: true },
  },
  { name: "question, nothing but the question", input: { question }, config: threeRounds },
].map((one) => ({ ...one, pack: "question", player: model, isTarget: true }));

const expert = expertPlayer();

/** Experts whose critics call every critique CRITICAL: none is let rest, so a law debate goes to its third round. */
const stern: Player = {
  ...expert,
  play: async (role, input, turn) => {
    const played = await expert.play(role, input, turn);
    const value = "value" in played.reply ? (played.reply.value as { critiques?: object[] }) : {};
    if (!value.critiques) return played;
    const critiques = value.critiques.map((one) => ({ ...one, severity: "CRITICAL" }));
    return { ...played, reply: { value: { ...value, critiques } } };
  },
};

const others: Case[] = [
  { name: "sentiment, three rounds", pack: "sentiment", config: { debate: { rounds: 3 } }, player: expert },
  { name: "law", pack: "law", config: {}, player: expert },
  { name: "law, three rounds", pack: "law", config: {}, player: stern },
  { name: "root-cause", pack: "root-cause", config: {}, player: expert },
].map((one) => ({ ...one, isTarget: false }));

async function figureOfCase({ name, pack: packName, input, config, player, isTarget }: Case): Promise<Figure> {
  const pack = await loadPack(packName);
  const { turns, result } = await runDebate({
    pack,
    input: pack.input.parse(input ?? pack.examples[0]?.input) as unknown,
    config: configOf(pack, input === undefined, config),
    cast: () => player,
  });
  const { total, prefix } = result.promptTokens;
  const rounds = Math.max(...turns.map((turn) => turn.key.round));
  return figureOf(`prompt prefixes: ${name}`, [prefix / total], {
    unit: "%",
    target: isTarget ? { atLeast: 0.8 } : null,
    note: `${turns.length} turns in ${rounds} rounds, ${total} tokens`,
  });
}

function configOf(pack: AnyPack, isExample: boolean, config: object): unknown {
  return pack.config.parse({ ...(isExample ? (pack.examples[0]?.config ?? {}) : {}), ...config });
}

const figures: Figure[] = [];
for (const one of [...cases, ...others]) figures.push(await figureOfCase(one));
report(figures);
