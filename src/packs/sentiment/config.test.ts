import { expect, it } from "vitest";
import * as z from "zod";
import { SentimentConfigSchema } from "./config.ts";

const problems = (value: unknown) =>
  SentimentConfigSchema.safeParse(value).error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);

it("an empty config is the default: patch style, one round, profile t0, everything on", () => {
  const config = SentimentConfigSchema.parse({});
  expect(config.debate).toMatchObject({ style: "patch", rounds: 1, order: ["epm", "tan", "cj"], max_rounds: 3 });
  expect(config.debate_override).toEqual({
    profile: "t0",
    min_total: 1.6,
    min_margin: 0.8,
    min_target_conf: 0.7,
    ev_threshold: 0.5,
    l3_conservative: true,
  });
  expect(config).toMatchObject({ enable_debate: true, enable_stage2: true, neutral_policy: "explicit" });
  expect(config.memory.condition).toBe("C1");
});

it.each([
  ["t1", { min_total: 1.0, min_margin: 0.5, min_target_conf: 0.6, ev_threshold: 0.4, l3_conservative: true }],
  ["t2", { min_total: 0.6, min_margin: 0.3, min_target_conf: 0.55, ev_threshold: 0.3, l3_conservative: false }],
])("profile %s has its thresholds, and a single one can be set over it", (profile, expected) => {
  expect(SentimentConfigSchema.parse({ debate_override: { profile } }).debate_override).toEqual({
    profile,
    ...expected,
  });
  expect(SentimentConfigSchema.parse({ debate_override: { profile, min_total: 2 } }).debate_override.min_total).toBe(2);
});

it("an unknown profile is a config error", () => {
  expect(problems({ debate_override: { profile: "t9" } })?.[0]).toContain("debate_override.profile");
});

it("a speaker of order without a persona is a config error, not a silent skip", () => {
  expect(problems({ debate: { order: ["epm", "devil"] } })).toEqual([
    'debate.order.1: speaker "devil" has no persona; known: epm, tan, cj',
  ]);
});

it("a speaker named twice in order is a config error", () => {
  expect(problems({ debate: { order: ["epm", "epm"] } })?.[0]).toContain("named twice");
});

it("a speaker cannot have the name of another role", () => {
  const personas = { judge: { name: "Judge", role: "judge", goal: "judge" } };
  expect(problems({ debate: { personas, order: ["epm", "judge"] } })?.[0]).toContain("the name of another role");
});

it("max_rounds caps rounds: more is a config error", () => {
  expect(problems({ debate: { rounds: 4 } })).toEqual(["debate.rounds: 4 rounds exceed max_rounds (3)"]);
  expect(SentimentConfigSchema.parse({ debate: { rounds: 4, max_rounds: 4 } }).debate.rounds).toBe(4);
});

it("personas merge by key over the defaults; a new speaker needs a full one", () => {
  const { personas } = SentimentConfigSchema.parse({ debate: { personas: { epm: { goal: "be brief" } } } }).debate;
  expect(personas.epm).toEqual({ name: "EPM", role: "Evidence–Polarity Mapper", goal: "be brief" });
  expect(Object.keys(personas)).toEqual(["epm", "tan", "cj"]);
  expect(problems({ debate: { personas: { devil: { name: "Devil" } } } })).toEqual([
    "debate.personas.devil: needs role, goal",
  ]);
});

it("the stance style has its own speakers, order and two rounds", () => {
  const { debate } = SentimentConfigSchema.parse({ debate: { style: "stance" } });
  expect(debate).toMatchObject({ rounds: 2, order: ["analyst", "critic", "empath"] });
  expect(debate.personas.critic).toMatchObject({ name: "비평가 패널", stance: "con" });
});

it("the seeds' nesting under pipeline is accepted", () => {
  const config = SentimentConfigSchema.parse({
    pipeline: { enable_stage2: false, debate: { enabled: false, rounds: 2 }, debate_override: { min_total: 1 } },
  });
  expect(config).toMatchObject({ enable_stage2: false, enable_debate: false });
  expect(config.debate.rounds).toBe(2);
  expect(config.debate_override.min_total).toBe(1);
});

it("a key given at the top and under pipeline is an error", () => {
  expect(problems({ debate: { rounds: 1 }, pipeline: { debate: { rounds: 2 } } })?.[0]).toContain("pipeline");
});

it.each([{ enable_debat: true }, { debate: { round: 1 } }, { memory: { condition: "C9" } }])(
  "a typo is an error: %j",
  (config) => expect(problems(config)).toHaveLength(1),
);

it("has a JSON schema for people and editors", () => {
  const schema = z.toJSONSchema(SentimentConfigSchema, { io: "input" });
  expect(Object.keys(schema.properties ?? {})).toContain("debate_override");
});

it("a resolved config parses to itself", () => {
  const config = SentimentConfigSchema.parse({ debate: { style: "stance", personas: { critic: { goal: "x" } } } });
  expect(SentimentConfigSchema.parse(config)).toEqual(config);
});
