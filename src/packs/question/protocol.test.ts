import { describe, expect, it } from "vitest";
import { payingPlayer } from "../../../test/support/paying-player.ts";
import { runDebate as playDebate } from "../../engine/run-debate.ts";
import { runDebate } from "../../index.ts";
import { question } from "./pack.ts";

const docs = [
  { id: "a.txt", text: "The mill was built in 1874 by Ida Holm. It burned down in 1901. The river turned its wheel." },
  { id: "b.txt", text: "Ida Holm sold the mill because the railway took away its trade." },
];

describe("the protocols", () => {
  const ask = (config: object) =>
    runDebate(question, { question: "Why did Ida Holm sell the mill?", docs }, { config });
  it("single asks one speaker", async () => expect((await ask({ protocol: "single" })).turns).toHaveLength(1));
  it("vote asks each speaker once, without others' answers", async () => {
    const { turns, result } = await ask({ protocol: "vote" });
    expect(turns.map((turn) => turn.key.step)).toEqual(["opening", "opening", "opening"]);
    expect(result.decision?.decided_by).toBe("vote");
  });
  it("self_consistency samples one speaker", async () => {
    const { turns } = await ask({ protocol: "self_consistency", samples: 4 });
    expect(turns.map((turn) => turn.key.step)).toEqual(["sample-1", "sample-2", "sample-3", "sample-4"]);
  });
  it("courtroom opens, rebuts and is judged", async () => {
    const { turns, result } = await ask({ protocol: "courtroom" });
    expect(turns.map((turn) => `${turn.key.step}/${turn.key.role}`)).toEqual([
      "opening/for",
      "opening/against",
      "rebuttal/for",
      "rebuttal/against",
      "judge/judge",
    ]);
    expect(result.decision?.decided_by).toBe("judge");
  });
  it("a round table stops when all agree", async () => {
    const { result } = await ask({});
    expect(result.decision).toMatchObject({ stop_reason: "agreement", decided_by: "agreement" });
    expect(result.decision?.rounds).toHaveLength(1);
  });
});

it("a budget that runs out among the openings gives the answers that were there", async () => {
  const { result } = await playDebate({
    pack: question,
    input: question.input.parse({ question: "Why did Ida Holm sell the mill?", docs }),
    config: question.config.parse({}),
    cast: () => payingPlayer(),
    budget: { calls: 1 },
  });
  expect(result).toMatchObject({ outcome: "budget_exhausted", decision: { answer: docs[1]?.text } });
});
