import { describe, expect, it } from "vitest";
import { agreeingScript, playScript, text } from "../../../test/support/sentiment/play.ts";
import { edit, proposal, risk, sentiment } from "../../../test/support/sentiment/turns.ts";
import type { Episode } from "./schemas/memory.ts";

const tuples = (played: Awaited<ReturnType<typeof playScript>>) =>
  played.decision.final_result.final_tuples.map((one) => `${one.aspect_ref} ${one.polarity}`);

it("runs Stage 1, the debate in order, the judge and the three reviews, and adopts what all agree on", async () => {
  const played = await playScript();
  expect(played.asked).toEqual([
    "ate",
    "atsa",
    "validator",
    "epm",
    "tan",
    "cj",
    "judge",
    "ate_review",
    "atsa_review",
    "validator_review",
  ]);
  expect(tuples(played)).toEqual(["food positive", "service negative"]);
  expect(played.result).toMatchObject({ outcome: "decided", reasons: ["adopted: debate_action"] });
});

describe("each switch really changes what runs", () => {
  it("enable_debate off: no speaker, no judge, no review context, no override", async () => {
    const { asked, decision } = await playScript({ enable_debate: false });
    expect(asked).toEqual(["ate", "atsa", "validator", "ate_review", "atsa_review", "validator_review"]);
    expect(decision).toMatchObject({ debate: null, review_context: null, override_gate: [] });
  });

  it("debate.enabled under pipeline is the same switch", async () => {
    expect((await playScript({ pipeline: { debate: { enabled: false } } })).asked).not.toContain("judge");
  });

  it("enable_debate_override off: the gate is silent, and no flip of the debate stands", async () => {
    const script = agreeingScript({
      atsa: [
        { aspect_sentiments: [sentiment("food", "positive"), sentiment("service", "positive", { confidence: 0.5 })] },
      ],
    });
    expect(tuples(await playScript({}, script))).toEqual(["food positive", "service negative"]);
    const again = agreeingScript({
      atsa: [
        { aspect_sentiments: [sentiment("food", "positive"), sentiment("service", "positive", { confidence: 0.5 })] },
      ],
    });
    const off = await playScript({ enable_debate_override: false }, again);
    expect(off.decision.override_gate).toEqual([]);
    expect(tuples(off)).toEqual(["food positive", "service positive"]);
  });

  it("enable_stage2 off: no reviews are asked and no validator proposal is applied", async () => {
    const validator = {
      structural_risks: [risk("NEGATION", 0, 8)],
      consistency_score: 0.5,
      correction_proposals: [proposal("food", "FLIP_POLARITY")],
    };
    const on = await playScript({ enable_debate: false }, agreeingScript({ validator: [validator] }));
    const off = await playScript(
      { enable_debate: false, enable_stage2: false },
      agreeingScript({ validator: [validator] }),
    );
    expect(on.decision.correction_applied_log).toHaveLength(1);
    expect(off.asked).toEqual(["ate", "atsa", "validator"]);
    expect(off.decision.correction_applied_log).toEqual([]);
    expect(off.decision.analysis_flags.stage2_executed).toBe(false);
  });

  it("enable_validator off: it is asked neither in Stage 1 nor in Stage 2, and there are no risks", async () => {
    const { asked, decision } = await playScript({ enable_validator: false });
    expect(asked.filter((role) => role.startsWith("validator"))).toEqual([]);
    expect(decision.stage1_validator.structural_risk_count).toBe(0);
  });

  it("enable_moderator off: the label is the aggregate of the final list", async () => {
    const { decision } = await playScript({ enable_moderator: false });
    expect(decision.moderator).toBeNull();
    expect(decision.final_result).toMatchObject({ label: "mixed", confidence: 0.8 });
  });
});

describe("control arms", () => {
  it("single is Stage 1 alone", async () => {
    const played = await playScript({ protocol: "single" });
    expect(played.asked).toEqual(["ate", "atsa"]);
    expect(tuples(played)).toEqual(["food positive"]);
  });

  it("vote: openings that have not seen each other, then a majority", async () => {
    const script = agreeingScript({ cj: [{ agent: null, proposed_edits: [] }] });
    const played = await playScript({ protocol: "vote" }, script);
    expect(played.asked).toEqual(["ate", "atsa", "validator", "epm", "tan", "cj"]);
    expect(tuples(played)).toEqual(["food positive", "service negative"]);
    expect(played.result.notes).toContainEqual(expect.objectContaining({ type: "vote" }));
  });

  it("self_consistency: several readings, and what most of them say", async () => {
    const ate = { aspects: [] };
    const reading = (...list: object[]) => ({ aspect_sentiments: list });
    const [food, service] = [sentiment("", "positive"), sentiment("", "negative")];
    const script = agreeingScript({
      ate: [ate, ate, ate],
      atsa: [reading(food), reading(food, service), reading(service, food)],
    });
    const played = await playScript({ protocol: "self_consistency", samples: 3 }, script);
    expect(played.asked).toHaveLength(6);
    expect(tuples(played)).toEqual([" negative", " positive"]);
  });
});

describe("speakers", () => {
  it("order, rounds and personas come from the config", async () => {
    const confirm = { agent: null, proposed_edits: [edit("confirm_tuple", "food", "positive")] };
    const script = agreeingScript({ cj: [confirm, confirm], skeptic: [confirm, confirm] });
    const personas = { skeptic: { name: "Skeptic", role: "doubter", goal: "doubt everything" } };
    const { asked, decision } = await playScript({ debate: { order: ["skeptic", "cj"], rounds: 2, personas } }, script);
    expect(asked.slice(3, 7)).toEqual(["skeptic", "cj", "skeptic", "cj"]);
    expect(decision.debate?.rounds.map((round) => round.turns.map((turn) => turn.agent))).toEqual([
      ["Skeptic", "CJ"],
      ["Skeptic", "CJ"],
    ]);
  });

  it("a speaker sees all earlier turns of all rounds, and its persona comes last", async () => {
    const confirm = { agent: null, proposed_edits: [edit("confirm_tuple", "food", "positive")] };
    const seen: string[][] = [];
    const line = (turn: { prompt: { blocks: { label: string }[]; own: { label: string }[] } }) => {
      seen.push([...turn.prompt.blocks, ...turn.prompt.own].map((block) => block.label));
      return { value: confirm };
    };
    const script = { ...(agreeingScript() as object), epm: [line, line], tan: [line, line], cj: [line, line] };
    await playScript({ debate: { rounds: 2 } }, script);
    expect(seen.at(-1)).toEqual([
      "TOPIC",
      "SHARED_CONTEXT_JSON",
      "HISTORY · round 1",
      "HISTORY · round 1",
      "HISTORY · round 1",
      "HISTORY · round 2",
      "HISTORY · round 2",
      "PERSONA",
    ]);
  });

  it("a speaker cannot rename itself: name and stance are the persona's", async () => {
    const speech = {
      speaker: "empath",
      stance: "pro",
      planning: "",
      reflection: "",
      message: "service",
      key_points: [],
    };
    const judged = { winner: null, consensus: null, key_agreements: [], key_disagreements: [], rationale: "neutral" };
    const script = agreeingScript({ critic: [speech, speech, speech, speech], judge: [judged] });
    const { decision } = await playScript({ debate: { style: "stance" } }, script);
    const turn = decision.debate?.rounds[0]?.turns[1];
    expect(turn).toMatchObject({ speaker: "critic", agent: "비평가 패널", stance: "con" });
  });

  it("a speaker that abstains leaves no turn and does not stop the debate", async () => {
    const { decision, result } = await playScript({}, agreeingScript({ tan: ["nothing", "again nothing"] }));
    expect(result.quorum.abstained).toBe(1);
    expect(result.outcome).toBe("decided");
    expect(decision.settlements.find((one) => one.aspect === "service")?.reason).toBe("added_by_all_speakers");
  });
});

describe("quorum: all of Stage 1 and the judge", () => {
  it.each([
    ["ate", ["ate"]],
    ["atsa", ["ate", "atsa"]],
  ])("without %s nothing further is asked and the outcome is undecided", async (role, asked) => {
    const played = await playScript({}, agreeingScript({ [role]: [3, 4] }));
    expect(played.result).toMatchObject({ outcome: "undecided", reasons: [`${role} gave no usable reply`] });
    expect(played.asked).toEqual(asked);
    expect(tuples(played)).toEqual([]);
  });

  it.each(["validator", "judge"])("without the %s the outcome is undecided", async (role) => {
    const played = await playScript({}, agreeingScript({ [role]: [3, 4] }));
    expect(played.result).toMatchObject({ outcome: "undecided", reasons: [`${role} gave no usable reply`] });
  });

  it("without a judge the debate changes nothing", async () => {
    expect(tuples(await playScript({}, agreeingScript({ judge: [3, 4] })))).toEqual(["food positive"]);
  });
});

describe("memory", () => {
  const episode: Episode = {
    id: "epi_1",
    language: "en",
    structure: "contrast",
    aspect_group: "service",
    principle: "look at the clause after the turn",
    advice: "positive",
    outcome: "helped",
  };
  const risky = { structural_risks: [risk("EVIDENCE_GAP", 0, 8)], consistency_score: 0.5, correction_proposals: [] };
  const ungrounded = {
    agent: null,
    proposed_edits: [edit("set_polarity", "service", "negative", { evidence: "awful" })],
  };
  const deadlocked = () => agreeingScript({ validator: [risky], epm: [ungrounded, ungrounded] });
  const memory = (condition: string) => ({ condition, episodes: [episode] });

  it("C1 retrieves and shows nothing", async () => {
    const { decision } = await playScript({ memory: memory("C1") }, deadlocked());
    expect(decision.debate?.memory).toMatchObject({ retrieved_ids: [], injected: [], observations: [] });
    expect(decision.memory_episode).toBeNull();
  });

  it("C2 shows it once, before the turn at which two of four observations hold, after HISTORY and before PERSONA", async () => {
    const seen: Record<string, string[]> = {};
    const watched = Object.fromEntries(
      ["tan", "cj"].map((role) => [
        role,
        [
          (turn: { prompt: { own: { label: string }[] } }) => {
            seen[role] = turn.prompt.own.map((block) => block.label);
            return { value: { agent: null, proposed_edits: [edit("confirm_tuple", "service", "negative")] } };
          },
        ],
      ]),
    );
    const { decision } = await playScript({ memory: memory("C2") }, { ...(deadlocked() as object), ...watched });
    expect(seen).toEqual({ tan: ["MEMORY", "PERSONA"], cj: ["PERSONA"] });
    expect(decision.debate?.memory).toMatchObject({ retrieved_ids: ["epi_1"], injected_before: ["1/tan"] });
    expect(decision.debate?.memory.observations).toEqual([
      { before: "1/epm", observed: ["risk_open"] },
      { before: "1/tan", observed: ["risk_open", "evidence_not_in_text"] },
      { before: "1/cj", observed: ["risk_open", "evidence_not_in_text"] },
    ]);
  });

  it("allow_multiple_injections shows it before every deadlocked turn", async () => {
    const config = { memory: memory("C2"), debate: { injection: { allow_multiple_injections: true } } };
    const { decision } = await playScript(config, deadlocked());
    expect(decision.debate?.memory.injected_before).toEqual(["1/tan", "1/cj"]);
  });

  it("C2_silent retrieves and stores, and never shows", async () => {
    const { decision } = await playScript({ memory: memory("C2_silent") }, deadlocked());
    expect(decision.debate?.memory).toMatchObject({ retrieved_ids: ["epi_1"], injected: [], injected_before: [] });
    expect(decision.memory_episode).not.toBeNull();
  });

  it("injected advice against the target stops the override", async () => {
    const { decision } = await playScript({ memory: memory("C2") }, deadlocked());
    expect(decision.override_gate).toMatchObject([{ aspect: "service", skip_reason: "contradictory_memory" }]);
  });

  it("what is stored is a principle without words of the text", async () => {
    const { decision } = await playScript({ memory: memory("C2") });
    expect(decision.memory_episode).toMatchObject({
      structure: "contrast",
      aspect_group: "service",
      advice: "negative",
      outcome: "unknown",
    });
    for (const word of text.split(" ").filter((one) => one.length > 4 && one !== "service"))
      expect(decision.memory_episode?.principle).not.toContain(word);
  });
});

it("a budget that runs out returns the decision that stands", async () => {
  const played = await playScript({}, agreeingScript(), { calls: 8 });
  expect(played.result.outcome).toBe("budget_exhausted");
  expect(tuples(played)).toEqual(["food positive", "service negative"]);
});
