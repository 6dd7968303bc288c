import { makeControl } from "../../src/studies/run/plan-arms.ts";
import { controlNames } from "../../src/studies/run/study-file.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AnyPack } from "../../src/engine/pack.ts";
import type { Player } from "../../src/engine/player.ts";
import type { AnyRole } from "../../src/engine/role.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { loadPack, packNames } from "../../src/packs/registry.ts";
import { expertPlayer } from "../../src/players/offline-players.ts";
import { makeManifest } from "../../src/runs/start.ts";

/** A turn as a debate really asked for it, with the reply that its expert gave. */
export type SampledTurn = { pack: string; role: AnyRole; input: unknown; round: number; reply: object };

/** Configs beside a pack's default, its examples' and its control arms', that give seats to the rest of its roles. */
const furtherConfigs: Record<string, object[]> = {
  sentiment: [{ debate: { style: "stance" } }, { debate: { rounds: 2 } }],
  question: [
    { protocol: "courtroom" },
    { protocol: "round-table", judge: true, stop: { agreement: 1 } },
    { protocol: "vote", order: ["for", "against"] },
  ],
};

/** Every config under which the roles of a pack are sampled. */
export function configsOf(pack: AnyPack): object[] {
  const examples = pack.examples.flatMap(({ config }) => (config ? [config] : []));
  const controls = controlNames.map((name) => makeControl(pack, name, 2)).filter((config) => config !== null);
  return [{}, ...examples, ...controls, ...(furtherConfigs[pack.name] ?? [])];
}

let played: Promise<SampledTurn[]> | null = null;

/** The turns of every pack's examples, played by the experts under every config, once: at most `most` per role. */
export async function sampleTurns(most: number): Promise<SampledTurn[]> {
  const taken = await (played ??= playExamples());
  const short = taken.filter(({ reply }) => JSON.stringify(reply).length < 10_000);
  const perRole = Map.groupBy(short, (turn) => `${idOf(turn)} ${turn.round}`);
  const spread = [...perRole.values()].flatMap((turns) => turns.slice(0, 2));
  return [...Map.groupBy(spread, idOf).values()].flatMap((turns) => turns.slice(0, most));
}

async function playExamples(): Promise<SampledTurn[]> {
  const taken: SampledTurn[] = [];
  for (const name of packNames) {
    const pack = await loadPack(name);
    for (const config of configsOf(pack))
      for (const example of pack.examples) {
        taken.push(...(await playedTurns(pack, example.input, config)));
        taken.push(
          ...(await playedTurns(pack, example.input, config, rewordSkeptic)).filter(
            ({ role }) => role.name === "same_answer",
          ),
        );
      }
  }
  return taken;
}

/** A role's name over all packs; roles of one name with other replies are others. */
export function idOf({ pack, role, reply }: SampledTurn): string {
  return `${pack}/${role.name} (${Object.keys(reply).join(", ")})`;
}

/** Programs that share one reading never leave the comparing role anything to compare, so one of them says it differently. */
function rewordSkeptic(role: AnyRole, reply: object): object {
  const { answer } = reply as { answer?: unknown };
  return role.name === "skeptic" && typeof answer === "string"
    ? { ...reply, answer: `The likeliest reading: ${answer} Everything else seems minor.`, short_answer: null }
    : reply;
}

async function playedTurns(
  pack: AnyPack,
  given: unknown,
  settings: object,
  alter: (role: AnyRole, reply: object) => object = (_, reply) => reply,
): Promise<SampledTurn[]> {
  const { input, config } = makeManifest({ pack, input: given, config: settings, cast: "expert" });
  const taken: SampledTurn[] = [];
  const expert = expertPlayer();
  const player: Player = {
    id: "expert",
    async play(role, seen, turn) {
      const played = await expert.play(role, seen, turn);
      const value = "value" in played.reply ? played.reply.value : null;
      const reply = JSON.parse(JSON.stringify(value)) as object | null;
      if (!reply) return played;
      const altered = alter(role, reply);
      taken.push({ pack: pack.name, role, input: seen, round: turn.key.round, reply: altered });
      return { ...played, reply: { value: altered } };
    },
  };
  await runDebate({ pack, input, config, cast: () => player, seed: 7 });
  return taken;
}

/** Where the packs declare a role, as `file:line`. */
export function declaredRoles(): string[] {
  const packs = resolve(import.meta.dirname, "../../src/packs");
  const files = readdirSync(packs, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  return files.flatMap((file) =>
    readFileSync(join(packs, file), "utf8")
      .split("\n")
      .flatMap((line, at) => (/\bdefineRole(?:<[^(]*)?\(/.test(line) ? [`${file}:${at + 1}`] : [])),
  );
}
