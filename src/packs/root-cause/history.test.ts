import { expect, it } from "vitest";
import { holdDebate, listInfluences, measureInfluence } from "../../../test/support/influence.ts";
import { type Incident, learnIncident } from "../../knowledge/incidents/index.ts";
import { parseLines } from "../../knowledge/logs/index.ts";
import type { RootCauseDecision } from "./decision.ts";
import { rootCause } from "./pack.ts";

const at = (second: number) =>
  `2026-03-04 09:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}`;

/** Orders are stored until reservations fail; the numbers differ from log to log. */
function writeStockLog(offset: number): string[] {
  const quiet = Array.from(
    { length: 120 },
    (_, second) => `${at(second)} INFO [orders] order ${offset + second} stored`,
  );
  const trouble = Array.from({ length: 30 }, (_, index) => [
    `${at(130 + 2 * index)} ERROR [orders] reservation ${offset * 3 + index} was not confirmed by the stock ledger`,
    `${at(131 + 2 * index)} WARN [stock] ledger row ${offset + index} is held by the nightly count`,
  ]).flat();
  return [...quiet, ...trouble];
}

const unlike = [
  ...Array.from({ length: 120 }, (_, second) => `${at(second)} INFO [mail] letter ${second} sent`),
  ...Array.from({ length: 30 }, (_, index) => `${at(130 + index)} ERROR [mail] no route to host smtp-2.example.com`),
];

const cause = "The nightly count locks the stock ledger during business hours";

async function learn(): Promise<Incident> {
  const log = await parseLines(writeStockLog(4000), { name: "shop.log" });
  return learnIncident(log, { id: "count-locks-ledger", title: cause, cause, category: "config" });
}

async function decide(lines: string[], incidents: Incident[]) {
  const log = await parseLines(lines, { name: "shop.log" });
  const { result } = await holdDebate({ pack: rootCause, input: { ...log, incidents } });
  return (result.decision as RootCauseDecision).final_hypothesis;
}

it("a learned cause changes the answer on a like log", async () => {
  const before = await decide(writeStockLog(7000), []);
  const after = await decide(writeStockLog(7000), [await learn()]);
  expect(before?.hypothesis).not.toContain(cause);
  expect(after).toMatchObject({ hypothesis: cause, category: "config" });
  expect(after?.evidence.some(({ kind, ref }) => kind === "kg" && ref === "count-locks-ledger")).toBe(true);
});

it("a learned cause does not change the answer on an unlike log", async () => {
  const before = await decide(unlike, []);
  const after = await decide(unlike, [await learn()]);
  expect(after?.hypothesis).toBe(before?.hypothesis);
});

it("two learned causes that look alike settle nothing", async () => {
  const one = await learn();
  const other = {
    ...one,
    id: "disk-of-ledger",
    cause: "A failing disk slows the ledger down",
    category: "hardware" as const,
  };
  const after = await decide(writeStockLog(7000), [one, other]);
  expect([one.cause, other.cause]).not.toContain(after?.hypothesis);
});

it("what the judge says decides, and a reasoner whose cause nobody else names is needed for it", async () => {
  const log = await parseLines(writeStockLog(7000), { name: "shop.log" });
  const staging = { pack: rootCause, input: { ...log, incidents: [await learn()] }, config: { max_rounds: 1 } };
  const influences = await listInfluences(staging);
  expect(influences.find(({ turn }) => turn.includes("judge"))?.changed).toBe(true);
  const held = await holdDebate(staging);
  const source = (held.result.decision as RootCauseDecision).final_hypothesis?.source ?? "";
  expect(["kg_focused", "hybrid"]).toContain(source);
});

it("a judge that prefers another hypothesis gets its way", async () => {
  const log = await parseLines(unlike, { name: "mail.log" });
  const staging = { pack: rootCause, input: { ...log, incidents: [] }, config: { max_rounds: 1 } };
  const held = await holdDebate(staging);
  const turn = held.turns.find(({ key }) => key.role === "judge");
  const said = turn?.reply as { scores: { label: string }[]; same_cause: string[][] };
  const points = {
    evidence_quality: 1,
    reasoning_strength: 1,
    confidence_calibration: 1,
    completeness: 1,
    consistency: 1,
  };
  const worst = said.scores.at(-1)?.label;
  const scores = said.scores.map((score) =>
    score.label === worst
      ? {
          ...score,
          evidence_quality: 30,
          reasoning_strength: 25,
          confidence_calibration: 20,
          completeness: 15,
          consistency: 10,
        }
      : { ...score, ...points },
  );
  const id = held.turns.map(({ key }) => `${key.round}/${key.step}/${key.role}`).find((name) => name.endsWith("judge"));
  const { after } = await measureInfluence(staging, { turn: id ?? "", say: { ...said, scores } }, "repeat", held);
  expect((after.result.decision as RootCauseDecision).final_hypothesis?.judge_score).toBe(100);
});

it("the seed's own input object is decided on: events without template ids, and what history says given ready-made", async () => {
  const events = unlike.map((raw, index) => ({
    id: `e${index}`,
    line: index + 1,
    timestamp: 1_772_614_800_000 + 1000 * index,
    level: raw.includes("ERROR") ? "ERROR" : "INFO",
    component: "mail",
    message: raw.slice(32),
    raw,
  }));
  const input = {
    events,
    entities: [],
    error_messages: [{ error_type: "NoRoute", message: "no route to host", line: 121 }],
    timeline: [],
    similar_incidents: [
      { incident_id: "old-1", similarity: 0.2, category: "network", cause: "A switch lost its uplink" },
    ],
    causal_paths: [{ steps: ["switch down", "no route to host"] }],
    entity_context: {},
    patterns: [],
  };
  const { result } = await holdDebate({ pack: rootCause, input });
  const decision = result.decision as RootCauseDecision;
  expect(decision.final_hypothesis).toMatchObject({ category: "network" });
  expect(decision.rounds[0]?.hypotheses.kg_focused?.[0]?.evidence.some(({ ref }) => ref === "old-1")).toBe(true);
});
