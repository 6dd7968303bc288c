/** The integrity checks of an output (sentiment spec §9). */
import type { Finding } from "../../../contract/view.ts";
import { mapRefusal } from "../rules/adopt.ts";
import { findTerm, overlaps, standsAsWord } from "../rules/text.ts";
import { isBelow } from "../rules/tuples.ts";
import { type FinalOutput, FinalOutputSchema } from "../schemas/output.ts";

type Check = { name: string; about: string; problems(output: FinalOutput): string[] };

const checks: Check[] = [
  {
    name: "PJ1",
    about: "every aspect is in the text",
    problems: ({ meta, stage1_aspects, final_result }) => {
      const terms = [
        ...stage1_aspects.map((one) => one.term),
        ...final_result.final_tuples.map((one) => one.aspect_ref),
      ];
      return [...new Set(terms)]
        .filter((term) => !meta.text.includes(term))
        .map((term) => `"${term}" is not in the text`);
    },
  },
  {
    name: "PJ2",
    about: "every override has evidence in the text",
    problems: ({ meta, override_gate }) =>
      override_gate
        .filter(({ decision }) => decision === "APPLY")
        .filter(({ evidence }) => !evidence || evidence.length < 2 || !meta.text.includes(evidence))
        .map((one) => `the override of "${one.aspect}" rests on "${one.evidence ?? ""}"`),
  },
  {
    name: "PJ3",
    about: "adopted implies an EV score at the threshold",
    problems: ({ meta: { adopt_decision, ev_score, ev_threshold } }) =>
      adopt_decision === "adopted" && isBelow(ev_score, ev_threshold)
        ? [`adopted with EV ${ev_score}, below ${ev_threshold}`]
        : [],
  },
  {
    name: "PJ4",
    about: "at most one override",
    problems: ({ override_gate, correction_applied_log: log }) => {
      const gate = override_gate.filter((one) => one.decision === "APPLY").length;
      const logged = log.filter((one) => one.proposal_type === "DEBATE_OVERRIDE").length;
      return gate > 1 || gate !== logged ? [`the gate applied ${gate} overrides, the log says ${logged}`] : [];
    },
  },
  {
    name: "PJ5",
    about: "a revised span goes from word to word and overlaps its aspect",
    problems: ({ meta, stage1_aspects, correction_applied_log: log }) =>
      log
        .filter(({ applied, proposal_type }) => applied && proposal_type === "REVISE_SPAN")
        .flatMap(({ target_aspect, resulting_term: term }) => {
          const own = stage1_aspects.find((aspect) => aspect.term === target_aspect);
          const span = term && findTerm(meta.text, term, own?.span.start);
          if (!span || !standsAsWord({ text: meta.text, particles: [] }, span)) return [`"${term}" cuts a word`];
          const head = own?.syntactic_head ? findTerm(meta.text, own.syntactic_head, span.start) : null;
          const isOn = !own || overlaps(own.span, span) || (head !== null && overlaps(head, span));
          return isOn ? [] : [`"${term}" does not belong to its aspect "${target_aspect}"`];
        }),
  },
  {
    name: "S2",
    about: "the final tuples are those of the final aspects",
    problems: ({ final_result }) => findDifferences(final_result.final_aspects, final_result.final_tuples),
  },
  {
    name: "S3",
    about: "settled tuples that are not final were refused for a known reason",
    problems: ({ debate, final_result, meta: { adopt_decision, adopt_reason } }) => {
      if (debate?.style !== "patch") return [];
      if (findDifferences(debate.summary.settled_tuples, final_result.final_tuples).length === 0) return [];
      if (adopt_decision === "adopted") return ["the settled tuples differ from the final ones of an adopted result"];
      return mapRefusal(adopt_reason) === null ? [`refused as "${adopt_reason}", which is not a known reason`] : [];
    },
  },
  {
    name: "label",
    about: "the label says no more than the tuples",
    problems: ({ final_result: { label, final_tuples } }) => {
      const found = new Set<string>(final_tuples.map((tuple) => tuple.polarity));
      const isBorne = label === "mixed" ? found.has("positive") && found.has("negative") : found.has(label);
      return isBorne || label === "neutral" ? [] : [`the text is called ${label}, but no tuple is`];
    },
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

export function verifyOutput(value: unknown): Finding[] {
  const parsed = FinalOutputSchema.safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    return [{ check: "schema", ok: false, where: "decision", message: issues.join("; ") }];
  }
  const output = parsed.data;
  const where = output.meta.text_id;
  return checks.map(({ name, about, problems }): Finding => {
    const found = problems(output);
    return { check: name, ok: found.length === 0, where, message: found.length === 0 ? about : found.join("; ") };
  });
}

type Keyed = { aspect_ref: string; polarity: string };

function findDifferences(a: readonly Keyed[], b: readonly Keyed[]): string[] {
  const keys = (list: readonly Keyed[]) => new Set(list.map((one) => `(${one.aspect_ref}, ${one.polarity})`));
  return [...keys(a).symmetricDifference(keys(b))].map((key) => `${key} is in one list only`);
}
