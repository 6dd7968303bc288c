import { findEvidence } from "../../../../knowledge/law/index.ts";
import { opponentOf } from "../../schemas/agent-output.ts";
import type { Critique, CritiqueMessage } from "../../schemas/critique-message.ts";
import type { CriticInput } from "../role-inputs.ts";
import { type Check, reject, flag, tellingOf } from "./check.ts";
import { makeIdsDistinct } from "../distinct-ids.ts";
import { isEchoChamber, minCritiques } from "../echo-chamber.ts";

type CritiqueCheck = Check<CritiqueMessage, CriticInput>;

/** The critic speaks for its own side and for this round. */
const speaker: CritiqueCheck = {
  find: (reply, input) => {
    const { agent, round } = input;
    const tell = tellingOf(input);
    return [
      ...(reply.agent === agent ? [] : [reject("wrong_agent", tell.wrongCritic(agent, reply.agent), ["agent"])]),
      ...(reply.round === round ? [] : [flag("wrong_round", tell.wrongRound(round, reply.round), ["round"])]),
    ];
  },
  mend: (reply, { round }) => ({ ...reply, round }),
};

/** The target is the other agent: nobody criticises, and so approves, itself. */
const target: CritiqueCheck = {
  find: (reply, { agent, file }) =>
    reply.target === opponentOf(agent)
      ? []
      : [
          flag(
            "self_criticism",
            tellingOf({ file }).selfCriticism(opponentOf(agent), reply.target, joinIds(reply.critiques)),
            ["target"],
          ),
        ],
  mend: (reply, { agent }) =>
    reply.target === opponentOf(agent) ? reply : { ...reply, target: opponentOf(agent), critiques: [] },
};

/** A critique names a claim that the other agent makes, or, as an omission, brings evidence of what was left out. */
const targetClaim: CritiqueCheck = {
  find: (reply, input) =>
    reply.critiques.flatMap((one, index) =>
      hasTarget(one, input) ? [] : [flag(...explainTarget(one, input), ["critiques", index, "target_claim_id"])],
    ),
  mend: (reply, input) => ({ ...reply, critiques: reply.critiques.filter((one) => hasTarget(one, input)) }),
};

/** What a critique brings along was retrieved, and its critic has seen it. */
const evidence: CritiqueCheck = {
  find: ({ critiques }, { file }) =>
    critiques.flatMap((one, index) => {
      const unknown = one.evidence.filter((id) => !findEvidence(file, id));
      const message = tellingOf({ file }).critiqueCites(one.id, unknown.join(", "));
      return unknown.length > 0 ? [flag("unknown_evidence", message, ["critiques", index, "evidence"])] : [];
    }),
  mend: (reply, { file }) => ({
    ...reply,
    critiques: reply.critiques.map((one) => ({
      ...one,
      evidence: one.evidence.filter((id) => findEvidence(file, id)),
    })),
  }),
};

/** After the last revision nobody can answer a new critique. */
const late: CritiqueCheck = {
  find: ({ critiques }, { final, file }) =>
    final && critiques.length > 0
      ? [flag("late_critique", tellingOf({ file }).late(joinIds(critiques)), ["critiques"])]
      : [],
  mend: (reply, { final }) => (final ? { ...reply, critiques: [] } : reply),
};

/** A critique says what is wrong and what would be right; one without a fix is over-criticism. */
const suggestedFix: CritiqueCheck = {
  find: ({ critiques }, input) =>
    critiques.flatMap((one, index) => {
      const key = one.suggested_fix.trim() ? "description" : "suggested_fix";
      return isComplete(one)
        ? []
        : [flag(`no_${key}`, tellingOf(input).emptyField(one.id, key), ["critiques", index, key])];
    }),
  mend: (reply) => ({ ...reply, critiques: reply.critiques.filter(isComplete) }),
};

/** An id names one critique of the debate. */
const critiqueIds: CritiqueCheck = {
  find: ({ critiques }, { earlier, file }) => {
    const used = new Set(earlier.map(({ critique }) => critique.id));
    return critiques.flatMap(({ id }, index) => {
      const isUsed = used.has(id);
      used.add(id);
      return isUsed
        ? [flag("duplicate_critique_id", tellingOf({ file }).critiqueIdTwice(id), ["critiques", index, "id"])]
        : [];
    });
  },
  mend: (reply, { earlier }) => ({
    ...reply,
    critiques: makeIdsDistinct(
      reply.critiques,
      "K",
      earlier.map(({ critique }) => critique.id),
    ),
  }),
};

/** Verdicts are on the critic's own earlier critiques, one each. */
const verdicts: CritiqueCheck = {
  find: (reply, { earlier, file }) => {
    const tell = tellingOf({ file });
    const own = new Set(earlier.map(({ critique }) => critique.id));
    const judged = new Set(reply.verdicts.map(({ critique_id }) => critique_id));
    const missing = [...own].filter((id) => !judged.has(id));
    return [
      ...reply.verdicts.flatMap(({ critique_id }, at) =>
        own.has(critique_id)
          ? []
          : [flag("unknown_critique", tell.noEarlier(critique_id), ["verdicts", at, "critique_id"])],
      ),
      ...missing.map((id) => flag("no_verdict", tell.noVerdict(id), ["verdicts"])),
    ];
  },
  mend: (reply, { earlier }) => ({
    ...reply,
    verdicts: reply.verdicts.filter(({ critique_id }) => earlier.some(({ critique }) => critique.id === critique_id)),
  }),
};

/** Round 1 has at least three critiques by each critic, or a reason for fewer; either way fewer are marked as an echo chamber. */
const echoChamber: CritiqueCheck = {
  find: (reply, input) => {
    const counting =
      reply.target === opponentOf(input.agent)
        ? reply.critiques.filter((one) => isComplete(one) && hasTarget(one, input))
        : [];
    return isEchoChamber(counting, input) && !reply.fewer_reason?.trim()
      ? [flag("echo_chamber", tellingOf(input).tooFew(counting.length, minCritiques), ["critiques"])]
      : [];
  },
  mend: (reply) => reply,
};

export const critiqueChecks: CritiqueCheck[] = [
  speaker,
  target,
  late,
  evidence,
  targetClaim,
  suggestedFix,
  critiqueIds,
  verdicts,
  echoChamber,
];

function hasTarget({ target_claim_id, evidence: brought }: Critique, { target, file }: CriticInput): boolean {
  if (target_claim_id === null) return brought.some((id) => findEvidence(file, id));
  return target.claims.some(({ id }) => id === target_claim_id);
}

function explainTarget({ id, target_claim_id }: Critique, input: CriticInput): [code: string, message: string] {
  const tell = tellingOf(input);
  return target_claim_id === null
    ? ["no_evidence", tell.noOmissionEvidence(id)]
    : ["unknown_claim", tell.unknownTarget(id, target_claim_id, input.target.agent)];
}

function isComplete({ description, suggested_fix }: Critique): boolean {
  return description.trim() !== "" && suggested_fix.trim() !== "";
}

function joinIds(items: { id: string }[]): string {
  return items.map(({ id }) => id).join(", ");
}
