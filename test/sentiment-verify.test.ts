/** `parley verify` on sentiment runs: a true one passes, and each integrity check fails on a run that was doctored for it. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { sentiment } from "../src/packs/sentiment/pack.ts";
import type { FinalOutput } from "../src/packs/sentiment/index.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { startRun } from "../src/runs/start.ts";
import { sqliteStore } from "../src/store/sqlite.ts";
import { newFolder, runCli } from "./support/cli.ts";

const text = "The waiter brought a lovely soup to the table.";

/** Runs the pack and changes its decision before it is written down, as a faulty rule would. */
async function verifyDoctored(doctor: (output: FinalOutput) => void) {
  const cwd = newFolder();
  const store = sqliteStore(join(cwd, ".parley", "parley.db"));
  const pack = {
    ...sentiment,
    protocol: async (...given: Parameters<typeof sentiment.protocol>) => {
      const verdict = await sentiment.protocol(...given);
      const decision = structuredClone(verdict.decision) as FinalOutput;
      doctor(decision);
      return { ...verdict, decision };
    },
  };
  const { runId } = await startRun(
    { store, castOf: castOfStrings(store) },
    { pack, input: { id: "x", text }, config: { learnt: { en: "off" } }, cast: "expert" },
  );
  await store.close();
  return runCli(["verify", runId], { cwd });
}

it("a true run passes", async () => {
  const { code, out } = await verifyDoctored(() => {});
  expect(code).toBe(0);
  for (const check of ["PJ1", "PJ2", "PJ3", "PJ4", "S2", "S3"]) expect(out).toMatch(new RegExp(`ok +${check} `));
});

const adopted = { adopt_decision: "adopted", adopt_reason: "debate_action" } as const;
const record = (output: FinalOutput) => output.override_gate.at(-1) as FinalOutput["override_gate"][number];

it.each<[string, (output: FinalOutput) => void]>([
  [
    "PJ1",
    (output) =>
      void (output.stage1_aspects[0] = {
        ...(output.stage1_aspects[0] as FinalOutput["stage1_aspects"][number]),
        term: "chair",
      }),
  ],
  [
    "PJ2",
    (output) => {
      Object.assign(record(output), { decision: "APPLY", skip_reason: null, evidence: "a lovely chair" });
      output.correction_applied_log.push({
        proposal_type: "DEBATE_OVERRIDE",
        target_aspect: "lamp",
        asked_by: "EPM",
        rationale: "",
        applied: true,
        reason: "",
        resulting_polarity: "positive",
        resulting_term: null,
      });
    },
  ],
  ["PJ3", (output) => Object.assign(output.meta, { ...adopted, ev_score: 0.1 })],
  ["PJ4", (output) => Object.assign(record(output), { decision: "APPLY", skip_reason: null, evidence: "lovely soup" })],
  ["S2", (output) => void output.final_result.final_aspects.pop()],
  [
    "S3",
    (output) => {
      Object.assign(output.meta, adopted);
      output.final_result.final_aspects.pop();
      output.final_result.final_tuples.pop();
    },
  ],
  [
    "not_adopted",
    (output) => {
      output.final_result.final_aspects.pop();
      output.final_result.final_tuples.pop();
    },
  ],
  ["schema", (output) => Object.assign(output.final_result, { label: "splendid" })],
])("%s fails on a run doctored for it, with exit code 1", async (check, doctor) => {
  const { code, out } = await verifyDoctored(doctor);
  expect(code).toBe(1);
  /** A long name is wrapped. */
  expect(out).toMatch(new RegExp(`WRONG +${check.split("_")[0]} `));
});
