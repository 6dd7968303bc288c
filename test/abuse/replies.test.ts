import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Problem, Turn } from "../../src/contract/turn.ts";
import { loadPack, packNames } from "../../src/packs/registry.ts";
import { liesIn } from "./lies.ts";
import { timesOf } from "../support/share.ts";
import { spoiltReplies, waysToSpoil } from "./mutations.ts";
import { configsOf, declaredRoles, idOf, type SampledTurn, sampleTurns } from "./sampled-turns.ts";
import { takeReply } from "./take-reply.ts";

const samples = await sampleTurns(4);
const roles = [...Map.groupBy(samples, idOf)];

const repliesPerRole = timesOf({ quick: 500, whole: 10_000 });

/** A role that a pack declares once may have several seats; they read replies alike and share what it gets. */
const runsOf = (turns: SampledTurn[]): number => {
  const declaration = String(turns[0]?.role.prompt);
  const names = roles.filter(([, others]) => String(others[0]?.role.prompt) === declaration);
  return Math.ceil(repliesPerRole / names.length);
};

describe("the samples", () => {
  it("hold a turn of every seat of every pack under every config", async () => {
    for (const name of packNames) {
      const pack = await loadPack(name);
      for (const config of configsOf(pack)) {
        const names = pack.roles(pack.config.parse(config)).map((role) => role.name);
        const sampled = new Set(samples.filter((sample) => sample.pack === name).map(({ role }) => role.name));
        const missing = names.filter((name) => !sampled.has(name));
        expect(missing, `${name} ${JSON.stringify(config)}: no sample; add a config to furtherConfigs`).toEqual([]);
      }
    }
  });

  it("hold a turn of every role that a pack declares", () => {
    const declared = declaredRoles();
    const sampled = new Set(samples.map(({ role }) => String(role.prompt)));
    expect(sampled.size, `roles are declared at ${declared.join(", ")}`).toBeGreaterThanOrEqual(declared.length);
  });

  it.each(roles)("%s: what its expert replied is accepted as a model's reply, and holds no lie", async (_id, turns) => {
    for (const turn of turns) {
      const taken = await takeReply(turn, JSON.stringify(turn.reply));
      expect(taken.problems.filter(({ code }) => code !== "echo_chamber")).toEqual([]);
      expect(liesIn(turn, taken.reply)).toEqual([]);
    }
  });
});

describe(`${repliesPerRole} random and mutated replies per role`, () => {
  let before: string[];
  beforeAll(() => void (before = Object.getOwnPropertyNames(Object.prototype)));

  it.each(roles)(
    "%s: no crash, no accepted lie, and every problem names its place",
    { timeout: 600_000 },
    async (_id, turns) => {
      const seen = { answered: 0, salvaged: 0, abstained: 0, repaired: 0 };
      const runs = runsOf(turns);
      const ways = new Set<string>();
      const replies = spoiltReplies(
        turns.map(({ reply }) => reply),
        ways,
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(), replies, async (which, text) => {
          const turn = turns[which % turns.length] as SampledTurn;
          const taken = await takeReply(turn, text);
          seen[taken.status] += 1;
          const faults = faultsOf(turn, taken);
          if (faults.length > 0) throw new Error(faults.join("\n"));
        }),
        { numRuns: runs, seed: 20_240_607 },
      );
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      expect(seen.answered + seen.salvaged, JSON.stringify(seen)).toBeGreaterThan(runs / 100);
      expect(seen.abstained, JSON.stringify(seen)).toBeGreaterThan(runs / 100);
      expect(waysToSpoil.filter((way) => !ways.has(way))).toEqual([]);
    },
  );
});

/** Problems that are about the reply as a whole. */
const wholeReply = new Set(["no_json", "several_replies", "too_long", "echo", "schema"]);

/** What a turn must not have come to. */
function faultsOf(turn: SampledTurn, { status, reply, problems }: Turn): string[] {
  const isRejected = problems.some(({ severity }) => severity === "reject");
  const faults = problems.flatMap((problem) => placeFaults(problem));
  if (status !== "answered" && problems.length === 0) faults.push(`${status} without a problem`);
  if (status === "abstained" && !isRejected && turn.role.salvage) faults.push("abstained though it could be salvaged");
  if (status === "abstained" && reply !== null) faults.push("abstained with a reply");
  if (status === "answered" && !turn.role.reply.safeParse(reply).success) faults.push("accepted against its schema");
  if (status !== "abstained") faults.push(...liesIn(turn, reply, problems));
  return faults;
}

/** The place of a problem is a path into the reply; what is said of it is one line. */
function placeFaults({ code, message, path }: Problem): string[] {
  const named = path !== undefined && (path.length > 0 || wholeReply.has(code));
  const isPlain = message.length > 2 && message.length < 700 && !/[\n\r\0]/.test(message);
  return named && isPlain ? [] : [`a problem that is hard to mend: ${JSON.stringify({ code, message, path })}`];
}
