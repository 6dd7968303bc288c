import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { EntryBody, JournalEntry } from "../contract/journal.ts";
import { type Run, RunSchema } from "../contract/run.ts";
import { hashValue, sha256 } from "../engine/hash.ts";
import type { AnyPack, Finding } from "../engine/pack.ts";
import { chainPieces, type Piece } from "../engine/prompt.ts";
import { loadPack } from "../packs/registry.ts";
import { makeFolder } from "../store/replace-file.ts";
import type { Store } from "../store/store.ts";
import { isRecord } from "../text/json.ts";
import {
  assembleStoredRun,
  bad,
  findElapsed,
  listAttempts,
  type Prompted,
  readEntries,
  requireChain,
  requirePrompt,
  type StoredRun,
} from "./read-run.ts";
import { pickSealedFacts } from "./start.ts";
import { locateUserFolder } from "./trust.ts";
import { checkOrder, checkRecord, checkReplay } from "./verify.ts";
import { turnIdOf } from "../contract/turn.ts";
import { findReview } from "./review.ts";
import { headlineOf, isPerson, listPeople, present, storyOf } from "./show-run.ts";
import type { Journal } from "../engine/journal.ts";

/** A run to hand over: `bin/parley-verify.js` checks it without Parley. Entries keep their text as hashed. */
export type Proof = {
  format: "parley-proof";
  version: 1;
  run: ReturnType<typeof pickSealedFacts>;
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
      listAttempts(entries).map((body) => ({ ...body, key: body.turn })),
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

type Copied = "copied" | "there already" | "being run";

/**
 * Copies a run to another store, checking the hash chain on both sides. Damaged runs are not copied; a run already
 * there with other entries is an error and stays.
 */
export async function copyRun(from: Store, to: Store, id: string, held: ReadonlySet<string>): Promise<Copied> {
  if (held.has(id)) return "being run";
  const { run, entries } = await readEntries(from, id);
  requireChain(run, entries);
  const there = await to.get(id);
  if (there) return compare(run, there, to);
  const { headHash: _, entryCount: __, ...facts } = run;
  const source = await from.journal(id);
  const prompts = await Promise.all(entries.map((entry) => readPrompt(source, id, entry)));
  const target = await to.journal(id);
  // In one step, so that no run is stored without all its entries.
  await Promise.all([
    to.create(facts),
    ...entries.map(({ body }, index) => target.append(body, prompts[index] ?? [])),
    to.setStatus(id, {
      from: entries.some(({ body }) => body.kind === "end") ? "finished" : run.status,
      to: run.status,
      outcome: run.outcome,
    }),
  ]);
  const copy = await readEntries(to, id);
  requireChain(copy.run, copy.entries);
  return compare(run, copy.run, to) && "copied";
}

function compare(run: Run, there: Run, { location }: Store): Copied {
  if (there.headHash === run.headHash) return "there already";
  throw new ParleyError("bad_input", `run ${run.id} is in ${location} with other entries; it was left as it is`);
}

async function readPrompt(journal: Journal, id: string, { body }: JournalEntry): Promise<string[]> {
  if (body.kind !== "attempt") return [];
  return requirePrompt(journal, id, { ...body, key: body.turn });
}
