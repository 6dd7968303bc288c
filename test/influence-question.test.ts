/** The joints of the question pack: what is said must be able to change what is decided, through the whole pipeline. */
import { describe, expect, it } from "vitest";
import type { Cast } from "../src/engine/player.ts";
import { question } from "../src/packs/question/pack.ts";
import { expertPlayer } from "../src/players/offline-players.ts";
import { scriptedPlayer, type Script } from "./support/scripted-player.ts";
import { holdDebate, measureInfluence, type Staging } from "./support/influence.ts";

/** A speech as a model would give it. */
function say(answer: string | null, more: Record<string, unknown> = {}) {
  return { value: { reasoning: "so", quotes: [], answer, short_answer: null, confidence: 0.6, ...more } };
}

/** Speakers that follow a script; roles without lines are played by their experts. */
function follow(script: Script & object): () => Cast {
  return () => {
    const [scripted, expert] = [scriptedPlayer(script), expertPlayer()];
    const named = Object.keys(script).map((key) => key.split("/").at(-1));
    return (role) => (named.includes(role) ? scripted : expert);
  };
}

const stage = (config: object, script: Record<string, ReturnType<typeof say>[]>, docs: object[] = []): Staging => ({
  pack: question,
  input: { question: "When does the licence end?", docs },
  config,
  cast: follow(script),
});

const split = {
  analyst: [say("It ends on 31 May 2024.", { short_answer: "31 May 2024" })],
  skeptic: [say("On 31 May 2025.", { short_answer: "2025-05-31" })],
  generalist: [say("The licence ends on May 31, 2025.", { short_answer: "May 31, 2025" })],
};

describe("the vote", () => {
  it("opposite answers are no agreement, and the majority's answer is printed", async () => {
    const { result } = await holdDebate(stage({ protocol: "vote" }, split));
    expect(result.decision).toMatchObject({
      answer: "On 31 May 2025.",
      votes: [{ speakers: ["skeptic", "generalist"] }, {}],
    });
  });
  it("a speaker that changes sides turns the majority; one that repeats its side does not", async () => {
    const staging = stage({ protocol: "vote" }, split);
    const turned = { turn: "1/opening/skeptic", say: say("31 May 2024").value };
    expect(await measureInfluence(staging, turned)).toMatchObject({ changed: true });
    const kept = { turn: "1/opening/generalist", say: say("31-05-2025").value };
    expect((await measureInfluence(staging, kept)).changed).toBe(false);
  });
  it("without one of two who agree, the tie goes to the surer one", async () => {
    const staging = stage({ protocol: "vote" }, { ...split, analyst: [say("31 May 2024", { confidence: 0.9 })] });
    expect(await measureInfluence(staging, { turn: "1/opening/skeptic", leaveOut: true })).toMatchObject({
      changed: true,
    });
  });
});

describe("the same_answer role", () => {
  const worded = {
    analyst: [say("the rotor seized")],
    skeptic: [say("a bearing gave way under the rotor")],
    generalist: [say("the rotor of the turbine jammed")],
  };
  const staging: Staging = {
    pack: question,
    input: { question: "What happened?" },
    config: { protocol: "vote" },
    cast: follow({ ...worded, same_answer: [{ value: { reasoning: "jammed and seized", groups: [[1, 3], [2]] } }] }),
  };
  it("is asked once where rules cannot tell, and what it says decides the vote", async () => {
    const { result, turns } = await holdDebate(staging);
    expect(turns.filter(({ key }) => key.role === "same_answer")).toHaveLength(1);
    expect(result.decision).toMatchObject({
      votes: [{ speakers: ["analyst", "generalist"] }, { speakers: ["skeptic"] }],
    });
    const grouping = { reasoning: "other causes", groups: [[1], [2, 3]] };
    expect(await measureInfluence(staging, { turn: "1/same_answer/same_answer", say: grouping })).toMatchObject({
      changed: true,
      headline: [{ before: "the rotor seized", after: "a bearing gave way under the rotor" }],
    });
  });
  it("cannot bring together what rules know to differ", async () => {
    const { turns } = await holdDebate({
      ...staging,
      input: { question: "When?" },
      cast: follow({
        analyst: [say("in the spring of 2024")],
        skeptic: [say("in the autumn of 2025")],
        generalist: [say("some time ago")],
        same_answer: Array.from({ length: 2 }, () => ({ value: { reasoning: "all", groups: [[1, 2, 3]] } })),
      }),
    });
    const asked = turns.find(({ key }) => key.role === "same_answer");
    expect(asked).toMatchObject({ status: "salvaged", problems: [{ code: "known_different" }] });
  });
  it("is not asked where rules can tell", async () => {
    const { turns } = await holdDebate(stage({ protocol: "vote" }, split));
    expect(turns.some(({ key }) => key.role === "same_answer")).toBe(false);
  });
});

/** What three speakers open with, and what they say after that. */
function inTurn(openings: string[], revision: string): Record<string, ReturnType<typeof say>[]> {
  const speakers = ["analyst", "skeptic", "generalist"];
  return Object.fromEntries(
    speakers.flatMap((speaker, index) => [
      [`1/opening/${speaker}`, [say(openings[index] ?? "")]],
      [`2/revision/${speaker}`, [say(revision, { reasoning: "The register, the deed and both witnesses name it." })]],
    ]),
  );
}

describe("a dissenting speaker", () => {
  it("reopens a round table that would have stopped", async () => {
    const staging = stage({}, inTurn(["7 days", "one week", "7 days"], "14 days"));
    const { before, after } = await measureInfluence(staging, { turn: "1/opening/skeptic", say: say("14 days").value });
    expect(before.result.decision).toMatchObject({ rounds: [{ round: 1 }], answer: "7 days" });
    expect(after.result.decision).toMatchObject({ rounds: [{ round: 1 }, { round: 2 }], answer: "14 days" });
  });
  it("starts the debate that agreement otherwise spares", async () => {
    const staging = stage({ max_rounds: 2 }, inTurn(["Yes", "Yes, it does", "Yes"], "No"));
    const { before, after, changed } = await measureInfluence(staging, {
      turn: "1/opening/skeptic",
      say: say("It does not").value,
    });
    expect([before.turns.length, after.turns.length, changed]).toEqual([3, 6, true]);
  });
});

const docs = [
  { id: "policy-2024.txt", text: "Date: 12 January 2024\n\nThe licence ends on 31 May 2024." },
  { id: "notice-2025.txt", text: "Date: 3 March 2025\n\nThe licence ends on 31 May 2025." },
];
const later = { source: "notice-2025.txt", quote: "The licence ends on 31 May 2025." };

describe("answers from the documents only", () => {
  const unquoted = {
    analyst: [say("31 May 2030"), say("31 May 2030")],
    skeptic: [say("31 May 2030"), say("31 May 2030")],
    generalist: [say("31 May 2025", { quotes: [later] })],
  };

  it("an answer that quotes nothing is not counted, and that is said", async () => {
    const { result } = await holdDebate(stage({ protocol: "vote" }, unquoted, docs));
    expect(result.outcome).toBe("undecided");
    expect(result.decision).toMatchObject({ votes: [{ answer: "31 May 2025", speakers: ["generalist"] }] });
    expect(result.reasons.join(" ")).toContain("Not counted, since no quote of it stands: “31 May 2030”");
  });

  it("where knowledge is allowed as well, it is", async () => {
    const { result } = await holdDebate(stage({ protocol: "vote", only_documents: false }, unquoted, docs));
    expect(result.decision).toMatchObject({ answer: "31 May 2030" });
  });
});

describe("asking in order", () => {
  it("stops as soon as more samples would hardly change it, and a dissent makes it go on", async () => {
    const samples = Array.from({ length: 4 }, () => say("7 days"));
    const lines = { analyst: samples, skeptic: samples, generalist: samples };
    const staging = stage({ protocol: "in_order", stop_at: "posterior", samples: 12 }, lines);
    const { turns, result } = await holdDebate(staging);
    expect(turns).toHaveLength(4);
    expect(result.decision).toMatchObject({ stop_reason: "certainty" });
    const { after } = await measureInfluence(staging, { turn: "1/opening/skeptic", say: say("9 days").value });
    expect(after.turns.length).toBeGreaterThan(4);
  });
});
