import type { Challenge } from "../contract/run.ts";
import type { Spend } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { turnIdOf } from "../contract/turn.ts";
import { hashValue } from "../engine/hash.ts";
import type { AnyPack } from "../engine/pack.ts";
import { type Signature, type SigningKey, signText } from "./proof.ts";
import type { StoredRun } from "./read-run.ts";
import { findReview } from "./review.ts";
import { headlineOf, isPerson, listPeople, type PersonsPart, present, tellRun } from "./show-run.ts";
import { pickSealedFacts } from "./start.ts";

export type Receipt = {
  format: "parley-receipt";
  version: 1;
  run: {
    id: string;
    parley: string;
    pack: string;
    case: string | null;
    begun_at: string;
    elapsed_ms: number;
    manifest_hash: string;
    material_hash: string | null;
    journal_head: string;
    entries: number;
  };
  decision: { outcome: string; reasons: string[]; headline: Record<string, string>; hash: string };
  speakers: {
    turn: string;
    player: string;
    kind: "person" | "program" | "model";
    status: string;
    attempts: number;
    prompt_hash: string;
    reply_hash: string;
    problems: string[];
  }[];
  evidence: { id: string; source: string; place: string; quote: string; used_by: string[]; struck: string | null }[];
  rules: { rule: string; round: number; hash: string }[];
  people: (PersonsPart & { at: string | null })[];
  contested: (Omit<Challenge, "evidence"> & { run: string | null }) | null;
  cost: Spend & { calls: number };
  signature: Signature | null;
};

export function makeReceipt(pack: AnyPack, stored: StoredRun, key: SigningKey | null): Receipt {
  const { run, entries, turns, result } = stored;
  if (!result) throw new ParleyError("bad_input", `run ${run.id} has not ended, so there is no receipt of it yet`);
  const { manifest } = run;
  const { challenge } = manifest;
  const { by = "", statement = "", turns: contested = [] } = challenge ?? {};
  const bodies = entries.map(({ body }) => body);
  const ended = bodies.filter((body) => body.kind === "end");
  const ruledAt = findReview(entries)?.at ?? null;
  const receipt: Receipt = {
    format: "parley-receipt",
    version: 1,
    run: {
      id: run.id,
      parley: manifest.parley,
      pack: manifest.pack,
      case: run.caseId,
      begun_at: run.createdAt,
      elapsed_ms: Math.round(Math.max(0, ...ended.map(({ elapsedMs }) => elapsedMs))),
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
    signature: null,
  };
  return key === null ? receipt : { ...receipt, signature: signText(key, JSON.stringify(receipt)) };
}

function listEvidence(pack: AnyPack, stored: StoredRun): Receipt["evidence"] {
  const { stages, exhibits } = present(pack, stored, () => tellRun(pack, stored));
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
