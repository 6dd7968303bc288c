import { describe, expect, it } from "vitest";
import { agreeingScript, playScript, text } from "../../../../test/support/sentiment/play.ts";
import { edit, risk } from "../../../../test/support/sentiment/turns.ts";
import type { Episode } from "../schemas/memory.ts";

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
