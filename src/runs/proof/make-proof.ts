import { ParleyError } from "../../contract/error.ts";
import type { Manifest } from "../../contract/run.ts";
import { chainPieces, type Piece } from "../../engine/prompt.ts";
import type { Store } from "../../store/store.ts";
import { requirePrompt, type StoredRun } from "../record/read-run.ts";
import { pickSealedFacts } from "../record/run-seal.ts";
import { type Signature, type SigningKey, signText } from "./signing-key.ts";

/** A run as it can be handed over: `bin/parley-verify.js` checks it without Parley. Entries keep their text as it was hashed. */
export type Proof = {
  format: "parley-proof";
  version: 1;
  run: {
    id: string;
    manifest: Manifest;
    caseId: string | null;
    key: string;
    batch: string | null;
    createdAt: string;
  };
  entries: { seq: number; prev: string; hash: string; body: string }[];
  pieces: Piece[];
  signature: Signature | null;
};

/** The proof of a run that has ended, signed when there is a key. */
export async function makeProof(store: Store, stored: StoredRun, key: SigningKey | null): Promise<Proof> {
  const { run, entries, result } = stored;
  if (result === null)
    throw new ParleyError(
      "bad_input",
      `run ${run.id} has not ended, so there is nothing to prove yet; resume it first`,
    );
  const proof: Proof = {
    format: "parley-proof",
    version: 1,
    run: pickSealedFacts(run),
    entries: entries.map(({ seq, prev, hash, body }) => ({ seq, prev, hash, body: JSON.stringify(body) })),
    pieces: await collectPieces(store, stored),
    signature: null,
  };
  return key === null ? proof : { ...proof, signature: signText(key, JSON.stringify(proof)) };
}

/** A proof as a file: one line, so that every byte of it is accounted for. */
export function writeProof(proof: Proof): string {
  return `${JSON.stringify(proof)}\n`;
}

async function collectPieces(store: Store, { run, entries }: StoredRun): Promise<Piece[]> {
  const journal = await store.journal(run.id);
  const pieces = new Map<string, Piece>();
  for (const { body } of entries) {
    if (body.kind !== "attempt" || pieces.has(body.promptHash)) continue;
    const texts = await requirePrompt(journal, run.id, { ...body, key: body.turn });
    for (const { hash, parent, text } of chainPieces(texts)) pieces.set(hash, { hash, parent, text });
  }
  return [...pieces.values()];
}
