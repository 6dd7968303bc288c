import { headlineOf, listFindings, pickTerminalSections } from "../src/runs/show-run.ts";
import { readRun } from "../src/runs/read-run.ts";
import { redecide } from "../src/runs/redecide.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { makeManifest, startRun } from "../src/runs/start.ts";
import { verifyRun } from "../src/runs/verify.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { describe, expect, it } from "vitest";
import { renderTerminal } from "../src/print/terminal/render-terminal.ts";
import type { JournalEntry } from "../src/contract/journal.ts";
import { createMemoryJournal } from "../src/engine/journal.ts";
import type { AnyPack } from "../src/engine/pack.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { buildCast, parseCast } from "../src/players/cast.ts";

/** Runs an example with the experts, on a journal that can be looked at. */
async function play(pack: AnyPack, example: AnyPack["examples"][number], entries: JournalEntry[] = []) {
  const { input, config } = makeManifest({ pack, input: example.input, config: example.config, cast: "expert" });
  const roles = pack.roles(config);
  const cast = buildCast(
    parseCast(
      "expert",
      roles.map((role) => role.name),
    ),
    { roles },
  );
  return runDebate({ pack, input, config, cast, seed: 7, journal: createMemoryJournal(entries) });
}

const timeless = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === "startedMs" || key === "durationMs" ? 0 : inner));

/** What every pack promises, by being registered. */
describe.each(packNames)("the %s pack", (name) => {
  it("has a default config, unique role names, examples and prompts with text", async () => {
    const pack = await loadPack(name);
    const config: unknown = pack.config.parse({});
    const names = pack.roles(config).map((role) => role.name);
    expect(new Set(names).size).toBe(names.length);
    expect(pack.name).toBe(name);
    expect(pack.examples.length).toBeGreaterThan(0);
  });

  it("refuses an unknown config key and an empty input", async () => {
    const pack = await loadPack(name);
    expect(pack.config.safeParse({ no_such_key: 1 }).success).toBe(false);
    expect(pack.input.safeParse({}).success).toBe(false);
  });

  it("gives the same bytes for the same case, config, cast of experts and seed", async () => {
    const pack = await loadPack(name);
    for (const example of pack.examples) {
      const [first, second] = [await play(pack, example), await play(pack, example)];
      expect(timeless(second)).toBe(timeless(first));
      expect(pack.artifacts?.(second)).toEqual(pack.artifacts?.(first));
    }
  });

  it("decides with every expert answering, and its decision fits its schema as JSON", async () => {
    const pack = await loadPack(name);
    for (const example of pack.examples) {
      const { result } = await play(pack, example);
      expect(result.outcome, result.reasons.join("; ")).not.toBe("failed");
      expect(pack.decision.safeParse(JSON.parse(JSON.stringify(result.decision))).error).toBeUndefined();
      expect(result.quorum.asked).toBeGreaterThan(0);
    }
  });

  it("says what a case is about and what a decision comes to in few words, and makes a case of text", async () => {
    const pack = await loadPack(name);
    for (const example of pack.examples) {
      const finished = await play(pack, example);
      expect(pack.story({ ...finished, turns: [], decision: null }).subject).toBeTruthy();
      const headline = Object.values(headlineOf(pack, finished));
      expect(headline.length).toBeGreaterThan(0);
      for (const text of headline) expect(text.trim()).not.toBe("");
    }
    const text = "2026-03-01 10:00:00 ERROR writer: No space left on device";
    expect(pack.input.safeParse(text).error).toBeUndefined();
  });

  it("reports, views and verifies what it decided", async () => {
    const pack = await loadPack(name);
    for (const example of pack.examples) {
      const finished = await play(pack, example);
      const report = renderTerminal(pickTerminalSections(pack, finished), { width: 80, color: false });
      expect(report.trim()).not.toBe("");
      expect(report).not.toContain("\u001B");
      expect(pickTerminalSections(pack, finished)[0]?.kind).toBe("verdict");
      expect(pack.sections(finished).length).toBeGreaterThan(0);
      for (const finding of listFindings(pack, finished)) expect(finding.ok, JSON.stringify(finding)).toBe(true);
    }
  });

  it("a recorded run verifies and redecides to the same bytes, whatever readers know by then", async () => {
    const pack = await loadPack(name);
    const changed: AnyPack = {
      ...pack,
      prepare: () => {
        throw new Error("asked what a program knows");
      },
    };
    for (const { input, config } of pack.examples) {
      const store = memoryStore();
      const setting = { store, castOf: castOfStrings(store) };
      const { runId } = await startRun(setting, { pack, input, config, cast: "expert" });
      expect((await verifyRun(store, runId, changed)).filter(({ ok }) => !ok)).toEqual([]);
      const stored = await readRun(store, runId);
      const { finished, decision } = await redecide(changed, stored, []);
      expect(decision).toEqual([]);
      expect(JSON.stringify(finished.result.decision)).toBe(JSON.stringify(stored.result?.decision));
    }
  });

  it("resumes from any prefix of its journal to the same result", async () => {
    const pack = await loadPack(name);
    const [example] = pack.examples;
    if (!example) throw new Error("no example");
    const entries: JournalEntry[] = [];
    const whole = await play(pack, example, entries);
    for (const cut of [1, Math.floor(entries.length / 3), Math.floor(entries.length / 2), entries.length - 1]) {
      const stored = JSON.parse(JSON.stringify(entries.slice(0, cut))) as JournalEntry[];
      const again = await play(pack, example, stored);
      expect(timeless(again.result)).toBe(timeless(whole.result));
    }
  });
});
