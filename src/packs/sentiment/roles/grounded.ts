/** Roles whose replies are grounded in the text (sentiment spec §2 to §5): what is unknown, not in the text or no evidence is struck and counted. */
import type { Block, Prompt } from "../../../contract/prompt.ts";
import type { Problem } from "../../../contract/turn.ts";
import type { Role } from "../../../engine/role.ts";
import { problemWords, readPrompt } from "../prompts/read-prompts.ts";
import { type AspectMatcher, listStage1Terms } from "../rules/matcher.ts";
import type { PatchTurn, StanceTurn } from "../schemas/debate.ts";
import type { Material } from "../schemas/material.ts";
import type { Stage1 } from "../schemas/stage1.ts";

type Strike = { code: string; what: string; path?: (string | number)[] };

export type Grounded<O> = { reply: O; strikes: Strike[] };

/** Set by salvage so that strikes are counted; no player can set it. */
type Struck = { struck?: Strike[] };

export type GroundedRole<I, O extends object, K extends O = O> = Role<I, O & Struck> & {
  ground(reply: O, input: I): Grounded<K>;
};

export function defineGrounded<I, O extends object, K extends O = O>(
  role: Omit<GroundedRole<I, O, K>, "check" | "salvage"> & { reject?(reply: O): Problem[] },
): GroundedRole<I, O, K> {
  const { reject, ...rest } = role;
  return {
    ...rest,
    check: (reply, input) => [...(reject?.(reply) ?? []), ...toProblems(role.ground(reply, input).strikes)],
    salvage: (reply, _problems, input) => {
      const kept = role.ground(reply, input);
      return { ...kept.reply, struck: kept.strikes };
    },
  };
}

function toProblems(strikes: readonly Strike[]): Problem[] {
  return strikes.flatMap(({ code, what, path }): Problem[] => {
    const message = problemWords[code]?.replace("{what}", () => what);
    return message === undefined ? [] : [{ code, message, severity: "salvage", ...(path && { path }) }];
  });
}

type StrikeItem = (field: string, code: string, what: string | null) => null;

/** Reads the items of a list one by one; an item that reads as null is left out. */
export function sift<A, B>(
  list: string,
  items: readonly A[],
  read: (item: A, strike: StrikeItem, kept: B[]) => B | null,
) {
  const strikes: Strike[] = [];
  const kept: B[] = [];
  for (const [at, item] of items.entries()) {
    const strike: StrikeItem = (field, code, what) => {
      strikes.push({ code, what: what ?? "null", path: [list, at, ...(field === "" ? [] : [field])] });
      return null;
    };
    const one = read(item, strike, kept);
    if (one !== null) kept.push(one);
  }
  return { kept, strikes };
}

export function isOneOf(words: readonly string[], word: string): boolean {
  return words.includes(word);
}

/** The aspect that a name stands for, "" for the text as a whole; null if there is none. */
export function resolveOrWhole(matcher: AspectMatcher, name: string): string | null {
  return name.trim() === "" ? "" : matcher.resolve(name).aspect;
}

export function writePrompt(
  instructions: string,
  { language_code }: Material,
  blocks: Block[],
  own: Block[] = [],
): Prompt {
  const language = { label: "LANGUAGE", text: language_code };
  return { instructions: readPrompt(instructions), blocks: [language, ...blocks], own };
}

export const taskOf = (name: string): Block[] => [{ label: "TASK", text: readPrompt(name) }];

export function listDebateBlocks(
  { text }: Material,
  stage1: Stage1,
  turns: readonly (PatchTurn | StanceTurn)[] = [],
): Block[] {
  return [
    { label: "TOPIC", text },
    { label: "SHARED_CONTEXT_JSON", json: shareStage1(stage1) },
    ...turns.map(writeTurn),
  ];
}

function shareStage1(stage1: Stage1) {
  const { aspects, aspect_sentiments, validator } = stage1;
  return {
    stage1: listStage1Terms(stage1).map((term) => {
      const said = aspect_sentiments.filter(({ aspect_ref }) => aspect_ref === term);
      const place = aspects.find((aspect) => aspect.term === term)?.span;
      return {
        aspect_ref: term,
        ...(place && { span: [place.start, place.end] }),
        sentiments: said.map(({ polarity, evidence, confidence }) => ({ polarity, evidence, confidence })),
      };
    }),
    structural_risks: (validator?.structural_risks ?? []).map(({ type, severity, description }) => {
      return { type, severity, description };
    }),
    correction_proposals: (validator?.correction_proposals ?? []).map(({ proposal_type, target_aspect, rationale }) => {
      return { proposal_type, target_aspect, rationale };
    }),
  };
}

function writeTurn(turn: PatchTurn | StanceTurn): Block {
  const label = `HISTORY · round ${turn.round}`;
  if ("proposed_edits" in turn) return { label, json: { agent: turn.agent, proposed_edits: turn.proposed_edits } };
  const { agent, stance, message, key_points } = turn;
  return { label, json: { speaker: agent, stance, message, key_points } };
}
