import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { checkProof, checkReceipt } from "../bin/parley-verify.js";
import { noUsage } from "../src/contract/budget.ts";
import { ParleyError } from "../src/contract/error.ts";
import { hashValue } from "../src/engine/hash.ts";
import { hashEntry } from "../src/engine/journal.ts";
import type { Player } from "../src/engine/player.ts";
import { expertPlayer } from "../src/players/offline-players.ts";
import { makeKey, makeProof, makeReceipt, type Proof, readKey, recomputeProof, writeProof } from "../src/runs/proof.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { readRun } from "../src/runs/read-run.ts";
import { continueRun, runKey, startRun } from "../src/runs/start.ts";
import { verifyRun } from "../src/runs/verify.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { timesOf } from "./support/share.ts";
import { toyPack } from "./support/toy.ts";

async function proveToy(signed: boolean): Promise<Buffer> {
  const store = memoryStore();
  const player = expertPlayer();
  const setting = { store, castOf: async () => () => player };
  const request = { pack: toyPack, input: { question: "How many?" }, cast: "expert", config: { rounds: 1 } };
  const { runId } = await startRun(setting, request);
  const key = signed ? makeKey(join(newFolder(), "key.pem")) : null;
  return Buffer.from(writeProof(await makeProof(store, await readRun(store, runId), key)));
}

async function proveSentence(cwd: string, env: Record<string, string>): Promise<string> {
  await runCli(["sentiment", "The pasta was great."], { cwd, env });
  const { out } = await runCli(["runs"], { cwd });
  const file = join(cwd, "run.proof.json");
  const wrote = await runCli(["export", out.split(/\s/)[0] ?? "", "--proof", file], { cwd, env });
  expect(wrote.code).toBe(0);
  return file;
}

/** A forger's work: something changed, and every hash made anew. */
function linkAnew(proof: Proof, change: (body: string, seq: number) => string): Proof {
  let prev = "0".repeat(64);
  const entries = proof.entries.map((entry, seq) => {
    const body = change(entry.body, seq);
    const hash = hashEntry(prev, seq, body);
    const linked = { seq, prev, hash, body };
    prev = hash;
    return linked;
  });
  return { ...proof, entries };
}

describe("a proof of a run", () => {
  it.each([true, false])(
    "is accepted as it was written, and with any byte changed it is not (signed: %s)",
    async (signed) => {
      const bytes = await proveToy(signed);
      expect(checkProof(bytes).result.outcome).toBe("decided");
      const bits = timesOf({ quick: 1, whole: 8 });
      for (let at = 0; at < bytes.length; at += 1)
        for (let bit = 0; bit < bits; bit += 1) {
          const changed = Buffer.from(bytes);
          changed[at] = (changed[at] ?? 0) ^ (1 << ((at + bit) % 8));
          expect(() => checkProof(changed), `byte ${at}, bit ${(at + bit) % 8}`).toThrow();
        }
    },
  );

  it("cut off, added to, reordered or with an entry left out it is refused", async () => {
    const bytes = await proveToy(false);
    const proof = JSON.parse(bytes.toString()) as Proof;
    const written = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);
    const others = [
      bytes.subarray(0, -1),
      Buffer.concat([bytes, Buffer.from("\n")]),
      written({ ...proof, entries: proof.entries.slice(0, -1) }),
      written({ ...proof, entries: proof.entries.toReversed() }),
      written({ ...proof, entries: proof.entries.toSpliced(2, 1) }),
      written({ ...proof, pieces: proof.pieces.slice(1) }),
      written({ ...proof, pieces: [...proof.pieces, proof.pieces[0]] }),
      written({ ...proof, run: { ...proof.run, caseId: "other" } }),
      written({ ...proof, more: 1 }),
    ];
    for (const other of others) expect(() => checkProof(other)).toThrow();
  });

  it("its signature is bound to its key: another key, or none, is refused where one is asked for", async () => {
    const bytes = await proveToy(true);
    const { signer } = checkProof(bytes);
    expect(checkProof(bytes, signer).signer).toBe(signer);
    expect(() => checkProof(bytes, "0".repeat(64))).toThrow("signed by another key");
    const unsigned = { ...(JSON.parse(bytes.toString()) as Proof), signature: null };
    expect(() => checkProof(Buffer.from(`${JSON.stringify(unsigned)}\n`), signer)).toThrow("not signed");
  });

  it("the decision is made again where Parley is installed, and another one is found out", async () => {
    const file = await proveSentence(newFolder(), { PARLEY_HOME: newFolder() });
    const proof = JSON.parse(readFileSync(file, "utf8")) as Proof;
    expect(await recomputeProof(proof)).toMatchObject([{ check: "replay", ok: true }]);
    const forged = linkAnew(proof, (body, seq) =>
      seq === proof.entries.length - 1 ? body.replaceAll('"positive"', '"negative"') : body,
    );
    expect(checkProof(Buffer.from(writeProof(forged))).signer).toBeNull();
    expect((await recomputeProof(forged)).some(({ ok }) => !ok)).toBe(true);
  });
});

type Path = (string | number)[];

/** Where the plain values of a value stand. */
function listPlaces(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== "object") return [path];
  return Object.entries(value).flatMap(([key, part]) =>
    listPlaces(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

const spoil = (value: unknown): unknown =>
  typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${String(value)}x`;

function spoilAt<T>(value: T, [key, ...rest]: Path): T {
  if (key === undefined) return spoil(value) as T;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
  copy[key] = spoilAt(copy[key], rest);
  return copy as T;
}

/** What a forger can change without a trace where nothing is signed: what nobody can make again. parley-verify lists it. */
const onlyHashed = `run.id run.batch run.createdAt run.caseId run.manifest.parley run.manifest.input
  run.manifest.cast run.manifest.seed call.worst.calls call.worst.tokens call.worst.usd attempt.player
  attempt.attempt.raw attempt.attempt.finish attempt.attempt.outputLimit attempt.attempt.problems.*.message
  attempt.conclusion.problems.*.message attempt.attempt.startedMs attempt.attempt.durationMs end.elapsedMs`.split(
  /\s+/,
);

/** A program that plays as a model: its first reply is cut off, the others are good, and each call costs. */
function costlyPlayer(): Player {
  const expert = expertPlayer();
  let calls = 0;
  return {
    id: "model",
    async play(role, input, turn) {
      const { settle } = await turn.reserve({ calls: 1, tokens: 9_000, usd: 0.01 });
      const { reply } = await expert.play(role, input, turn);
      settle({ calls: 1, tokens: 120, usd: 0.002 });
      calls += 1;
      const text = JSON.stringify("value" in reply ? reply.value : null).slice(0, calls === 1 ? 9 : undefined);
      const usage = { ...noUsage, calls: 1, inputTokens: 100, outputTokens: 20, costUsd: 0.002 };
      return { reply: { text }, usage, finish: calls === 1 ? "length" : "stop", outputLimit: 4_000 };
    },
  };
}

it.each(packNames)(
  "every field of an unsigned proof of the %s pack is made again or known to be only hashed",
  { timeout: 120_000 },
  async (name) => {
    const store = memoryStore();
    const pack = await loadPack(name);
    const { input, config } = pack.examples[0] ?? { input: null };
    const player = costlyPlayer();
    const { runId } = await startRun({ store, castOf: async () => () => player }, { pack, input, config, cast: "m" });
    const proof = await makeProof(store, await readRun(store, runId), null);
    const open = { run: proof.run, bodies: proof.entries.map(({ body }) => JSON.parse(body) as { kind: string }) };
    expect(await recomputeProof(proof)).toMatchObject([{ ok: true }]);
    const kinds = Map.groupBy(listPlaces(open), ([where, at, ...rest]) => {
      const place = where === "bodies" ? [open.bodies[Number(at)]?.kind, ...rest] : [where, at, ...rest];
      return place.map((key) => (typeof key === "number" ? "*" : key)).join(".");
    });
    const unnoticed: string[] = [];
    for (const [kind, [path = []]] of kinds) {
      const { run: spoilt, bodies } = spoilAt(open, path);
      const run = path[1] === "key" ? spoilt : { ...spoilt, key: runKey(spoilt.manifest, spoilt.caseId) };
      const begin = { ...bodies[0], manifestHash: hashValue(run) };
      const texts = [begin, ...bodies.slice(1)].map((body) => JSON.stringify(body));
      const forged = linkAnew({ ...proof, run }, (_, seq) => texts[seq] ?? "");
      if (kind === "begin.manifestHash" || (await recomputeProof(forged)).some(({ ok }) => !ok)) continue;
      unnoticed.push(kind);
    }
    const isListed = (kind: string): boolean => onlyHashed.some((one) => kind === one || kind.startsWith(`${one}.`));
    expect(unnoticed.filter((kind) => !isListed(kind))).toEqual([]);
    expect(kinds.size).toBeGreaterThan(100);
  },
);

it.each([0, 100])(
  "an honest run that failed verifies, and again when it was resumed (%s tokens a call)",
  async (tokens) => {
    const store = memoryStore();
    let isDown = true;
    const player: Player = {
      id: "own",
      async play(_role, _input, { key, reserve }) {
        const { settle } = await reserve({ calls: 1, tokens, usd: 0 });
        settle({ calls: 1, tokens: tokens / 2, usd: 0 });
        if (isDown && key.role === "b") throw new ParleyError("endpoint_failed", "it is down");
        const usage = { ...noUsage, calls: 1, inputTokens: tokens / 2 };
        return { reply: { value: { value: 3 } }, usage, finish: null };
      },
    };
    const setting = { store, castOf: async () => () => player };
    const { runId, finished } = await startRun(setting, { pack: toyPack, input: { question: "?" }, cast: "m" });
    expect(finished.result.outcome).toBe("failed");
    expect((await verifyRun(store, runId, toyPack)).filter(({ ok }) => !ok)).toEqual([]);
    isDown = false;
    await continueRun(setting, toyPack, runId);
    expect((await verifyRun(store, runId, toyPack)).filter(({ ok }) => !ok)).toEqual([]);
  },
);

describe("parley export --proof", () => {
  it("writes one file only", async () => {
    const cwd = newFolder();
    await runCli(["sentiment", "Good pasta."], { cwd });
    const { code, err } = await runCli(["export", "--last", "--proof", "p.json"], { cwd });
    expect([code, err]).toEqual([0, expect.stringContaining("wrote p.json: proof")]);
    const twice = await runCli(["export", "--last", "--proof", "a.json", "--out", "b.json"], { cwd });
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining("leave out --format and --out")]);
  });
});

describe("parley-verify", () => {
  it("runs as a file of its own in a folder without Parley, and says what it cannot check", async () => {
    const home = newFolder();
    expect((await runCli(["doctor", "keys", "new"], { env: { PARLEY_HOME: home } })).out).toContain("fingerprint");
    const folder = newFolder();
    const file = await proveSentence(folder, { PARLEY_HOME: home });
    const tool = join(folder, "elsewhere", "parley-verify.mjs");
    mkdirSync(join(folder, "elsewhere"));
    cpSync(resolve(import.meta.dirname, "../bin/parley-verify.js"), tool);
    const ran = spawnSync(process.execPath, [tool, file], { encoding: "utf8" });
    expect(ran.status, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/ok {4}signed by [0-9a-f]{64}/);
    expect(ran.stdout).toContain("Parley is not installed here");
    expect(ran.stdout).toMatch(/recomputed   nothing\nby hash only outcome, .*decision/);
    writeFileSync(file, readFileSync(file, "utf8").replace("pasta", "pizza"));
    const escape = join(folder, "escape.json");
    const run = { id: "\u001b[2J", pack: "p", begun_at: "", journal_head: "" };
    const lists = { speakers: [], evidence: [], rules: [], people: [], contested: null, cost: {}, signature: null };
    const receipt = { format: "parley-receipt", version: 1, run, decision: { outcome: "decided" }, ...lists };
    writeFileSync(escape, `${JSON.stringify(receipt)}\n`);
    const steered = spawnSync(process.execPath, [tool, escape], { encoding: "utf8" });
    expect([steered.status, steered.stdout]).toEqual([0, expect.stringMatching(/^receipt of run �\[2J, p/)]);
    const forged = spawnSync(process.execPath, [tool, file], { encoding: "utf8" });
    expect([forged.status, forged.stderr]).toEqual([1, expect.stringContaining("WRONG")]);
  });
});

describe.each(packNames)("a receipt of a %s run", (name) => {
  it("says who spoke, on what evidence, by which rules and at what cost, and is signed to the last byte", async () => {
    const store = memoryStore();
    const pack = await loadPack(name);
    const { input, config } = pack.examples[0] ?? { input: null };
    const setting = { store, castOf: castOfStrings(store) };
    const { runId } = await startRun(setting, { pack, input, config, cast: "expert" });
    const stored = await readRun(store, runId);
    const bytes = Buffer.from(`${JSON.stringify(makeReceipt(pack, stored, makeKey(join(newFolder(), "key.pem"))))}\n`);
    const { receipt, signer } = checkReceipt(bytes);
    expect(receipt.run).toMatchObject({ id: runId, journal_head: stored.run.headHash });
    expect(receipt.speakers).toHaveLength(stored.turns.length);
    expect(receipt.decision.outcome).toBe(stored.result?.outcome);
    expect(receipt.rules).toHaveLength(stored.result?.notes.length ?? -1);
    for (const { used_by } of receipt.evidence)
      for (const turn of used_by) expect(receipt.speakers.map((speaker) => speaker.turn)).toContain(turn);
    const later = Buffer.from(`${JSON.stringify({ ...receipt, version: 2, signature: null })}\n`);
    expect(() => checkReceipt(later)).toThrow("not a receipt of a version that is known here");
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 400)) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => checkReceipt(changed, signer), `byte ${at}`).toThrow();
    }
  });
});

it("a receipt names the people: who answered, who set a rule aside and why, who ruled", async () => {
  const cwd = newFolder();
  const env = { PARLEY_HOME: newFolder() };
  const docs = ["--docs", "docs", "--cast", "expert,judge=person", "--protocol", "courtroom"];
  mkdirSync(join(cwd, "docs"));
  writeFileSync(join(cwd, "docs", "sale.md"), "Ida Holm sold the mill because the railway took away its trade.");
  await runCli(["ask", "Why did Ida Holm sell the mill?", ...docs], { cwd, env });
  const id = (await runCli(["review"], { cwd, env })).out.split(" ")[0] ?? "";
  const reply = { answer: "The moon.", winner: 1, reasoning: "I say so.", confidence: 0.9 };
  const answer = ["--answer", JSON.stringify(reply), "--reviewer", "Noor", "--overrule", "I saw the deed"];
  await runCli(["review", id, ...answer], { cwd, env });
  const { out, err } = await runCli(["export", id, "--format", "receipt"], { cwd, env });
  expect(err).toContain("not signed");
  const { receipt } = checkReceipt(Buffer.from(out));
  expect(receipt.people).toEqual([
    { by: "Noor", did: "overruled", where: "3/judge/judge", why: "I saw the deed", at: null },
  ]);
  expect(receipt.speakers.at(-1)).toMatchObject({ player: "person/Noor", kind: "person" });
  const shown = JSON.parse((await runCli(["show", id, "--json"], { cwd, env })).out) as { people: unknown[] };
  expect(shown.people).toEqual([{ by: "Noor", did: "overruled", where: "3/judge/judge", why: "I saw the deed" }]);
  const resumed = JSON.parse((await runCli(["resume", id, "--json"], { cwd, env })).out) as { parley: object };
  expect(resumed.parley).toMatchObject({ people: [{ by: "Noor", did: "overruled" }] });
  expect(receipt.evidence.some(({ quote }) => quote.includes("railway"))).toBe(true);
  expectMapped(receipt);
});

/** docs/compliance.md gives every field of a receipt to a duty, and names none that a receipt has not. */
function expectMapped(receipt: object): void {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/compliance.md"), "utf8");
  const table = page.split("\n").filter((line) => line.startsWith("|"));
  const named = [...table.join("").matchAll(/`([a-z_.[\]]+)`/g)].map(([, path = ""]) =>
    path.replace("[].", ".0.").replace("[]", ""),
  );
  for (const path of named) expect(receipt, path).toHaveProperty(path);
  const { run, decision, format: _, version: __, ...rest } = receipt as Record<string, object>;
  const parts = Object.entries({ run, decision }).flatMap(([name, part = {}]) =>
    Object.keys(part).map((key) => `${name}.${key}`),
  );
  const isNamed = (field: string): boolean => named.some((path) => `${field}.`.startsWith(`${path}.`));
  const whole = Object.keys(rest).filter((field) => !isNamed(field));
  expect([...whole, ...parts.filter((field) => !isNamed(field))]).toEqual([]);
  for (const duty of ["12(1)", "12(2)(a)", "12(2)(b)", "14(4)(a)", "14(4)(b)", "14(4)(c)", "14(4)(d)", "14(4)(e)"])
    expect(page).toContain(`| ${duty}`);
}

it.runIf(process.platform === "linux")(
  "parley-verify reads no further than a proof may be, and says so of what is none",
  () => {
    const tool = resolve(import.meta.dirname, "../bin/parley-verify.js");
    const ran = spawnSync(process.execPath, [tool, "/dev/zero"], { encoding: "utf8", timeout: 60_000 });
    expect([ran.status, ran.stderr]).toEqual([1, "WRONG /dev/zero: it is larger than 400 MB\n"]);
    const file = join(newFolder(), "none.json");
    for (const text of ["null", "1", "[]", '"x"', "{}", ""]) {
      writeFileSync(file, text);
      const { status, stderr } = spawnSync(process.execPath, [tool, file], { encoding: "utf8" });
      expect([status, stderr], text).toEqual([
        1,
        expect.stringMatching(/this is not (a proof|JSON)|not written as a proof/),
      ]);
    }
  },
);

describe("parley doctor keys", () => {
  it("makes one key, keeps it from others, and never replaces it", async () => {
    const env = { PARLEY_HOME: newFolder() };
    expect((await runCli(["doctor", "keys"], { env })).out).toContain("no signing key yet");
    expect((await runCli(["doctor", "keys", "new"], { env })).code).toBe(0);
    expect(statSync(join(env.PARLEY_HOME, "signing-key.pem")).mode & 0o777).toBe(0o600);
    const again = await runCli(["doctor", "keys", "new"], { env });
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("there is a key already")]);
  });

  it("a file that is no key is an error that says so", () => {
    const file = join(newFolder(), "key.pem");
    writeFileSync(file, "hello");
    expect(() => readKey(file)).toThrow(/is not an Ed25519 key/);
  });
});
