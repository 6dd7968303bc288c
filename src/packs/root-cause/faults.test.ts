import { describe, expect, it } from "vitest";
import type { Prompt } from "../../contract/prompt.ts";
import type { Player, TurnContext } from "../../engine/player.ts";
import { runDebate } from "../../engine/run-debate.ts";
import { buildCast } from "../../players/cast/build-cast.ts";
import { parseCast } from "../../players/cast/parse-cast.ts";
import { expertPlayer } from "../../players/offline/expert-player.ts";
import { examples } from "./examples.ts";
import type { RootCauseCase } from "./case.ts";
import type { LabelScore } from "./schemas/judgement.ts";
import { parseLines } from "../../knowledge/logs/index.ts";
import { rootCause } from "./pack.ts";

const input = rootCause.input.parse(examples[0]?.input);
const expert = expertPlayer();

/** Plays every role with its expert, except where `instead` answers; keeps the prompts by turn. */
async function play(
  instead: (turn: TurnContext) => unknown = () => undefined,
  config: Record<string, unknown> = {},
  given: RootCauseCase = input,
) {
  const prompts = new Map<string, Prompt>();
  const player: Player = {
    id: "test",
    async play(role, roleInput, turn) {
      prompts.set(`${turn.key.round}/${turn.key.role}${turn.repair ? "/repair" : ""}`, turn.prompt);
      const value = instead(turn);
      if (value === undefined) return expert.play(role, roleInput, turn);
      const usage = { calls: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, costUsd: 0 };
      return { reply: typeof value === "string" ? { text: value } : { value }, usage, finish: null };
    },
  };
  const asked = new Set<string>();
  const finished = await runDebate({
    pack: rootCause,
    input: given,
    config: rootCause.config.parse(config),
    cast: (name) => (asked.add(name), player),
    seed: 3,
  });
  return { ...finished, prompts, asked, decision: finished.result.decision };
}

const textOf = (prompt: Prompt | undefined) => JSON.stringify([prompt?.blocks, prompt?.own]);
const labelsIn = ({ prompt, key }: TurnContext) => listShown(prompt, key.round).map(({ label }) => label);

/** The hypotheses of a round as a prompt shows them. */
function listShown(prompt: Prompt, round: number): ({ label: string } & object)[] {
  const block = prompt.blocks.find(({ label }) => label === `ROUND ${round} HYPOTHESES`);
  return block && "json" in block ? (block.json as { label: string }[]) : [];
}
const score = (label: string, evidence_quality: number): LabelScore => ({
  label,
  evidence_quality,
  reasoning_strength: 1,
  confidence_calibration: 1,
  completeness: 1,
  consistency: 1,
  strengths: [],
  weaknesses: [],
  feedback: `on ${label}`,
});

function readBlock(prompt: Prompt | undefined, name: string): unknown {
  const block = [...(prompt?.blocks ?? []), ...(prompt?.own ?? [])].find(({ label }) => label === name);
  return block && "json" in block ? block.json : null;
}

describe("faults of the earlier implementation stay out (root-cause spec §8)", () => {
  it("refinement prompts carry the incident data again", async () => {
    const { prompts } = await play();
    for (const reasoner of ["log_focused", "hybrid"]) {
      expect(textOf(prompts.get(`2/${reasoner}`))).toContain("was not returned for 60000 ms, possible leak");
      const again = prompts.get(`2/${reasoner}`)?.blocks;
      expect(again).toEqual(expect.arrayContaining(prompts.get(`1/${reasoner}`)?.blocks ?? [null]));
    }
    expect(textOf(prompts.get("2/kg_focused"))).toContain("SIMILAR INCIDENTS");
    expect(textOf(prompts.get("2/kg_focused"))).toContain("postgres-too-many-connections");
  });

  it("feedback reaches its hypothesis by id, whatever words the judge uses", async () => {
    const { decision, prompts } = await play((turn) => {
      if (turn.key.role !== "judge") return undefined;
      return {
        scores: labelsIn(turn).map((label, index) => ({
          ...score(label, index),
          feedback: `Quite another wording ${label}`,
        })),
        same_cause: [],
      };
    });
    const [first] = decision?.rounds ?? [];
    for (const { id, source, label, feedback } of first?.judge_evaluation?.evaluated ?? []) {
      const prompt = prompts.get(`2/${source}`);
      const remarks = readBlock(
        prompt,
        source === "kg_focused" ? "YOUR HYPOTHESES AND WHAT THE JUDGE SAID" : "ROUND 1 JUDGE",
      );
      const ids = readBlock(prompt, "WHOSE HYPOTHESES") as { yours: Record<string, string> } | null;
      const text = JSON.stringify(remarks);
      if (ids) expect(ids.yours[label]).toBe(id);
      else expect(text).toContain(`"id":"${id}"`);
      expect(text).toContain(JSON.stringify(feedback));
    }
    expect(first?.judge_evaluation?.evaluated.length).toBeGreaterThan(5);
  });

  it("the judge is shown the evidence itself, not how much there is", async () => {
    const { prompts, decision } = await play();
    const shown = textOf(prompts.get("1/judge"));
    const said = Object.values(decision?.rounds[0]?.hypotheses ?? {}).flatMap((list) => list ?? []);
    for (const { evidence, hypothesis } of said) {
      expect(shown).toContain(JSON.stringify(hypothesis).slice(1, -1));
      for (const { quote } of evidence) expect(shown).toContain(JSON.stringify(quote).slice(1, -1));
      for (const { ref } of evidence) expect(shown).toContain(`"ref":${JSON.stringify(ref)}`);
    }
  });

  it("the judge is never told who wrote a hypothesis, in no round and no order", async () => {
    const judged: TurnContext[] = [];
    const { asked } = await play((turn) => void (turn.key.role === "judge" && judged.push(turn)), {
      judge: { swap: true },
    });
    const names = [...asked].filter((name) => name !== "judge");
    const author = new RegExp(`\\b(?:${names.join("|")}|(?:log|kg|hybrid)_\\d+)\\b`);
    expect(judged.map(({ key }) => `${key.round} ${key.step}`)).toEqual([
      "1 judge",
      "1 judge_swapped",
      "2 judge",
      "2 judge_swapped",
    ]);
    for (const { prompt, key } of judged) {
      const hypotheses = listShown(prompt, key.round);
      expect(hypotheses.length).toBeGreaterThan(5);
      for (const hypothesis of hypotheses)
        for (const key of ["id", "source", "from", "changes_made"]) expect(hypothesis).not.toHaveProperty(key);
      expect(textOf(prompt)).not.toMatch(author);
    }
  });

  it("scores come from the subscores; a total in the judge's reply is a problem, not a score", async () => {
    const { decision, turns } = await play(
      (turn) => {
        if (turn.key.role !== "judge" || turn.key.round > 1) return undefined;
        if (!turn.repair)
          return JSON.stringify({
            scores: labelsIn(turn).map((label) => ({ ...score(label, 1), judge_score: 99 })),
            same_cause: [],
          });
        return { scores: labelsIn(turn).map((label) => score(label, 6)), same_cause: [] };
      },
      { max_rounds: 1 },
    );
    expect(turns.find(({ key }) => key.role === "judge")?.status).toBe("repaired");
    expect(decision?.rounds[0]?.judge_evaluation?.evaluated.map(({ judge_score }) => judge_score)).toEqual(
      expect.arrayContaining([10]),
    );
    expect(decision?.final_hypothesis?.judge_score).toBe(10);
  });

  it("an unscored hypothesis is a problem of the reply, and nothing vanishes", async () => {
    const { decision, result, turns } = await play((turn) => {
      if (turn.key.role !== "judge") return undefined;
      return {
        scores: labelsIn(turn)
          .slice(1)
          .map((label) => score(label, 1)),
        same_cause: [],
      };
    });
    const judged = turns.find(({ key }) => key.role === "judge");
    expect(judged).toMatchObject({ status: "abstained", problems: [{ code: "unscored" }] });
    expect(result.outcome).toBe("undecided");
    expect(decision?.rounds[0]?.hypotheses.hybrid?.length).toBeGreaterThan(2);
    expect(decision?.final_hypothesis).not.toBeNull();
  });

  it("a round without any hypothesis ends undecided and does not crash", async () => {
    const { decision, result } = await play((turn) => (turn.key.role === "judge" ? undefined : "no idea"));
    expect(result.outcome).toBe("undecided");
    expect(decision).toMatchObject({
      final_hypothesis: null,
      stop_reason: "quorum",
      total_rounds: 1,
      improvement_trajectory: [],
    });
    const [verdict] = rootCause.report({
      input,
      material: null,
      config: rootCause.config.parse({}),
      result,
      turns: [],
    });
    expect(verdict).toMatchObject({ kind: "verdict", answer: "No hypothesis was put forward (undecided)" });
  });

  it("a later round that loses its quorum keeps the best of the earlier ones", async () => {
    const { decision, result } = await play((turn) =>
      turn.key.round === 2 && turn.key.role !== "hybrid" ? "no idea" : undefined,
    );
    expect(result.outcome).toBe("undecided");
    expect(decision?.final_hypothesis?.judge_score).toBe(decision?.rounds[0]?.top_hypothesis?.judge_score);
  });

  it("an evaluated incident that is excluded reaches no prompt, even when it is in the graph", async () => {
    const own = {
      id: "case-under-test",
      title: "label: leak",
      cause: "SECRET LABEL",
      category: "software",
      errors: [{ type: "SQLTransientConnectionException" }],
    };
    const given = rootCause.input.parse({ ...input, incidents: [own] });
    const seen = await play(undefined, {}, given);
    expect([...seen.prompts.values()].some((prompt) => textOf(prompt).includes("SECRET LABEL"))).toBe(true);
    const hidden = await play(undefined, { knowledge: { exclude_ids: ["case-under-test"] } }, given);
    expect([...hidden.prompts.values()].some((prompt) => textOf(prompt).includes("SECRET LABEL"))).toBe(false);
  });

  it("a cast names the roles by the names under which they are asked", async () => {
    const { asked } = await play();
    const roles = rootCause.roles(rootCause.config.parse({}));
    const names = roles.map(({ name }) => name);
    expect([...asked].sort()).toEqual([...names].sort());
    const cast = buildCast(parseCast("expert,log_focused=expert,kg_focused=expert,hybrid=expert,judge=expert", names), {
      roles,
    });
    for (const name of names) expect(cast(name).id).toContain("expert");
    expect(() => parseCast("expert,LogReasoner=expert", names)).toThrow(/LogReasoner/);
  });

  it("the whole log is read: an error far behind the first 2,000 characters is found and cited", async () => {
    const quiet = Array.from(
      { length: 5000 },
      (_, n) =>
        `2024-05-14T09:${String(Math.floor(n / 100)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.000Z api INFO Worker: handled request ${n} in ${n % 40} ms`,
    );
    const log = await parseLines([
      ...quiet,
      "2024-05-14T10:00:00.000Z api ERROR Writer: write failed: No space left on device",
    ]);
    const { decision } = await play(undefined, {}, rootCause.input.parse(log));
    expect(decision?.final_hypothesis).toMatchObject({ category: "resource" });
    expect(decision?.final_hypothesis?.evidence[0]).toMatchObject({
      ref: 5001,
      quote: expect.stringContaining("No space left on device"),
    });
  });
});
