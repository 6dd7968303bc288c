import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { EntryBody, JournalEntry } from "../contract/journal.ts";
import { type Manifest, type Run, RunSchema } from "../contract/run.ts";
import { sha256 } from "../engine/hash.ts";
import type { Finding } from "../engine/pack.ts";
import { chainPieces, type Piece } from "../engine/prompt.ts";
import { loadPack } from "../packs/registry.ts";
import { makeFolder } from "../store/replace-file.ts";
import type { Store } from "../store/store.ts";
import { isRecord } from "../text/json.ts";
import {
  assembleStoredRun,
  bad,
  listAttempts,
  type Prompted,
  requireChain,
  requirePrompt,
  type StoredRun,
} from "./read-run.ts";
import { pickSealedFacts } from "./start.ts";
import { locateUserFolder } from "./trust.ts";
import { checkOrder, checkRecord, checkReplay } from "./verify.ts";

/** A run to hand over: `bin/parley-verify.js` checks it without Parley. Entries keep their text as hashed. */
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

/** Makes the proof of a finished run, signed if there is a key. */
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
    pieces: await collectPieces(
      store,
      run.id,
      listAttempts(entries).map(({ turn, promptHash }) => ({ key: turn, promptHash })),
    ),
    signature: null,
  };
  return key === null ? proof : { ...proof, signature: signText(key, JSON.stringify(proof)) };
}

/** One line, so that every byte is accounted for. */
export function writeProof(proof: Proof): string {
  return `${JSON.stringify(proof)}\n`;
}

/** The distinct pieces of the prompts of these turns. Read one after another, so that memory grows with distinct pieces only. */
export async function collectPieces(store: Store, runId: string, turns: readonly Prompted[]): Promise<Piece[]> {
  const journal = await store.journal(runId);
  const pieces = new Map<string, Piece>();
  let chain: Piece[] = [];
  for (const turn of turns) {
    if (pieces.has(turn.promptHash)) continue;
    chain = chainPieces(await requirePrompt(journal, runId, turn), chain);
    for (const piece of chain) pieces.set(piece.hash, piece);
  }
  return [...pieces.values()];
}

function readProof(proof: Proof): StoredRun {
  const entries = proof.entries.map((entry): JournalEntry => ({ ...entry, body: JSON.parse(entry.body) as EntryBody }));
  const end = entries.findLast(({ body }) => body.kind === "end")?.body;
  const run: Run = {
    ...proof.run,
    status: "finished",
    outcome: end?.kind === "end" ? end.result.outcome : null,
    headHash: entries.at(-1)?.hash ?? "",
    entryCount: entries.length,
  };
  requireChain(run, entries);
  return assembleStoredRun(run, entries);
}

export function parseProof(text: string, file: string): StoredRun {
  try {
    const value = JSON.parse(text) as Proof;
    if (!isRecord(value) || value.format !== "parley-proof") throw new Error("it is not a proof of a run");
    const stored = readProof(value);
    RunSchema.parse(stored.run);
    return stored;
  } catch (cause) {
    throw new ParleyError("bad_input", `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Makes the decision of a proof again from its turns, with the installed version of the pack. */
export async function recomputeProof(proof: Proof): Promise<Finding[]> {
  try {
    const stored = readProof(proof);
    const wrong = [...checkRecord(stored), ...checkOrder(stored.run.id, stored.entries)].filter(({ ok }) => !ok);
    if (wrong.length > 0) return wrong;
    return await checkReplay(await loadPack(stored.run.manifest.pack), stored);
  } catch (error) {
    if (!hasCode(error, "corrupt_store") && !hasCode(error, "bad_input")) throw error;
    return [bad("replay", proof.run.id, error.message)];
  }
}

export type SigningKey = { key: KeyObject; file: string; publicKey: string; fingerprint: string };

export type Signature = { algorithm: "ed25519"; key: string; value: string };

/** The signing key is outside every project, so that no folder brings its own. */
export function locateKey(env: Record<string, string | undefined>): string {
  return join(locateUserFolder(env), "signing-key.pem");
}

export function readKey(file: string): SigningKey | null {
  if (!existsSync(file)) return null;
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType !== "ed25519") throw new Error(`it is a key of the kind ${key.asymmetricKeyType}`);
    const der = createPublicKey(key).export({ type: "spki", format: "der" });
    const fingerprint = sha256(der);
    return { key, file, publicKey: der.toString("base64"), fingerprint };
  } catch (cause) {
    throw new ParleyError("bad_input", `${file} is not an Ed25519 key that can sign: ${(cause as Error).message}`, {
      cause,
    });
  }
}

export function makeKey(file: string): SigningKey {
  if (existsSync(file))
    throw new ParleyError("bad_input", `there is a key already in ${file}; move it away first if you want another`);
  makeFolder(dirname(file));
  chmodSync(dirname(file), 0o700);
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  const made = readKey(file);
  if (!made) throw new ParleyError("store_failed", `the key could not be written to ${file}`);
  return made;
}

export function signText({ key, publicKey }: SigningKey, text: string): Signature {
  return { algorithm: "ed25519", key: publicKey, value: sign(null, Buffer.from(text), key).toString("base64") };
}
