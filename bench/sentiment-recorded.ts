/**
 * Applies the pack's rules to debates of a real model that were recorded elsewhere, and scores each step on their gold:
 * `npm run bench:sentiment:recorded [-- FILE.jsonl[.gz]] [--wrong]`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import {
  AspectReviewSchema,
  AspectSchema,
  computeF1,
  CorrectionProposalSchema,
  EditSchema,
  EditTargetSchema,
  type Matched,
  matchTuples,
  PatchJudgeReplySchema,
  PatchSchema,
  SentimentGoldSchema,
  SentimentReplySchema,
  SentimentReviewSchema,
  StructuralRiskSchema,
  toTermForm,
} from "../src/packs/sentiment/index.ts";
import { bootstrapStatistics } from "../src/studies/index.ts";
import { isRecord } from "../src/text/json.ts";
import { createRandom } from "../src/text/random.ts";
import { decideReplies, type Replies } from "../test/support/sentiment/ground-case.ts";

type Recorded = { id: string; language_code: string; text: string; gold: unknown; trace: Entry[] };
type Entry = { stage: string; agent: string; output: Record<string, unknown> };
type Output = ReturnType<typeof decideReplies>;
type Step = { name: string; config: object; tuples(output: Output): Output["final_result"]["final_tuples"] };
type Scored = { id: string; exact: Matched; implicit: Matched };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { wrong: { type: "boolean" } } });
const data = process.env.PARLEY_DATA ?? join(import.meta.dirname, "../../shared/data");
const path = positionals[0] ?? join(data, "absa_recorded/recorded_debates_ko.jsonl.gz");
const final: Step["tuples"] = (output) => output.final_result.final_tuples;
const steps: Step[] = [
  { name: "stage 1", config: {}, tuples: (output) => output.final_result.stage1_tuples },
  { name: "stage 2, no debate", config: { enable_debate: false }, tuples: final },
  { name: "debate, no gate", config: { enable_debate_override: false }, tuples: final },
  { name: "judge's own tuples", config: {}, tuples: listJudged },
  { name: "settled tuples", config: {}, tuples: listSettled },
  { name: "decide", config: {}, tuples: final },
  {
    name: "decide, eager",
    config: { debate_override: { min_total: 0.6, min_margin: 0.3, ev_threshold: 0.3 } },
    tuples: final,
  },
];

if (!existsSync(path)) {
  console.log(`SKIPPED: no recorded debates at ${path} (set PARLEY_DATA or name a JSONL file)`);
  process.exit(0);
}
const records = readRecords(path);
console.log(
  `${records.length} debates of ${new Set(records.map((one) => one.id)).size} texts; F1 of (aspect, polarity)`,
);
console.log("exact: an implicit aspect is matched by an implicit one only; implicit: by any tuple of its polarity");
console.log(`${"".padEnd(20)} exact  95% over texts  implicit  95% over texts  fixed/broken against stage 1`);
const before = scoreStep(steps[0] as Step);
for (const step of steps) printStep(step, scoreStep(step));

function readRecords(file: string): Recorded[] {
  const bytes = readFileSync(file);
  const lines = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Recorded);
}

/** The items of a list that fit a schema, completed with what older recordings leave out. */
function readItems<T>(schema: z.ZodType<T>, list: unknown, defaults: object = {}): T[] {
  return (Array.isArray(list) ? list : []).flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const given = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
    const aimed = "aspect_term" in given || "aspect_ref" in given ? { aspect_ref: nameOf(given) } : {};
    const target = isRecord(given.target) ? { target: { ...given.target, aspect_ref: nameOf(given.target) } } : {};
    const parsed = schema.safeParse({ ...defaults, ...given, ...aimed, ...target });
    return parsed.success ? [parsed.data] : [];
  });
}

function nameOf({ aspect_ref, aspect_term }: Record<string, unknown>): string {
  const name = aspect_ref ?? aspect_term ?? "";
  return typeof name === "string" ? name : isRecord(name) && typeof name.term === "string" ? name.term : "";
}

/** A trace as replies of the roles. A neutral that was only filled in is none; a reply under two names is one voice. */
function readReplies({ text, language_code, trace }: Recorded): Replies {
  const said = (stage: string, agent: string) =>
    trace.find((entry) => entry.stage === stage && entry.agent === agent)?.output ?? {};
  const scope = { start: 0, end: text.length };
  const [checked, judged] = [said("stage1", "Validator"), said("debate_judge", "DebateJudge")];
  const sentiments = said("stage1", "ATSA").aspect_sentiments;
  const stated = (Array.isArray(sentiments) ? sentiments : []).filter((one: Record<string, unknown>) => {
    const isWhole = one.confidence === 0.5 && one.evidence === text.trim();
    return one.polarity !== "neutral" || !(one.is_backfilled === true || isWhole);
  });
  const turns = trace.filter(({ stage }) => stage === "debate").map(({ output }) => output);
  const speakers = turns.map((turn, at) => {
    const isCopy =
      turn.agent !== turn.speaker &&
      JSON.stringify(turns[at - 1]?.proposed_edits) === JSON.stringify(turn.proposed_edits);
    return [String(turn.speaker).toLowerCase(), isCopy ? [] : readItems(EditSchema, turn.proposed_edits)] as const;
  });
  const evidence = Object.entries(isRecord(judged.aspect_evidence) ? judged.aspect_evidence : {});
  const judge = PatchJudgeReplySchema.safeParse({
    ...judged,
    aspect_evidence: evidence.map(([aspect, span]) => ({ aspect, span })),
    final_patch: readItems(PatchSchema, judged.final_patch),
    final_tuples: readItems(EditTargetSchema, judged.final_tuples),
  });
  return {
    text,
    language_code: language_code === "en" ? "en" : "ko",
    ate: { aspects: readItems(AspectSchema, said("stage1", "ATE").aspects) },
    atsa: { aspect_sentiments: readItems(SentimentReplySchema, stated, { evidence: "", is_implicit: false }) },
    validator: {
      structural_risks: readItems(StructuralRiskSchema, checked.structural_risks, { scope, description: "" }),
      correction_proposals: readItems(CorrectionProposalSchema, checked.correction_proposals, { rationale: "" }),
      consistency_score: z.number().catch(0).parse(checked.consistency_score),
    },
    debate: { speakers: Object.fromEntries(speakers), judge: judge.data ?? null },
    stage2: {
      aspect_review: readItems(AspectReviewSchema, said("stage2", "ATE").aspect_review, { reason: "" }),
      sentiment_review: readItems(SentimentReviewSchema, said("stage2", "ATSA").sentiment_review, { reason: "" }),
      validator: null,
    },
  };
}

function scoreStep(step: Step): Scored[] {
  return records.map((record) => {
    const said = step.tuples(decideReplies(readReplies(record), step.config));
    const gold = SentimentGoldSchema.parse(record.gold).tuples;
    if (values.wrong && step.name === "decide")
      console.log(JSON.stringify({ text: record.text, gold, said: said.map((one) => [one.aspect_ref, one.polarity]) }));
    return { id: record.id, exact: matchExactly(said, gold), implicit: matchTuples(said, gold) };
  });
}

function matchExactly(
  said: readonly { aspect_ref: string; polarity: string }[],
  gold: readonly { term: string; polarity: string }[],
): Matched {
  const left = new Set(said.map((one) => `${toTermForm(one.aspect_ref)} ${one.polarity}`));
  const right = new Set(gold.map((one) => `${toTermForm(one.term)} ${one.polarity}`));
  const tp = [...left].filter((key) => right.has(key)).length;
  return { tp, fp: left.size - tp, fn: right.size - tp };
}

function listJudged({ debate }: Output): Output["final_result"]["final_tuples"] {
  return debate?.style === "patch" ? debate.summary.final_tuples : [];
}

function listSettled({ debate }: Output): Output["final_result"]["final_tuples"] {
  return debate?.style === "patch" ? debate.summary.settled_tuples : [];
}

function printStep({ name }: Step, scored: Scored[]): void {
  const cells = Object.values(bootstrapTexts(scored)).map(
    ({ estimate, low, high }) => `${show(estimate)}  [${show(low)}, ${show(high)}]  `,
  );
  const f1 = (one: Scored | undefined) => (one ? computeF1(one.implicit) : 0);
  const fixed = scored.filter((one, at) => f1(one) > f1(before[at])).length;
  const broken = scored.filter((one, at) => f1(one) < f1(before[at])).length;
  console.log(`${name.padEnd(20)} ${cells.join("    ")}  ${fixed}/${broken}`);
}

function sumF1(scored: readonly Scored[], kind: "exact" | "implicit"): number {
  const sum = (key: keyof Matched) => scored.reduce((total, one) => total + one[kind][key], 0);
  return computeF1({ tp: sum("tp"), fp: sum("fp"), fn: sum("fn") });
}

/** The runs of one text are drawn together: they are not independent. */
function bootstrapTexts(scored: readonly Scored[]) {
  const groups = [...Map.groupBy(scored, (one) => one.id).values()];
  return bootstrapStatistics(
    groups.length,
    (indices) => {
      const drawn = [...indices].flatMap((index) => groups[index] ?? []);
      return { exact: sumF1(drawn, "exact"), implicit: sumF1(drawn, "implicit") };
    },
    { random: createRandom(42), resamples: 2000 },
  );
}

function show(value: number): string {
  return value.toFixed(3);
}
