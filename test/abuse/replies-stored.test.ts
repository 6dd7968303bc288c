import { join } from "node:path";
import { expect, it } from "vitest";
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
import { newFolder } from "../support/cli.ts";
import { playerOf } from "../support/toy.ts";

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
    const page = await exportPage(store, pack, stored);
    expect(exportHtml(page, await loadPageRenderer())).not.toContain(`${words}</script>`);
    expect(exportMarkdown(page)).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
  } finally {
    await store.close();
  }
});
