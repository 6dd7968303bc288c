import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { noUsage } from "../../src/contract/budget.ts";
import type { Played, Player } from "../../src/engine/player.ts";
import { loadPack } from "../../src/packs/registry.ts";
import { loadPageRenderer } from "../../src/print/viewer-build.ts";
import { exportHtml } from "../../src/runs/export/export-run.ts";
import { exportMarkdown } from "../../src/runs/export/export-run.ts";
import { exportPage } from "../../src/runs/export/export-run.ts";
import { readRun } from "../../src/runs/read-run.ts";
import { redecide } from "../../src/runs/redecide.ts";
import { isFlip } from "../support/influence.ts";
import { startRun } from "../../src/runs/start.ts";
import { verifyRun } from "../../src/runs/verify.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { memoryStore } from "../../src/store/sqlite.ts";
import { newFolder } from "../support/cli.ts";
import { timesOf } from "../support/share.ts";
import { playerOf, toyPack } from "../support/toy.ts";
import { spoiltReplies } from "./mutations.ts";

const docs = [{ id: "a.txt", text: "Ida Holm sold the mill because the railway took away its trade." }];

it.each([
  ["half a character", "\uD800 and \uDC00"],
  ["a character of no text", "\u0000 and \u0008 and \uFEFF"],
  ["a turned direction", "\u202Eturned\u2066"],
  ["an escape sequence", "\u001B]0;title\u0007"],
  ["a key of the prototype", '__proto__ constructor "quoted" \\u0000 \\'],
  ["a closed script", "</script><!-- ]]> ```"],
  ["150,000 characters", "word ".repeat(30_000)],
])("a run whose replies hold %s is kept, verified, redecided and exported as it was", async (_name, words) => {
  const pack = await loadPack("question");
  const store = sqliteStore(join(newFolder(), "runs.db"));
  try {
    const reply = {
      answer: `the railway ${words}`,
      reasoning: words,
      confidence: 0.9,
      quotes: [],
      short_answer: null,
      search: null,
    };
    const player = playerOf(() => JSON.stringify(reply));
    const setting = { store, castOf: async () => () => player };
    const input = { question: `Why did Ida Holm sell the mill? ${words.slice(0, 1000)}`, docs };
    const { runId, finished } = await startRun(setting, {
      pack,
      input,
      cast: "expert",
      config: { only_documents: false },
    });
    expect(finished.result.outcome).toBe("decided");
    const stored = await readRun(store, runId);
    expect(stored.turns.map((turn) => turn.reply)).toEqual(stored.turns.map(() => reply));
    expect((await verifyRun(store, runId)).filter(({ ok }) => !ok)).toEqual([]);
    expect(isFlip(await redecide(pack, stored, []))).toBe(false);
    const page = exportPage(pack, stored);
    expect(exportHtml(page, await loadPageRenderer())).not.toContain(`${words}</script>`);
    expect(exportMarkdown(page)).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
  } finally {
    await store.close();
  }
});

/** A text, or with `value` the data that it is. */
type Said = Partial<Played> & { text: string; value?: unknown };

/** A debate whose first speaker replies so, call by call (the last one again and again), and the others well; what verify finds wrong. */
async function debateWith(replies: Said[]) {
  const store = memoryStore();
  let calls = 0;
  const player: Player = {
    id: "model",
    async play(_role, _input, { key, reserve }) {
      (await reserve({ calls: 1, tokens: 100, usd: 0 })).settle({ calls: 1, tokens: 20, usd: 0 });
      const { text, value, ...rest } =
        key.role === "a" ? (replies[calls++] ?? replies.at(-1) ?? { text: "" }) : { text: '{"value": 3}' };
      return {
        reply: value === undefined ? { text } : { value },
        usage: { ...noUsage, calls: 1, outputTokens: 20 },
        finish: "stop",
        ...rest,
      };
    },
  };
  const setting = { store, castOf: async () => () => player };
  const request = { pack: toyPack, input: { question: "How many?" }, cast: "m", config: { rounds: 1 } };
  const { runId } = await startRun(setting, request);
  const { turns } = await readRun(store, runId);
  return { turn: turns[0], wrong: (await verifyRun(store, runId, toyPack)).filter(({ ok }) => !ok) };
}

const good = { text: '{"value": 4}' };
const thought = { ...noUsage, calls: 1, outputTokens: 90, reasoningTokens: 70 };

it.each<[string, string, Said[]]>([
  ["cut at its limit", "repaired", [{ text: '{"val', finish: "length", outputLimit: 90 }, good]],
  [
    "cut at its limit while thinking",
    "repaired",
    [{ text: "", finish: "length", outputLimit: 90, usage: thought }, good],
  ],
  ["cut twice, nobody knows where", "abstained", [{ text: '{"val', finish: "length" }]],
  ["only thoughts", "repaired", [{ text: "", finish: "reasoning-only", usage: thought }, good]],
  ["withheld by its provider", "abstained", [{ text: "", finish: "content-filter" }]],
  ["a refusal", "abstained", [{ text: "I'm sorry, but I can't help with that." }]],
  ["malformed and then good", "repaired", [{ text: '{"value": four}' }, good]],
  ["malformed twice", "abstained", [{ text: "four" }, { text: "about four" }]],
  ["mended", "answered", [{ text: "Sure! {'value': \"4\",}" }]],
  ["salvaged", "salvaged", [{ text: '{"value": 60}' }]],
  ["too much, and salvaged after the repair", "salvaged", [{ text: '{"value": 600}' }, { text: '{"value": 60}' }]],
  ["several at once", "abstained", [{ text: '{"value": 1} {"value": 2}' }]],
  ["empty", "abstained", [{ text: "" }]],
  ["a text of which nobody knows how it ended", "abstained", [{ text: "four", finish: null }]],
  ["data, although models say how they ended", "abstained", [{ text: "", value: { value: "4" } }]],
  ["data that JSON has not", "abstained", [{ text: "", value: { value: Number.NaN }, finish: null }]],
])("an honest run in which a reply is %s verifies", async (_name, status, replies) => {
  const { turn, wrong } = await debateWith(replies);
  expect(turn?.status).toBe(status);
  expect(wrong).toEqual([]);
});

it("an honest run verifies, whatever its replies are and however they ended", { timeout: 120_000 }, async () => {
  const text = spoiltReplies([{ value: 4 }, { value: 60 }, { value: 600 }], new Set());
  const said = fc.record({
    text,
    value: fc.option(
      fc.json({ maxDepth: 2 }).map((json): unknown => JSON.parse(json)),
      { nil: undefined },
    ),
    finish: fc.constantFrom("stop", "length", "content-filter", "reasoning-only", "tool-calls", null),
    outputLimit: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
    usage: fc.constantFrom(thought, { ...noUsage, calls: 1, outputTokens: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 2 }), async (replies) => {
      expect((await debateWith(replies)).wrong).toEqual([]);
    }),
    { numRuns: timesOf({ quick: 260, whole: 3_000 }), seed: 35 },
  );
});
