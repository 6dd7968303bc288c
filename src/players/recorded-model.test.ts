import { expect, it } from "vitest";
import { runDebate } from "../engine/run-debate.ts";
import { question } from "../packs/question/index.ts";
import { buildCast, parseCast } from "./cast.ts";
import { listRecordedSets, recordedModel } from "./offline-players.ts";

const asked = {
  question:
    "Typical advertising regulatory bodies suggest, for example that adverts must not: encourage _________, cause unnecessary ________ or _____, and must not cause _______ offence.",
};

async function ask(input: unknown, cast: string, config: unknown = { protocol: "single" }) {
  const parsed = question.config.parse(config);
  const roles = question.roles(parsed);
  const plan = parseCast(
    cast,
    roles.map(({ name }) => name),
  );
  return runDebate({
    pack: question,
    input: question.input.parse(input),
    config: parsed,
    cast: buildCast(plan),
    seed: 0,
  });
}

it("sets come with Parley", () => expect(listRecordedSets()).toEqual(["click", "gsm8k", "llmbar", "mmlu-pro"]));

it("plays what the model answered, by the choice's words and not by its letter, with its own words", async () => {
  const choices = ["Unsafe practices, Distress, Fear, Serious", "Safe practices, Distress, Jealousy, Serious"];
  const { result } = await ask({ ...asked, choices }, "recorded(mmlu-pro:gemini-1.5-pro-002)");
  expect(result.decision).toMatchObject({ canonical: "A" });
});

it("plays numbers with the whole reply", async () => {
  const input = {
    question:
      "Janet’s ducks lay 16 eggs per day. She eats three for breakfast every morning and bakes muffins for her friends every day with four. She sells the remainder at the farmers' market daily for $2 per fresh duck egg. How much in dollars does she make every day at the farmers' market?",
    answer_type: "number",
  };
  const { result, turns } = await ask(input, "recorded(gsm8k:claude-3-haiku-20240307)");
  expect(result.decision).toMatchObject({ canonical: "18" });
  expect(JSON.stringify(turns)).toContain("7 eggs per day");
});

it("a question that is not recorded is a clear error", async () => {
  const run = ask({ question: "Who won?" }, "recorded(mmlu-pro:gemini-1.5-pro-002)");
  await expect(run).rejects.toThrow(/mmlu-pro has no answer of .* to this question/);
});

it("answers nobody: a debate that goes on after the openings cannot be played from recordings", async () => {
  const persona = { name: "x", role: "a model", goal: "answer" };
  const choices = ["Unsafe practices, Distress, Fear, Serious", "Safe practices, Distress, Fear, Trivial"];
  const run = ask(
    { ...asked, choices },
    "one=recorded(mmlu-pro:gemini-1.5-pro-002),two=recorded(mmlu-pro:Llama-2-7b-hf)",
    { protocol: "round-table", max_rounds: 2, personas: { one: persona, two: persona } },
  );
  await expect(run).rejects.toThrow(/can play only openings/);
});

it.each([
  ["nope", "gemini-1.5-pro-002", /no set of recorded answers "nope"/],
  ["mmlu-pro", "gemini-1.5-pro", /no model "gemini-1.5-pro" was recorded in mmlu-pro; did you mean/],
  ["click", "gpt-4o-240513", /no questions/],
])("recorded(%s:%s) says what is wrong", (set, model, message) =>
  expect(() => recordedModel(set, model)).toThrow(message),
);

it("learnt weights decide in a debate, and give the confidence", async () => {
  const persona = { name: "x", role: "a model", goal: "answer" };
  const choices = ["Unsafe practices, Distress, Fear, Serious", "Safe practices, Distress, Fear, Trivial"];
  const { result } = await ask(
    { ...asked, choices },
    "one=recorded(mmlu-pro:gemini-1.5-pro-002),two=recorded(mmlu-pro:Llama-2-7b-hf),three=recorded(mmlu-pro:Llama-2-7b-hf)",
    {
      protocol: "vote",
      personas: { one: persona, two: persona, three: persona },
      jury: { weights: { one: 2, two: 0.2, three: 0.2 }, none: null },
    },
  );
  expect(result.decision).toMatchObject({ canonical: "A", decided_by: "jury" });
  expect((result.decision as { confidence: number }).confidence).toBeCloseTo(1 / (1 + Math.exp(-1.6)), 2);
});
