import type { Finding } from "../../../engine/pack.ts";
import { buildArtifacts } from "./artifacts.ts";
import { findIdentityProblems } from "./identity-problems.ts";
import { mapRefusal } from "../rules/adopt/adopt.ts";
import { isBelow } from "../rules/tuples/is-below.ts";
import { type FinalOutput, FinalOutputSchema } from "../schemas/final-output.ts";

type Check = { name: string; about: string; problems(output: FinalOutput): string[] };

/** The integrity checks of one output (sentiment spec §9). */
const checks: Check[] = [
  {
    name: "PJ1",
    about: "every aspect is in the text",
    problems: ({ meta, stage1_aspects, final_result }) => {
      const terms = [
        ...stage1_aspects.map((one) => one.term),
        ...final_result.final_tuples.map((one) => one.aspect_ref),
      ];
      return unique(terms.filter((term) => term !== "" && !meta.text.includes(term))).map(
        (term) => `"${term}" is not in the text`,
      );
    },
  },
  {
    name: "PJ2",
    about: "every override has evidence in the text",
    problems: ({ meta, override_gate }) =>
      override_gate
        .filter(
          (one) =>
            one.decision === "APPLY" && !(one.evidence && one.evidence.length >= 2 && meta.text.includes(one.evidence)),
        )
        .map((one) => `the override of "${one.aspect}" rests on "${one.evidence ?? ""}"`),
  },
  {
    name: "PJ3",
    about: "adopted implies an EV score at the threshold",
    problems: ({ meta }) =>
      meta.adopt_decision === "adopted" && isBelow(meta.ev_score, meta.ev_threshold)
        ? [`adopted with EV ${meta.ev_score}, below ${meta.ev_threshold}`]
        : [],
  },
  {
    name: "PJ4",
    about: "at most one override",
    problems: ({ override_gate, correction_applied_log }) => {
      const gate = override_gate.filter((one) => one.decision === "APPLY").length;
      const logged = correction_applied_log.filter(
        (one) => one.applied && one.proposal_type === "DEBATE_OVERRIDE",
      ).length;
      if (gate !== logged) return [`the gate applied ${gate} overrides, the log says ${logged}`];
      return gate > 1 ? [`${gate} overrides were applied`] : [];
    },
  },
  {
    name: "S2",
    about: "the final tuples are those of the final aspects",
    problems: ({ final_result }) => findDifferences(final_result.final_aspects, final_result.final_tuples),
  },
  {
    name: "S3",
    about: "settled tuples that are not final were refused for a known reason",
    problems: findSettledProblems,
  },
  {
    name: "S4",
    about: "an aspect stays one aspect when its span is revised",
    problems: findIdentityProblems,
  },
  {
    name: "not_adopted",
    about: "a result that was not adopted is exactly Stage 1",
    problems: ({ meta, final_result }) =>
      meta.adopt_decision === "not_adopted"
        ? findDifferences(final_result.stage1_tuples, final_result.final_tuples)
        : [],
  },
];

function findSettledProblems({ debate, final_result, meta }: FinalOutput): string[] {
  if (
    debate?.style !== "patch" ||
    findDifferences(debate.summary.settled_tuples, final_result.final_tuples).length === 0
  )
    return [];
  if (meta.adopt_decision === "adopted") return ["the settled tuples differ from the final ones of an adopted result"];
  return mapRefusal(meta.adopt_reason) === null
    ? [`refused as "${meta.adopt_reason}", which the checks do not know as a reason`]
    : [];
}

/** Checks one output; one finding per check, and S1 as a note: where the judge's own tuples are not final, with the reason. */
export function verifyOutput(value: unknown): Finding[] {
  const parsed = FinalOutputSchema.safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    return [{ check: "schema", ok: false, where: "decision", message: issues.join("; ") }];
  }
  const output = parsed.data;
  const where = output.meta.text_id;
  const findings = checks.map(({ name, about, problems }): Finding => {
    const found = problems(output);
    return { check: name, ok: found.length === 0, where, message: found.length === 0 ? about : found.join("; ") };
  });
  return [...findings, compareJudge(output)];
}

/** S1: listed, never a failure. */
function compareJudge({ debate, final_result, settlements, meta }: FinalOutput): Finding {
  const said = debate?.style === "patch" ? debate.summary.final_tuples : [];
  const apart = debate?.style === "patch" ? findDifferences(said, final_result.final_tuples) : [];
  const reasons = settlements
    .filter((one) => one.judge !== one.settled)
    .map((one) => `${one.aspect || "(implicit)"}: ${one.reason}`);
  const message =
    apart.length === 0
      ? "the judge's tuples are final"
      : `the judge's tuples are not final (${reasons.join(", ") || meta.adopt_reason})`;
  return { check: "S1", ok: true, where: meta.text_id, message };
}

/** E2E: as many outputs, scorecards and traces as cases, each of a case of its own (sentiment spec §9). */
export function verifyCounts(
  files: Record<"outputs" | "scorecards" | "traces", string[]>,
  expected: number,
): Finding[] {
  return Object.entries(files).map(([name, ids]): Finding => {
    const ok = ids.length === expected && unique(ids).length === ids.length;
    return {
      check: "E2E",
      ok,
      where: name,
      message: ok
        ? `${name}: one for each of ${expected} cases`
        : `${name}: ${unique(ids).length} of ${expected} cases have one${ids.length > unique(ids).length ? ", some twice" : ""}; a case that failed has none`,
    };
  });
}

type Keyed = { aspect_ref: string; polarity: string };

function findDifferences(a: readonly Keyed[], b: readonly Keyed[]): string[] {
  const [left, right] = [a, b].map((list) => new Set(list.map((one) => `(${one.aspect_ref}, ${one.polarity})`)));
  const only = [...(left ?? [])]
    .filter((key) => !right?.has(key))
    .concat([...(right ?? [])].filter((key) => !left?.has(key)));
  return only.map((key) => `${key} is in one list only`);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** The integrity checks of a run of one case (sentiment spec §9): its output, and that every file has one line for it. */
export function verifyRun(decision: FinalOutput | null): Finding[] {
  const checked = verifyOutput(decision);
  if (decision === null || checked.some((finding) => finding.check === "schema")) return checked;
  const lines = buildArtifacts([decision]).filter(({ name }) => name.endsWith(".jsonl"));
  const files = new Map(lines.map(({ name, content }) => [name, readIds(content)]));
  const counts = verifyCounts(
    {
      outputs: files.get("outputs.jsonl") ?? [],
      scorecards: files.get("scorecards.jsonl") ?? [],
      traces: files.get("traces.jsonl") ?? [],
    },
    1,
  );
  return [...counts, ...checked];
}

/** The text ids of a JSON Lines file. */
export function readIds(content: string): string[] {
  return content
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const row = JSON.parse(line) as { text_id?: string; meta?: { text_id: string } };
      return row.text_id ?? row.meta?.text_id ?? "";
    });
}
