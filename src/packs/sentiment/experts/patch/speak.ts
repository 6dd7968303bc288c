import type { PatchSpeakerInput } from "../../schemas/role-inputs.ts";
import type { PatchTurnReply } from "../../schemas/debate.ts";
import { weighEdits } from "./cj.ts";
import { mapEvidence } from "./epm.ts";
import { normaliseTargets } from "./tan.ts";

/** Plays any patch persona: by its key, else by what its role and goal are about. */
export function speakPatch(input: PatchSpeakerInput): PatchTurnReply {
  return { agent: input.persona.name, proposed_edits: findTask(input)(input) };
}

function findTask({ key, persona }: PatchSpeakerInput): typeof mapEvidence {
  const tasks: Record<string, typeof mapEvidence> = { epm: mapEvidence, tan: normaliseTargets, cj: weighEdits };
  const named = tasks[key.toLowerCase()];
  if (named) return named;
  const words = `${persona.role} ${persona.goal}`.toLowerCase();
  if (/target|duplicate|normali|대상|정규화/.test(words)) return normaliseTargets;
  return /consisten|judge|resolve|일관|판정/.test(words) ? weighEdits : mapEvidence;
}
