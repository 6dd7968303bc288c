#!/usr/bin/env node
// Checks a proof of a Parley run without Parley: the hash chain, the prompts and the signature. Plain JavaScript, no dependency.
import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream, realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const hasKeys = (value, keys) => value !== null && typeof value === "object" && Object.keys(value).join() === keys;

/** JSON with sorted keys: equal values give equal bytes. */
function canonical(value) {
  return JSON.stringify(value, (_key, inner) =>
    inner === null || typeof inner !== "object" || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

/** Throws with the first thing that is wrong with a proof; returns what was checked and what cannot be. */
export function checkProof(bytes, trustedKey = null) {
  const text = bytes.toString("utf8");
  const proof = JSON.parse(text);
  require(Buffer.from(`${JSON.stringify(proof)}\n`).equals(bytes), "the file is not written as a proof is");
  require(hasKeys(proof, "format,version,run,entries,pieces,signature"), "this is not a proof");
  require(proof.format === "parley-proof" &&
    proof.version === 1, "this is not a proof of a version that is known here");
  const bodies = checkChain(proof);
  checkPrompts(bodies, proof.pieces);
  const end = bodies.findLast(({ kind }) => kind === "end");
  require(end, "the run has no end");
  return { proof, bodies, result: end.result, signer: checkSignature(proof, trustedKey) };
}

/** Throws with the first thing that is wrong with a receipt; returns what it says and who signed it. */
export function checkReceipt(bytes, trustedKey = null) {
  const receipt = JSON.parse(bytes.toString("utf8"));
  require(Buffer.from(`${JSON.stringify(receipt)}\n`).equals(bytes), "the file is not written as a receipt is");
  const keys = "format,version,run,decision,speakers,evidence,rules,people,contested,cost,signature";
  require(hasKeys(receipt, keys) && receipt.version === 1, "this is not a receipt of a version that is known here");
  return { receipt, signer: checkSignature(receipt, trustedKey) };
}

function checkChain({ run, entries }) {
  require(hasKeys(run, "id,manifest,caseId,key,batch,createdAt"), "the run's facts are not those of a run");
  let prev = "0".repeat(64);
  const bodies = entries.map((entry, seq) => {
    require(hasKeys(entry, "seq,prev,hash,body") && entry.seq === seq, `entry ${seq} is missing or out of order`);
    require(entry.prev === prev, `entry ${seq} does not follow the one before it`);
    require(entry.hash === sha256(`${prev}\n${seq}\n${entry.body}`), `entry ${seq} was changed`);
    prev = entry.hash;
    return JSON.parse(entry.body);
  });
  require(bodies[0]?.kind === "begin", "the first entry is not the beginning of a run");
  require(bodies[0].manifestHash === sha256(canonical(run)), "the run's input, settings or other facts were changed");
  return bodies;
}

function checkPrompts(bodies, pieces) {
  const known = new Map();
  for (const piece of pieces) {
    require(hasKeys(piece, "hash,parent,text"), "a part of a prompt is not written as one");
    require(piece.hash === sha256(`${piece.parent ?? ""}\n${piece.text}`), "a part of a prompt was changed");
    require(!known.has(piece.hash), "a part of a prompt is there twice");
    known.set(piece.hash, piece);
  }
  const used = new Set();
  for (const { kind, promptHash } of bodies)
    for (let name = kind === "attempt" ? promptHash : null; name !== null; name = known.get(name).parent) {
      require(known.has(name), "a part of a prompt is missing");
      used.add(name);
    }
  require(used.size === known.size, "a part of a prompt belongs to no turn");
}

/** The signer's fingerprint; null for a proof without a signature. */
function checkSignature(proof, trustedKey) {
  const { signature } = proof;
  require(signature !== null || trustedKey === null, "it is not signed");
  if (signature === null) return null;
  require(hasKeys(signature, "algorithm,key,value") &&
    signature.algorithm === "ed25519", "the signature is of no known kind");
  const der = Buffer.from(signature.key, "base64");
  const value = Buffer.from(signature.value, "base64");
  require(der.toString("base64") === signature.key &&
    value.toString("base64") === signature.value, "the signature is not written as one");
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  require(key.export({ format: "der", type: "spki" }).equals(der), "the key is not written as one");
  const signed = Buffer.from(JSON.stringify({ ...proof, signature: null }));
  require(key.asymmetricKeyType === "ed25519" && verify(null, signed, key, value), "the signature does not fit");
  const fingerprint = sha256(der);
  require(trustedKey === null ||
    trustedKey === fingerprint ||
    trustedKey === signature.key, `signed by another key: ${fingerprint}`);
  return fingerprint;
}

/** What a file of the wrong form makes Node throw, in words. */
const malformed = {
  SyntaxError: "this is not JSON",
  TypeError: "its parts are not those of a proof",
  RangeError: "it is too large or too deep",
};

/** Text of a file that is being checked must not steer the terminal. */
function print(text, write = console.log) {
  write(text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "�"));
}

function require(holds, message) {
  if (!holds) throw new Error(message);
}

const mostBytes = 400_000_000;

/** What is given may be a link to a device that never ends. */
async function readBounded(file) {
  const chunks = [];
  let size = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) {
    size += chunk.length;
    require(size <= mostBytes, `it is larger than ${mostBytes / 1e6} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function main([file, option, key = null]) {
  const asksHelp = file === "--help" || file === "-h";
  if (asksHelp || !file || (option && (option !== "--key" || key === null))) {
    (asksHelp ? console.log : console.error)(
      "usage: parley-verify PROOF.json|RECEIPT.json [--key FINGERPRINT]   (the fingerprint that `parley doctor keys` prints)",
    );
    return asksHelp ? 0 : 2;
  }
  try {
    const bytes = await readBounded(file);
    if (JSON.parse(bytes.toString("utf8"))?.format === "parley-receipt")
      return tellReceipt(checkReceipt(bytes, key), key);
    const { proof, bodies, result, signer } = checkProof(bytes, key);
    const { id, manifest, createdAt } = proof.run;
    print(`run ${id}, ${manifest.pack}, begun ${createdAt}: ${result.outcome}`);
    print(
      `ok    ${proof.entries.length} entries, an unbroken chain that ends in ${proof.entries.at(-1).hash.slice(0, 16)}…`,
    );
    print(`ok    ${proof.pieces.length} parts of prompts, as they were sent`);
    tellSigner(signer, key);
    return await recompute(proof, bodies);
  } catch (error) {
    print(`WRONG ${file}: ${malformed[error.name] ?? error.message}`, console.error);
    return 1;
  }
}

function tellSigner(signer, key) {
  print(signer ? `ok    signed by ${signer}` : "note  not signed: anyone could have made the whole of it anew");
  if (signer && !key) print("note  whose key that is must be known from elsewhere (--key FINGERPRINT)");
}

function tellReceipt({ receipt: { run, decision, speakers, evidence, people }, signer }, key) {
  print(`receipt of run ${run.id}, ${run.pack}, begun ${run.begun_at}: ${decision.outcome}`);
  print(`      ${speakers.length} turns, ${evidence.length} pieces of evidence, ${people.length} acts of people`);
  tellSigner(signer, key);
  print("recomputed  nothing: a receipt is a statement of whoever signed it");
  print(`to check it  verify the proof of the same run; its chain must end in ${run.journal_head.slice(0, 16)}…`);
  return 0;
}

/** What stands behind each part of a proof: made again from the turns, or only as it was hashed. */
function tellWhatWasChecked(bodies, isMadeAgain) {
  const turns = bodies.filter(({ kind, conclusion }) => kind === "attempt" && conclusion).length;
  const made = `outcome, reasons, decision, quorum, notes of rules, how ${turns} replies were read, what all calls used`;
  const kept =
    "what players and people said, how replies ended, who they were, why they overruled; the case, its material, the prompts; the run's name, cast, seed, version and origin; what each call cost and might have cost; times; how problems are worded; earlier ends of a run that was resumed";
  print(`recomputed   ${isMadeAgain ? made : "nothing"}`);
  print(`by hash only ${isMadeAgain ? kept : `${made}; ${kept}`}`);
}

/** With Parley installed the decision is made once more from the recorded turns. */
async function recompute(proof, bodies) {
  const parley = await import("parley").catch(() => null);
  if (!parley?.recomputeProof) {
    print("note  the decision was not made again: Parley is not installed here, or cannot be loaded by this Node");
    tellWhatWasChecked(bodies, false);
    return 0;
  }
  const findings = await parley.recomputeProof(proof);
  for (const { ok, check, message } of findings) print(`${ok ? "ok   " : "WRONG"} ${check}: ${message}`);
  const isMadeAgain = findings.every(({ ok }) => ok);
  tellWhatWasChecked(bodies, isMadeAgain);
  return isMadeAgain ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href)
  process.exitCode = await main(process.argv.slice(2));
