import { ParleyError } from "../contract/error.ts";
import { turnIdOf } from "../contract/turn.ts";
import { hashValue } from "../engine/hash.ts";
import type { AnyPack } from "../engine/pack.ts";
import { type Signature, type SigningKey, signText } from "./proof.ts";
import { findElapsed, type StoredRun } from "./read-run.ts";
import { findReview } from "./review.ts";
import { headlineOf, isPerson, listPeople, present, storyOf } from "./show-run.ts";
import { pickSealedFacts } from "./start.ts";

export type Receipt = ReturnType<typeof makeReceipt>;

export function makeReceipt(pack: AnyPack, stored: StoredRun, key: SigningKey | null) {
  const { run, entries, turns, result } = stored;
  if (!result) throw new ParleyError("bad_input", `run ${run.id} has not ended, so there is no receipt of it yet`);
  const { manifest } = run;
  const { challenge } = manifest;
  const { by = "", statement = "", turns: contested = [] } = challenge ?? {};
  const bodies = entries.map(({ body }) => body);
  const ruledAt = findReview(entries)?.at ?? null;
  const receipt = {
    format: "parley-receipt",
    version: 1,
    run: {
      id: run.id,
      parley: manifest.parley,
      pack: manifest.pack,
      case: run.caseId,
      begun_at: run.createdAt,
      elapsed_ms: Math.round(findElapsed(entries) ?? 0),
      manifest_hash: hashValue(pickSealedFacts(run)),
      material_hash: bodies.find((body) => body.kind === "material")?.hash ?? null,
      journal_head: run.headHash,
      entries: run.entryCount,
    },
    decision: {
      outcome: result.outcome,
      reasons: result.reasons,
      headline: present(pack, stored, (finished) => headlineOf(pack, finished)),
      hash: hashValue(result.decision),
    },
    speakers: turns.map(({ key: turn, player, status, attempts, promptHash, reply, problems }) => ({
      turn: turnIdOf(turn),
      player,
      kind: isPerson(player) ? "person" : player === "expert" ? "program" : "model",
      status,
      attempts: attempts.length,
      prompt_hash: promptHash,
      reply_hash: hashValue(reply),
      problems: problems.map(({ code }) => code),
    })),
    evidence: listEvidence(pack, stored),
    rules: result.notes.map(({ type, round, data }) => ({ rule: type, round, hash: hashValue(data) })),
    people: listPeople(stored).map((one) => ({ ...one, at: one.where === "the decision" ? ruledAt : null })),
    contested: challenge ? { run: manifest.parent?.run ?? null, by, statement, turns: contested } : null,
    cost: { ...result.spend, calls: result.usage.calls },
    signature: null as Signature | null,
  };
  return key === null ? receipt : { ...receipt, signature: signText(key, JSON.stringify(receipt)) };
}

function listEvidence(pack: AnyPack, stored: StoredRun) {
  const { stages, exhibits } = present(pack, stored, () => storyOf(pack, stored));
  const points = stages.flatMap(({ turns }) =>
    turns.flatMap(({ turn, points: own }) => own.map((point) => ({ turn, point }))),
  );
  return exhibits.map(({ id, source, place, quote, struck }) => ({
    id,
    source,
    place,
    quote,
    used_by: [...new Set(points.filter(({ point }) => point.uses?.includes(id)).map(({ turn }) => turn))],
    struck: struck ?? null,
  }));
}
