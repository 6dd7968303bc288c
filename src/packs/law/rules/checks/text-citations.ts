import type { Problem } from "../../../../contract/turn.ts";
import type { CaseFile } from "../../../../knowledge/law/index.ts";
import { type Check, flag, tellingOf } from "./check.ts";
import { type Ground, findInvented, strikeInvented } from "./invented-citations.ts";

type Spoken = { answer: string; reasons?: string[]; dissent?: string | null };

/**
 * No text of a reply names a provision that neither its ground nor the question names: the sentence is struck.
 * `instead` gives an answer when nothing is left of the first one.
 */
export function createCitationCheck<R extends Spoken, I extends { file: CaseFile }>(
  groundOf: (input: I) => Ground,
  instead: (reply: R, input: I) => string,
): Check<R, I> {
  return {
    find: (reply, input) => {
      const ground = groundOf(input);
      return listPlaces(reply).flatMap(({ text, path }): Problem[] => {
        const invented = findInvented(text, input.file, ground);
        const message = tellingOf(input).inventedInText(invented.join(", "));
        return invented.length > 0 ? [flag("invented_citation", message, path)] : [];
      });
    },
    mend: (reply, input) => {
      const ground = groundOf(input);
      const sound = (text: string): string =>
        findInvented(text, input.file, ground).length === 0 ? text : strikeInvented(text, input.file, ground);
      return {
        ...reply,
        answer: sound(reply.answer) || instead(reply, input),
        ...(reply.reasons ? { reasons: reply.reasons.map(sound).filter((reason) => reason !== "") } : {}),
        ...(reply.dissent ? { dissent: sound(reply.dissent) || null } : {}),
      };
    },
  };
}

function listPlaces({ answer, reasons = [], dissent }: Spoken): { text: string; path: (string | number)[] }[] {
  return [
    { text: answer, path: ["answer"] },
    ...reasons.map((text, at) => ({ text, path: ["reasons", at] })),
    ...(dissent ? [{ text: dissent, path: ["dissent"] }] : []),
  ];
}

/** Whoever speaks on the case itself may name what was retrieved for it and what its rules conclude. */
export function getCaseGround(file: CaseFile): Ground {
  let ground = grounds.get(file);
  if (!ground) {
    const { evidence, rules } = file.retrieval;
    const said = rules.conclusions.flatMap(({ statement, statement_en }) => [statement, statement_en]);
    ground = { sources: evidence, said };
    grounds.set(file, ground);
  }
  return ground;
}

const grounds = new WeakMap<CaseFile, Ground>();
