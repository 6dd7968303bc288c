import * as z from "zod";
import { describe, expect, it } from "vitest";
import { definePack } from "../src/engine/define-pack.ts";
import { defineRole } from "../src/engine/role.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { expertPlayer } from "../src/players/offline-players.ts";
import { listFlips } from "../src/runs/compare-runs.ts";
import { createDecider, explainRun, isDecisive } from "../src/runs/why.ts";
import { readRun, type StoredRun } from "../src/runs/read-run.ts";
import { startRun } from "../src/runs/start.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import type { AnyPack } from "../src/engine/pack.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { timesOf } from "./support/share.ts";

const VoteSchema = z.strictObject({
  points: z.array(z.string()),
  weight: z.number().min(0).max(10),
  line: z.int().min(1).optional(),
});

/** Three speakers give points of a weight; what reaches the bar wins. */
function createVotePack(votes: Record<string, z.infer<typeof VoteSchema>>): AnyPack {
  const roles = Object.entries(votes).map(([name, vote]) =>
    defineRole({
      name,
      reply: VoteSchema,
      prompt: () => ({ instructions: "Vote.", blocks: [], own: [{ label: "YOU", text: name }] }),
      expert: () => vote,
    }),
  );
  return definePack({
    name: "votes",
    summary: "Votes with weights.",
    input: z.strictObject({ question: z.string() }),
    config: z.strictObject({
      bar: z.number().min(0).max(40).default(10),
      count: z.enum(["weights", "nothing"]).default("weights"),
      ties: z.boolean().default(true),
    }),
    decision: z.strictObject({ yes: z.boolean() }),
    roles: () => roles,
    async protocol(debate, _input, { bar, count, ties }) {
      const said = await debate.round(1, () => debate.askAll("vote", roles, () => ({})));
      const sum = said.reduce(
        (total, { reply }) => total + (reply.line === 1 ? 0 : reply.weight * reply.points.length),
        0,
      );
      return { outcome: "decided", reasons: [], decision: { yes: ties && count === "weights" && sum >= bar } };
    },
    examples: [],
    sections: ({ result }) => {
      const answer = result.decision?.yes ? "yes" : "no";
      return [{ kind: "verdict", title: "", answer, tone: "good", points: [], headline: { answer } }];
    },
  });
}

async function hold(pack: AnyPack, input: unknown, config: unknown = {}): Promise<StoredRun> {
  const store = memoryStore();
  const player = expertPlayer();
  const setting = { store, castOf: async () => () => player };
  const request = { pack, input, config, cast: "expert", seed: 7, budget: {} };
  const { runId } = await startRun(setting, request);
  return readRun(store, runId);
}

describe("what a decision depends on", () => {
  it("names the turn, its part, its score and the setting that flip it alone", async () => {
    const pack = createVotePack({
      a: { points: ["p", "q"], weight: 4, line: 7 },
      b: { points: ["r"], weight: 1 },
      c: { points: ["s"], weight: 2 },
    });
    const why = await explainRun(pack, await hold(pack, { question: "?" }));
    expect(why.headline).toEqual({ answer: "yes" });
    expect(why.turns.filter(isDecisive).map(({ change }) => change)).toEqual([
      { kind: "turn", turn: "1/vote/a" },
      { kind: "turn", turn: "1/vote/c" },
    ]);
    expect(why.parts.map(({ change }) => (change.kind === "part" ? change.says : "")).sort()).toEqual(["p", "q", "s"]);
    const score = why.scores.find(({ change }) => change.kind === "score" && change.turn === "1/vote/a");
    expect(why.scores.map(({ change }) => change.kind === "score" && change.path)).not.toContainEqual(["line"]);
    expect(score?.change.kind === "score" && score.change.to).toBeCloseTo(3.48, 1);
    expect(why.settings.map(({ change }) => change)).toMatchObject([
      { setting: "bar", from: 10 },
      { setting: "count", from: "weights", to: "nothing" },
      { setting: "ties", from: true, to: false },
    ]);
  });

  it("past the limit it says how much was left untried", async () => {
    const vote = { points: ["p"], weight: 5 };
    const pack = createVotePack({ a: vote, b: vote, c: vote });
    const why = await explainRun(pack, await hold(pack, { question: "?" }), 2);
    expect(why.untried).toBeGreaterThan(0);
  });
});

describe.each(packNames)("why a run of the %s pack came out as it did", (name) => {
  it("each change it proposes flips the decision again when it is made", async () => {
    const pack = await loadPack(name);
    const [example] = pack.examples;
    const stored = await hold(pack, example?.input, example?.config);
    const why = await explainRun(pack, stored, timesOf({ quick: 40, whole: 120 }));
    const decide = createDecider(pack, stored);
    const held = await decide(null);
    if (!held) throw new Error("the recorded turns do not decide");
    for (const { change, flips } of [...why.turns, ...why.parts, ...why.scores].filter(isDecisive)) {
      const after = await decide(change);
      expect(after && listFlips(pack, held, after)).toEqual(flips);
    }
  });
});

describe("parley show --why", () => {
  it("tells it in words, and all of it as JSON", async () => {
    const cwd = newFolder();
    await runCli(["sentiment", "The pasta was great but the waiter was rude."], { cwd });
    const { out: runs } = await runCli(["runs"], { cwd });
    const id = runs.split(/\s/)[0] ?? "";
    const shown = await runCli(["show", "--why", id], { cwd });
    expect(shown.out).toContain("What does the decision depend on?");
    expect(shown.out).toContain("0/atsa/atsa abstains");
    const all = JSON.parse((await runCli(["show", "--why", id, "--json"], { cwd })).out) as { turns: unknown[] };
    expect(all.turns.length).toBeGreaterThan(3);
  });

  it("a run that has no decision, or is not there, is an error that says so", async () => {
    expect((await runCli(["show", "--why", "nosuch"])).code).toBe(2);
  });
});

describe("when somebody is silent, the others repeat what they said of the same things", () => {
  it("what the judge of a root cause said of a hypothesis stays with it, whoever else is silent", async () => {
    const pack = await loadPack("root-cause");
    const stored = await hold(pack, pack.examples[0]?.input);
    const decide = createDecider(pack, stored);
    const scored = (rounds: RootCauseRound[]) =>
      rounds.flatMap(({ round, hypotheses, judge_evaluation: judged }) => {
        const texts = new Map(
          Object.values(hypotheses).flatMap((all) => (all ?? []).map((one) => [one.id, one.hypothesis])),
        );
        return (judged?.evaluated ?? []).map(({ id, judge_score }) => `${round} ${texts.get(id)} ${judge_score}`);
      });
    const decideRounds = async (change: Parameters<typeof decide>[0]) => {
      const finished = await decide(change);
      return scored((finished as { result: { decision: { rounds: RootCauseRound[] } } }).result.decision.rounds);
    };
    const held = await decideRounds(null);
    for (const silent of ["1/propose/log_focused", "1/propose/hybrid", "2/refine/log_focused"]) {
      const left = await decideRounds({ kind: "turn", turn: silent });
      expect(left.length, silent).toBeGreaterThan(0);
      expect(held, silent).toEqual(expect.arrayContaining(left));
    }
  });
});

type RootCauseRound = {
  round: number;
  hypotheses: Record<string, { id: string; hypothesis: string }[] | null>;
  judge_evaluation: { evaluated: { id: string; judge_score: number }[] } | null;
};
