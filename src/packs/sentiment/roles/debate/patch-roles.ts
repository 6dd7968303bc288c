import { defineRole, type Role } from "../../../../engine/role.ts";
import { readPrompt } from "../../prompts/read-prompts.ts";
import { findQuote } from "../../rules/tuples/find-quote.ts";
import { readVote } from "../../rules/tuples/votes.ts";
import {
  operations,
  type PatchJudgeReply,
  PatchJudgeReplySchema,
  type PatchTurnReply,
  PatchTurnReplySchema,
  type Persona,
} from "../../schemas/debate.ts";
import type { PatchJudgeInput, PatchSpeakerInput, SentimentExperts } from "../../schemas/role-inputs.ts";
import { readChoice, type Strike, type Struck, toProblems, withStruck } from "../checks/strikes.ts";
import { checkSpeaker, createDebateMatcher, listDebateBlocks, listSpeakerBlocks } from "./debate-prompt.ts";
import { groundEdits } from "./ground-edits.ts";
import { groundPatchSummary } from "./ground-patch-summary.ts";

/** A speaker of the patch style (sentiment spec §3): it answers with edits only. */
export function createPatchSpeaker(
  key: string,
  persona: Persona,
  experts: SentimentExperts,
): Role<PatchSpeakerInput, PatchTurnReply & Struck> {
  return defineRole<PatchSpeakerInput, PatchTurnReply & Struck>({
    name: key,
    reply: PatchTurnReplySchema,
    prompt: (input) => ({ instructions: readPrompt("debate_speaker"), ...listSpeakerBlocks(input) }),
    check: (reply, input) => [
      ...checkSpeaker("agent", reply.agent, key, persona),
      ...toProblems(strikeEdits(reply, input)).map((problem) => ({
        ...problem,
        path: ["proposed_edits", ...(problem.path ?? [])],
      })),
    ],
    salvage: (reply, _problems, input) => {
      const { kept } = groundEdits(reply.proposed_edits, createDebateMatcher(input));
      const proposed_edits = kept.map((edit) =>
        isQuoted(edit.evidence, input.text) ? edit : { ...edit, evidence: null },
      );
      const alias = checkSpeaker("agent", reply.agent, key, persona).map(({ code }) => ({
        code,
        what: reply.agent ?? "",
      }));
      return withStruck({ agent: persona.name, proposed_edits }, [...alias, ...strikeEdits(reply, input)]);
    },
    expert: (input) => experts.speakPatch(input),
  });
}

/** The judge of the patch style (sentiment spec §3). */
export function createPatchJudge(experts: SentimentExperts) {
  return defineRole<PatchJudgeInput, PatchJudgeReply & Struck>({
    name: "judge",
    reply: PatchJudgeReplySchema,
    prompt: ({ text, context, turns }) => ({
      instructions: readPrompt("debate_speaker"),
      blocks: listDebateBlocks(text, context, turns),
      own: [{ label: "TASK", text: readPrompt("debate_judge") }],
    }),
    check: (reply, input) => toProblems(strikeSummary(reply, input)),
    /** A contradiction cannot be struck: it stays in the reply and is counted when the summary is grounded. */
    salvage: (reply, _problems, input) =>
      withStruck(
        keepGrounded(reply, input),
        strikeSummary(reply, input).filter(({ code }) => code !== "patch_contradicts_tuples"),
      ),
    expert: (input) => experts.judgePatch(input),
  });
}

function strikeSummary(reply: PatchJudgeReply, input: PatchJudgeInput): Strike[] {
  return [...groundPatchSummary(reply, createDebateMatcher(input)).strikes, ...strikeSpans(reply, input.text)];
}

function strikeEdits(reply: PatchTurnReply, input: PatchSpeakerInput): Strike[] {
  const { strikes } = groundEdits(reply.proposed_edits, createDebateMatcher(input));
  const more = reply.proposed_edits.flatMap((edit, at): Strike[] => {
    const found: Strike[] = [];
    if (!isQuoted(edit.evidence, input.text))
      found.push({ code: "evidence_not_in_text", what: edit.evidence ?? "", path: [at, "evidence"] });
    const op = readChoice(operations, edit.op);
    if (op !== null && readVote({ ...edit, op }).invalid) {
      const word = op === "set_polarity" ? (edit.value ?? edit.target.polarity) : (edit.target.polarity ?? edit.value);
      found.push({ code: "polarity_invalid", what: word ?? "null", path: [at] });
    }
    return found;
  });
  return [...strikes, ...more];
}

/** A span that is not a substring is a problem, and so is a judgement without any span (sentiment spec §3). */
function strikeSpans(reply: PatchJudgeReply, text: string): Strike[] {
  const strikes: Strike[] = [];
  for (const [at, span] of reply.sentence_evidence_spans.entries())
    if (!isQuote(span, text))
      strikes.push({ code: "span_not_in_text", what: span, path: ["sentence_evidence_spans", at] });
  for (const [at, { span }] of (reply.aspect_evidence ?? []).entries())
    if (!isQuote(span, text))
      strikes.push({ code: "span_not_in_text", what: span, path: ["aspect_evidence", at, "span"] });
  if (reply.sentence_evidence_spans.length === 0)
    strikes.push({ code: "no_evidence_span", what: "", path: ["sentence_evidence_spans"] });
  return strikes;
}

/** Evidence is a part of the text, or nothing. */
function isQuoted(evidence: string | null, text: string): boolean {
  return findQuote(text, evidence ?? "") !== null;
}

function isQuote(span: string, text: string): boolean {
  return span.trim() !== "" && findQuote(text, span) !== null;
}

function keepGrounded(reply: PatchJudgeReply, input: PatchJudgeInput): PatchJudgeReply {
  const { summary } = groundPatchSummary(reply, createDebateMatcher(input));
  return {
    ...reply,
    final_patch: summary.final_patch,
    final_tuples: summary.final_tuples.map(({ aspect_ref, polarity }) => ({ aspect_ref, polarity })),
    sentence_polarity: summary.sentence_polarity,
    sentence_evidence_spans: reply.sentence_evidence_spans.filter((span) => isQuote(span, input.text)),
    aspect_evidence: Object.entries(summary.aspect_evidence)
      .map(([aspect, span]) => ({ aspect, span }))
      .filter(({ span }) => isQuote(span, input.text)),
  };
}
