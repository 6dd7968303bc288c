import { describe, expect, it } from "vitest";
import { runDebate } from "../../index.ts";
import { QuestionConfigSchema } from "./config.ts";
import { question } from "./pack.ts";

const docs = [
  { id: "a.txt", text: "The mill was built in 1874 by Ida Holm. It burned down in 1901. The river turned its wheel." },
  { id: "b.txt", text: "Ida Holm sold the mill because the railway took away its trade." },
];

describe("the config", () => {
  it.each([
    [{ order: ["nobody"] }, /no persona .*nobody/],
    [{ order: ["analyst", "analyst"] }, /speaks twice/],
    [{ protocol: "courtroom", order: ["analyst"] }, /exactly two/],
    [{ protocol: "courtroom", judge: false }, /needs its judge/],
    [{ max_rounds: 0 }, /./],
  ])("%j is an error", (config, message) => {
    expect(QuestionConfigSchema.safeParse(config).error?.message).toMatch(message);
  });
  it("the earlier spelling self-consistency means self_consistency", () => {
    const parse = (protocol: string) => QuestionConfigSchema.parse({ protocol, samples: 3 });
    expect(parse("self-consistency")).toEqual(parse("self_consistency"));
  });
  it("personas of the config speak when no order is given, and merge over the defaults", async () => {
    const personas = {
      miller: { name: "Miller", role: "knows mills", goal: "the truth" },
      analyst: { name: "A", role: "r", goal: "g" },
    };
    const { turns } = await runDebate(
      question,
      { question: "Who built the mill?", docs },
      { config: { personas, protocol: "vote" } },
    );
    expect(turns.map((turn) => turn.key.role)).toEqual(["miller", "analyst"]);
  });
});

describe("nothing a user wrote is silently left out", () => {
  const persona = { name: "P", role: "r", goal: "g" };
  it.each([
    [{ personas: { economist: persona } }, "personas.economist"],
    [{ protocol: "courtroom", personas: { x: persona, y: persona, z: persona } }, "personas.x"],
    [{ protocol: "courtroom", personas: { judge: persona, x: persona } }, "personas.judge"],
  ])("a persona that would not speak is an error: %j", (config, place) => {
    const issues = QuestionConfigSchema.safeParse(config).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join("."))).toContain(place);
  });
  it("the one speaker of `single` is the config's own persona", async () => {
    const { result } = await runDebate(
      question,
      { question: "Who built the mill?", docs },
      { cast: "expert", config: { protocol: "single", personas: { miller: persona } } },
    );
    expect(result.decision?.rounds[0]?.speeches[0]?.speaker).toBe("miller");
  });
});
