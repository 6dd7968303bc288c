import { describe, expect, it } from "vitest";
import type { Prompt } from "../../contract/prompt.ts";
import type { TurnContext } from "../../engine/player.ts";
import { buildCast, parseCast } from "../../players/cast.ts";
import { listLabels, playRootCause, scored } from "../../../test/support/root-cause-play.ts";
import { rootCause } from "./pack.ts";

const lines = rootCause.examples.flatMap(({ input }) => (input as { lines: string[] }).lines);
const play = (instead?: (turn: TurnContext) => unknown, config?: Record<string, unknown>) =>
  playRootCause(lines, instead, config);
const textOf = (prompt: Prompt | undefined) => JSON.stringify([prompt?.blocks, prompt?.own]);
const promptOf = (asked: readonly TurnContext[], round: number, role: string) =>
  asked.find(({ key }) => key.round === round && key.role === role)?.prompt;

const sections = [
  "caveats",
  "convergence_achieved",
  "final_hypothesis",
  "improvement_trajectory",
  "quorum",
  "rounds",
  "stop_reason",
  "total_rounds",
  "usage",
];
const finalKeys = [
  "affected_components",
  "category",
  "causal_path",
  "certainty",
  "confidence",
  "evidence",
  "hypothesis",
  "judge_score",
  "reasoning",
  "resolution",
  "rounds_refined",
  "source",
  "would_tell",
];

it("the output object has exactly the keys of the specification (root-cause spec §5)", async () => {
  const { decision } = await play();
  expect(Object.keys(decision ?? {}).sort()).toEqual(sections);
  expect(Object.keys(decision?.final_hypothesis ?? {}).sort()).toEqual(finalKeys);
});

it("finds the cause of the example and cites lines that exist", async () => {
  const finished = await play();
  expect(finished.result.outcome).toBe("decided");
  expect(finished.decision?.final_hypothesis).toMatchObject({
    category: "software",
    hypothesis: expect.stringContaining("stock-service"),
  });
  const checks = rootCause.sections(finished).flatMap((section) => (section.kind === "checks" ? section.findings : []));
  expect(checks.length).toBeGreaterThan(5);
  for (const finding of checks) expect(finding.ok, JSON.stringify(finding)).toBe(true);
});

it("says that there is no fault when routine messages are all there is", async () => {
  const quiet = Array.from(
    { length: 40 },
    (_, n) => `2024-05-14 09:00:${String(n).padStart(2, "0")},000 INFO [main] JobRunner: step ${n} finished in ${n} ms`,
  );
  const { result, decision } = await playRootCause([
    ...quiet,
    "2024-05-14 09:01:01,000 INFO [main] JobRunner: job 12 completed successfully",
  ]);
  expect(result.outcome).toBe("decided");
  expect(decision?.final_hypothesis).toMatchObject({ category: "none", hypothesis: "No fault in these logs" });
});

it("an empty parsed log is no case", () => {
  expect(rootCause.input.safeParse({ events: [] }).success).toBe(false);
});

describe("faults of the earlier implementation stay out (root-cause spec §8)", () => {
  it("refinement prompts carry the incident data again", async () => {
    const { asked } = await play();
    for (const reasoner of ["log_focused", "hybrid"]) {
      expect(textOf(promptOf(asked, 2, reasoner))).toContain("was not returned for 60000 ms, possible leak");
      expect(promptOf(asked, 2, reasoner)?.blocks).toEqual(promptOf(asked, 1, reasoner)?.blocks);
    }
    expect(textOf(promptOf(asked, 2, "kg_focused"))).toContain("SIMILAR INCIDENTS");
  });

  it("feedback reaches its hypothesis by id, one line for each, whatever words the judge uses", async () => {
    const judge = (turn: TurnContext) =>
      turn.key.role === "judge"
        ? {
            scores: listLabels(turn).map(({ label }, index) =>
              scored(label, 60 + index, { feedback: `Quite another wording ${label}` }),
            ),
            same_cause: [],
          }
        : undefined;
    const { decision, asked } = await play(judge);
    const evaluated = decision?.rounds[0]?.judge_evaluation?.evaluated ?? [];
    expect(evaluated.length).toBeGreaterThan(3);
    for (const { id, source, feedback } of evaluated) {
      const block = promptOf(asked, 2, source)?.own.find(({ label }) => label.startsWith("YOUR HYPOTHESES"));
      const line = (block && "json" in block ? (block.json as string[]) : []).find((one) => one.startsWith(`${id} (`));
      expect(line).toContain(feedback);
    }
  });

  it("the judge is shown the evidence itself, equal hypotheses once, and never who wrote them", async () => {
    const { asked, decision } = await play(undefined, { judge: { swap: true } });
    const judged = asked.filter(({ key }) => key.role === "judge");
    expect(judged.map(({ key }) => `${key.round} ${key.step}`)).toEqual(
      expect.arrayContaining(["1 judge", "1 judge_swapped"]),
    );
    for (const turn of judged) {
      const shown = listLabels(turn);
      expect(new Set(shown.map((one) => one.hypothesis)).size).toBe(shown.length);
      expect(textOf(turn.prompt)).not.toMatch(/\b(?:log_focused|kg_focused|(?:log|kg|hybrid)_\d+)\b/);
    }
    const first = textOf(judged[0]?.prompt);
    for (const list of Object.values(decision?.rounds[0]?.hypotheses ?? {}))
      for (const { evidence } of list ?? [])
        for (const { quote, kind } of evidence)
          if (kind === "log") expect(first).toContain(JSON.stringify(quote).slice(1, -1));
  });

  it("scores come from the subscores", async () => {
    const judge = (turn: TurnContext) =>
      turn.key.role === "judge"
        ? { scores: listLabels(turn).map(({ label }, index) => scored(label, 70 - index)), same_cause: [] }
        : undefined;
    const { decision } = await play(judge, { max_rounds: 1 });
    expect(decision?.final_hypothesis?.judge_score).toBe(70);
  });

  it("a hypothesis that the judge never scores is named as unscored, and nothing vanishes", async () => {
    const judge = (turn: TurnContext) =>
      turn.key.role === "judge"
        ? {
            scores: listLabels(turn)
              .slice(1)
              .map(({ label }, index) => scored(label, 70 - index)),
            same_cause: [],
          }
        : undefined;
    const { decision, turns } = await play(judge, { max_rounds: 1 });
    expect(turns.find(({ key }) => key.role === "judge")).toMatchObject({
      status: "salvaged",
      problems: [{ code: "unscored" }],
    });
    expect(decision?.rounds[0]?.judge_evaluation?.unscored.length).toBeGreaterThan(0);
  });

  it("a round without any hypothesis ends undecided and does not crash", async () => {
    const finished = await play((turn) => (turn.key.role === "judge" ? undefined : "no idea"));
    expect(finished.result.outcome).toBe("undecided");
    expect(finished.decision).toMatchObject({
      final_hypothesis: null,
      stop_reason: "quorum",
      total_rounds: 1,
      improvement_trajectory: [],
    });
    expect(rootCause.sections(finished)[0]).toMatchObject({
      kind: "verdict",
      answer: "No hypothesis was put forward (undecided)",
    });
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
    const given = rootCause.input.parse({ lines, incidents: [own] });
    const tell = async (config: Record<string, unknown>) =>
      JSON.stringify(await rootCause.prepare(given, rootCause.config.parse(config), { embed: null }));
    expect(await tell({})).toContain("SECRET LABEL");
    expect(await tell({ knowledge: { exclude_ids: ["case-under-test"] } })).not.toContain("SECRET LABEL");
  });

  it("a cast names the roles by the names under which they are asked", async () => {
    const { asked } = await play();
    const roles = rootCause.roles(rootCause.config.parse({}));
    const names = roles.map(({ name }) => name);
    expect([...new Set(asked.map(({ key }) => key.role))].sort()).toEqual([...names].sort());
    const cast = buildCast(parseCast("expert,log_focused=expert,judge=expert", names), { roles });
    for (const name of names) expect(cast(name).id).toContain("expert");
    expect(() => parseCast("expert,LogReasoner=expert", names)).toThrow(/LogReasoner/);
  });

  it("the whole log is read: an error far behind the first 2,000 characters is found and cited", async () => {
    const quiet = Array.from(
      { length: 5000 },
      (_, n) =>
        `2024-05-14T09:${String(Math.floor(n / 100)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.000Z api INFO Worker: handled request ${n} in ${n % 40} ms`,
    );
    const { decision } = await playRootCause([
      ...quiet,
      "2024-05-14T10:00:00.000Z api ERROR Writer: write failed: No space left on device",
    ]);
    expect(decision?.final_hypothesis).toMatchObject({ category: "resource" });
    expect(decision?.final_hypothesis?.evidence[0]).toMatchObject({
      ref: 5001,
      quote: expect.stringContaining("No space left on device"),
    });
  });
});

describe("a judge's reply is kept as far as it goes", () => {
  const judged = (bend: (reply: { scores: Record<string, unknown>[]; same_cause?: unknown }) => unknown) =>
    play(
      (turn) =>
        turn.key.role === "judge"
          ? JSON.stringify(
              bend({ scores: listLabels(turn).map(({ label }, index) => scored(label, 80 - index)), same_cause: [] }),
            )
          : undefined,
      { max_rounds: 1 },
    );
  const judgeOf = ({ turns }: Awaited<ReturnType<typeof judged>>) => turns.find(({ key }) => key.role === "judge");

  it.each<[string, (reply: { scores: Record<string, unknown>[] }) => unknown]>([
    [
      "labels with a space",
      ({ scores }) => ({ scores: scores.map((one) => ({ ...one, label: `${String(one.label)} ` })), same_cause: [] }),
    ],
    [
      "labels in small letters",
      ({ scores }) => ({
        scores: scores.map((one) => ({ ...one, label: String(one.label).toLowerCase() })),
        same_cause: [],
      }),
    ],
    [
      "points as text",
      ({ scores }) => ({ scores: scores.map((one) => ({ ...one, consistency: "7" })), same_cause: [] }),
    ],
    ["no same_cause", ({ scores }) => ({ scores })],
  ])("%s: every score counts, and nothing is asked again", async (_name, bend) => {
    const [finished, straight] = [await judged(bend), await judged((reply) => reply)];
    expect(finished.result.outcome).toBe(straight.result.outcome);
    expect(judgeOf(finished)).toMatchObject({ status: "answered", attempts: [{}] });
    expect(finished.decision?.rounds[0]?.judge_evaluation?.unscored).toEqual([]);
  });

  it.each<[string, (reply: { scores: Record<string, unknown>[] }) => unknown, string]>([
    ["one hypothesis unscored", ({ scores }) => ({ scores: scores.slice(1), same_cause: [] }), "not scored"],
    [
      "31 of 30 points",
      ({ scores }) => ({
        scores: scores.map((one, at) => (at === 0 ? { ...one, evidence_quality: 31 } : one)),
        same_cause: [],
      }),
      "evidence_quality is 31; give 0 to 30",
    ],
    [
      "a score without its points",
      ({ scores: [first, ...others] }) => ({ scores: [{ label: first?.label }, ...others], same_cause: [] }),
      "feedback",
    ],
  ])("%s: asked for once by name, then that one is unscored and it is said", async (_name, bend, message) => {
    const finished = await judged(bend);
    const [first] = finished.asked.filter(({ key }) => key.role === "judge");
    const asked = finished.asked.filter(({ key }) => key.role === "judge");
    expect(asked).toHaveLength(2);
    const label = first ? (listLabels(first)[0]?.label ?? "") : "";
    const repair = JSON.stringify(asked[1]?.repair?.problems);
    expect(repair).toContain(message);
    expect(finished.result.outcome).not.toBe("failed");
    expect(judgeOf(finished)?.status).toBe("salvaged");
    const unscored = finished.decision?.rounds[0]?.judge_evaluation?.unscored ?? [];
    expect(unscored.length).toBeGreaterThan(0);
    expect(finished.decision?.rounds[0]?.judge_evaluation?.evaluated.map((one) => one.label)).not.toContain(label);
    expect(finished.decision?.caveats.join()).toContain(`the judge did not score ${unscored.join(", ")}`);
  });

  it("what the judge adds when it is asked again counts", async () => {
    const finished = await play(
      (turn) => {
        if (turn.key.role !== "judge") return undefined;
        const scores = listLabels(turn).map(({ label }, index) => scored(label, 80 - index));
        return { scores: turn.repair ? scores : scores.slice(1), same_cause: [] };
      },
      { max_rounds: 1 },
    );
    expect(judgeOf(finished)?.status).toBe("repaired");
    expect(finished.decision?.rounds[0]?.judge_evaluation?.unscored).toEqual([]);
  });
});

it("of quiet lines of one program before the trouble, none is sure to be the cause", async () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 4, 6, 3) + seconds * 1000).toISOString();
  const work = Array.from({ length: 60 }, (_, n) => `${at(n * 10)} ledger INFO answered request ${n} in 12 ms`);
  const errors = Array.from({ length: 12 }, (_, n) => `${at(620 + n * 10)} ledger ERROR start-up checks failed`);
  const quiet = ["cache warmed from the archive", "region table loaded", "second mirror joined the pool"];
  const sure = async (lines: readonly string[]) =>
    (await playRootCause([...work, ...lines.map((line, n) => `${at(601 + n)} mirrors INFO ${line}`), ...errors]))
      .decision?.rounds[0]?.top_hypothesis?.confidence ?? 1;
  expect(await sure(quiet)).toBeLessThan(await sure(quiet.slice(0, 1)));
});
