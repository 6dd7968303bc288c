import { describe, expect, test } from "vitest";
import { noUsage } from "../../contract/usage.ts";
import type { Player } from "../../engine/player.ts";
import { renderPrompt } from "../../engine/prompt.ts";
import type { AnyRole } from "../../engine/role.ts";
import { runDebate } from "../../engine/run-debate.ts";
import { LawConfigSchema } from "./config.ts";
import type { AgentOutput } from "./schemas/agent-output.ts";
import type { CritiqueMessage } from "./schemas/critique-message.ts";
import { law } from "./pack.ts";
import type { AgentInput } from "./rules/role-inputs.ts";
import type { CriticInput } from "./rules/role-inputs.ts";

const conflictQuestion =
  "Di Bali orang tua menghibahkan tanah secara lisan. Menurut adat cukup, tetapi saudaranya berkata hibah tanpa akta notaris batal menurut KUHPerdata. Mana yang benar?";

const scopeQuestion =
  "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata, keluarganya menolak menurut adat.";

// oxlint-disable-next-line typescript/no-explicit-any
type Script = Record<string, (input: any, expert: any) => unknown>;

/** Plays a debate with the experts, except where the script (`role/round`) says otherwise. */
async function debate(query: string, config: object = {}, script: Script = {}) {
  const prompts: { turn: string; shared: string[]; text: string }[] = [];
  const player: Player = {
    id: "test",
    async play(role: AnyRole, input, { key, prompt }) {
      const { system, shared, own } = renderPrompt(prompt);
      prompts.push({ turn: `${key.round}/${key.role}`, shared, text: [system, ...shared, ...own].join("\n") });
      const scripted = script[`${key.role}/${key.round}`];
      const value = scripted ? scripted(input, await role.expert?.(input)) : await role.expert?.(input);
      return {
        reply: { value: JSON.parse(JSON.stringify(value)) as unknown },
        usage: noUsage,
        finish: null,
        final: true,
      };
    },
  };
  const finished = await runDebate({
    pack: law,
    input: law.input.parse({ query }),
    config: LawConfigSchema.parse(config),
    cast: () => player,
  });
  return { ...finished, prompts, steps: finished.turns.map(({ key }) => `${key.round} ${key.step} ${key.role}`) };
}

const stubborn = (_: AgentInput, revised: AgentOutput): AgentOutput => {
  const responses = revised.responses.map((one) => ({
    ...one,
    response: "rejected" as const,
    reason: "Tidak setuju.",
    evidence: [],
  }));
  return { ...revised, answer: `${revised.answer} Pendapat kami tetap.`, responses };
};
const severe =
  (severity: "CRITICAL" | "MAJOR", count: number) =>
  (input: CriticInput): CritiqueMessage => ({
    round: input.round,
    agent: input.agent,
    target: input.target.agent,
    critiques: Array.from({ length: input.round === 1 ? count : 0 }, (_, index) => ({
      id: `K${index + 1}`,
      target_claim_id: input.target.claims[0]?.id ?? "",
      issue_type: "logic_gap" as const,
      description: `Kesimpulan tidak mengikuti, nomor ${index}.`,
      severity,
      suggested_fix: "Jelaskan.",
      evidence: [],
    })),
    verdicts: input.earlier.map(({ critique }) => ({
      critique_id: critique.id,
      verdict: "upheld" as const,
      reason: "Belum dijawab.",
    })),
    fewer_reason: null,
  });
const rewriting =
  (round: number) =>
  (input: AgentInput, revised: AgentOutput): AgentOutput => ({
    ...stubborn(input, revised),
    answer: Array.from({ length: 200 }, (_, index) => `kata${round}x${index}`).join(" "),
  });

const unmoved = ({ round, previous }: AgentInput, revised: AgentOutput): AgentOutput => ({
  ...(previous ?? revised),
  round,
  responses: revised.responses.map((one) => ({ ...one, response: "rejected", reason: "Tidak setuju.", evidence: [] })),
});
/** One conflict and two other MAJOR critiques of the same claim. */
const conflictAmong =
  (count: number) =>
  (input: CriticInput): CritiqueMessage => {
    const message = severe("MAJOR", count)(input);
    const critiques = message.critiques.map((one, index) =>
      index === 0 ? { ...one, issue_type: "conflict" as const } : one,
    );
    return { ...message, critiques };
  };
/** Rejects the first critique on evidence, and all others without. */
const defendingFirst = (input: AgentInput, revised: AgentOutput): AgentOutput => {
  const kept = unmoved(input, revised);
  const [first, ...others] = kept.responses;
  const grounds = kept.claims[0]?.evidence ?? [];
  return { ...kept, responses: first ? [{ ...first, evidence: grounds }, ...others] : [] };
};

describe("rounds (law spec §4)", () => {
  test("answers, cross critique, one revision, verdicts on what was rejected, and the supervisor when it has converged", async () => {
    const { steps, result } = await debate(conflictQuestion);
    expect(steps).toEqual([
      "1 answer nla",
      "1 answer ala",
      "1 critique nla_critic",
      "1 critique ala_critic",
      "2 revise nla",
      "2 revise ala",
      "2 critique nla_critic",
      "2 critique ala_critic",
      "0 sup sup",
    ]);
    expect(result).toMatchObject({
      outcome: "decided",
      decision: { position: "C", summary: { convergence: { met: true } } },
    });
  });

  test("openings are written without the other's answer, and every prompt begins with the same case", async () => {
    const { prompts, result } = await debate(conflictQuestion);
    const opening = prompts.find(({ turn }) => turn === "1/ala")?.text ?? "";
    expect(opening).not.toContain(result.decision?.rounds[0]?.nla.answer);
    const heads = new Set(prompts.map(({ shared: [question, both] }) => `${question} ${both}`));
    expect(heads.size).toBe(1);
    expect(result.promptTokens.prefix / result.promptTokens.total).toBeGreaterThan(0.7);
  });

  test("whatever a side says next goes on from all that it was shown before", async () => {
    const critic = severe("CRITICAL", 1);
    const script = { "nla_critic/1": critic, "nla_critic/2": critic, "ala/2": stubborn };
    const { prompts } = await debate(conflictQuestion, {}, script);
    for (const side of ["nla", "ala"]) {
      const turns = prompts.filter(({ turn }) => turn.split("/")[1]?.startsWith(side));
      expect(turns.length).toBeGreaterThan(4);
      for (const [at, { shared }] of turns.entries()) {
        const before = turns[at - 1]?.shared ?? [];
        expect(shared.slice(0, before.length)).toEqual(before);
        expect(shared.length - before.length).toBeGreaterThan(0);
      }
    }
  });

  test("the debate runs for a pure label too", async () => {
    const { steps, result } = await debate(
      "Dalam keadaan apa pusako tinggi boleh digadaikan menurut adat Minangkabau?",
    );
    expect(steps).toContain("1 answer nla");
    expect(result.decision).toMatchObject({ position: "B", route: { label: "pure_adat" } });
  });

  test("not converged: the critics speak again with verdicts, and round 3 follows while MAJOR critiques are open", async () => {
    const script = {
      "nla_critic/1": severe("MAJOR", 0),
      "nla_critic/2": severe("MAJOR", 0),
      "ala_critic/1": severe("MAJOR", 3),
      "ala_critic/2": severe("MAJOR", 3),
      "nla/2": rewriting(2),
      "nla/3": rewriting(3),
    };
    const { steps, result } = await debate(conflictQuestion, {}, script);
    expect(steps).toContain("2 critique ala_critic");
    expect(steps).toContain("3 revise nla");
    expect(steps).not.toContain("3 critique ala_critic");
    expect(result).toMatchObject({
      outcome: "escalated",
      reasons: expect.arrayContaining(["not_converged_after_max_rounds"]),
      decision: { needs_human_review: true },
    });
  });

  test("in round 3 an agent is asked about the critiques that are still open, and only those", async () => {
    const script = {
      "nla_critic/1": severe("MAJOR", 0),
      "nla_critic/2": severe("MAJOR", 0),
      "ala_critic/1": severe("MAJOR", 3),
      "ala_critic/2": severe("MAJOR", 3),
      "nla/2": rewriting(2),
    };
    const { result } = await debate(conflictQuestion, {}, script);
    expect(result.decision?.rounds[2]?.nla.responses.map(({ critique_id }) => critique_id)).toEqual(["K1", "K2", "K3"]);
    expect(result.decision?.rounds[2]?.ala.responses).toEqual([]);
  });

  test("ending outranks round 3: one open MAJOR is no reason to go on", async () => {
    const { steps, result } = await debate(
      conflictQuestion,
      {},
      { "ala_critic/1": severe("MAJOR", 1), "nla/2": rewriting(2) },
    );
    expect(result.decision?.summary?.convergence).toMatchObject({
      met: true,
      condition: 1,
      numbers: { open_major: 1 },
    });
    expect(steps.filter((step) => step.startsWith("3"))).toEqual([]);
  });

  test.each([
    [2, 2],
    [3, 3],
  ])(
    "rounds: %i with MAJOR critiques open and answers that no longer change: %i rounds are held",
    async (rounds, held) => {
      const script = {
        "nla_critic/1": severe("MAJOR", 0),
        "nla_critic/2": severe("MAJOR", 0),
        "ala_critic/1": severe("MAJOR", 3),
        "ala_critic/2": severe("MAJOR", 3),
        "nla/2": unmoved,
        "nla/3": unmoved,
        "ala/2": unmoved,
        "ala/3": unmoved,
      };
      const { result } = await debate(conflictQuestion, { rounds }, script);
      expect(result.decision?.summary).toMatchObject({ rounds: held, convergence: { met: true, condition: 3 } });
    },
  );

  test.each([1, 2] as const)("rounds: 3 ends after round 2 where condition %i holds", async (condition) => {
    const raised = condition === 1 ? severe("MAJOR", 1) : conflictAmong(3);
    const withdrawFirst = (input: CriticInput): CritiqueMessage => {
      const message = severe("MAJOR", 0)(input);
      const verdicts = message.verdicts.map((one, index) =>
        index === 0 ? { ...one, verdict: "withdrawn" as const } : one,
      );
      return { ...message, verdicts };
    };
    const { result } = await debate(
      conflictQuestion,
      { rounds: 3 },
      {
        "nla_critic/1": severe("MAJOR", 0),
        "ala_critic/1": raised,
        "nla/2": defendingFirst,
        "ala/2": unmoved,
        "nla_critic/2": severe("MAJOR", 0),
        "ala_critic/2": withdrawFirst,
      },
    );
    expect(result.decision?.summary).toMatchObject({ rounds: 2, convergence: { met: true, condition } });
  });

  test("an open CRITICAL blocks the end even when the answers do not change", async () => {
    const script = {
      "ala_critic/1": severe("CRITICAL", 1),
      "ala_critic/2": severe("CRITICAL", 1),
      "nla/2": stubborn,
      "nla/3": stubborn,
    };
    const { steps, result } = await debate(conflictQuestion, {}, script);
    expect(steps).toContain("3 revise nla");
    expect(result.outcome).toBe("escalated");
  });

  test("a critic that withdraws on the second asking ends the debate", async () => {
    const withdrawing = (input: CriticInput): CritiqueMessage => {
      const message = severe("MAJOR", 3)(input);
      return { ...message, verdicts: message.verdicts.map((one) => ({ ...one, verdict: "withdrawn" as const })) };
    };
    const { steps, result } = await debate(
      conflictQuestion,
      {},
      {
        "nla_critic/1": severe("MAJOR", 0),
        "nla_critic/2": severe("MAJOR", 0),
        "ala_critic/1": severe("MAJOR", 3),
        "ala_critic/2": withdrawing,
        "nla/2": rewriting(2),
      },
    );
    expect(steps.some((step) => step.startsWith("3"))).toBe(false);
    expect(result.decision?.summary?.critique_counts).toMatchObject({ withdrawn: 3, open: 0 });
  });

  test("both agents or nothing: one that abstains leaves the debate undecided", async () => {
    const { result, steps } = await debate(conflictQuestion, {}, { "ala/1": () => null });
    expect(result).toMatchObject({ outcome: "undecided", decision: null, quorum: { abstained: 1 } });
    expect(steps).toHaveLength(2);
  });

  test("an agent lost in round 2: undecided, with what stood after round 1", async () => {
    const { result } = await debate(conflictQuestion, {}, { "ala/2": () => null });
    expect(result).toMatchObject({
      outcome: "undecided",
      decision: { decided_by: "provisional", rounds: [{ round: 1 }] },
    });
  });
});

describe("arms", () => {
  test("rounds: 1 has no revision, critique: false has no critic", async () => {
    expect(
      (await debate(conflictQuestion, { rounds: 1, max_rounds: 1 })).steps.filter((step) => step.includes("revise")),
    ).toEqual([]);
    const { steps, result } = await debate(conflictQuestion, { critique: false });
    expect(steps).toEqual(["1 answer nla", "1 answer ala", "0 sup sup"]);
    expect(result).toMatchObject({ outcome: "escalated", reasons: ["hard_contradiction"] });
  });

  test("single, vote and self_consistency ask who they say", async () => {
    expect((await debate(conflictQuestion, { protocol: "single" })).steps).toEqual(["1 answer single"]);
    const vote = await debate(conflictQuestion, { protocol: "vote" });
    expect(vote.result.decision?.votes.map(({ voter }) => voter)).toEqual([
      "voter_national",
      "voter_adat",
      "voter_neutral",
    ]);
    expect((await debate(conflictQuestion, { protocol: "self_consistency", samples: 2 })).steps).toEqual([
      "1 sample-1 single",
      "1 sample-2 single",
    ]);
  });

  test("stability: semantic compares the answers' embeddings, asked for once in each round", async () => {
    const { steps, result } = await debate(scopeQuestion, { stability: { metric: "semantic" } });
    expect(steps.filter((step) => step.includes("embedder"))).toEqual(["1 embedder embedder", "2 embedder embedder"]);
    expect(result.decision?.summary?.convergence.numbers.answer_change).toBeGreaterThan(0);
    expect(result.decision?.summary?.convergence.numbers.answer_change).toBeLessThan(1);
  });

  test("retrieval.rerank: the embedder orders the evidence before anyone speaks", async () => {
    const { steps, prompts } = await debate(scopeQuestion, { retrieval: { rerank: true } });
    expect(steps[0]).toBe("0 rerank embedder");
    const evidenceOf = (text: string) => /\[BUKTI HUKUM NASIONAL\][\s\S]*?\[HAL TERBUKA\]/.exec(text)?.[0];
    const plain = await debate(scopeQuestion);
    const shown = evidenceOf(prompts.find(({ turn }) => turn === "1/nla")?.text ?? "");
    expect(shown).toBeDefined();
    expect(shown).not.toBe(evidenceOf(plain.prompts[0]?.text ?? ""));
  });

  test("max_rounds below rounds is refused", () => {
    expect(LawConfigSchema.safeParse({ rounds: 3, max_rounds: 2 }).error?.message).toContain(
      "must not be below rounds",
    );
  });
});
