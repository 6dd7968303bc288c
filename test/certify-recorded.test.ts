import { expect, it } from "vitest";
import { loadPack } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { binomialTail } from "../src/studies/statistics/statistics.ts";
import { chooseThreshold, DatasetSchema, labelCases, loadDataset } from "../src/studies/index.ts";
import { createRandom, shuffle } from "../src/text/random.ts";
import { timesOf } from "./support/share.ts";

/** Real models that were recorded on MMLU-Pro, by speaker. */
const models = {
  pro: "gemini-1.5-pro-002",
  flash: "gemini-1.5-flash-002",
  deepseek: "DeepSeek-Coder-V2",
  llama: "Meta-Llama-3_1-70B-Instruct",
  qwen: "Qwen1.5-110B",
};
const cast = Object.entries(models).map(([speaker, model]) => `${speaker}=recorded(mmlu-pro:${model})`);
const personas = Object.fromEntries(
  Object.entries(models).map(([speaker, name]) => [speaker, { name, role: "a model", goal: "answer the question" }]),
);

it("a certificate keeps its promise on 200 random splits of votes of recorded models", async () => {
  const pack = await loadPack("question");
  const store = memoryStore();
  const root = new URL("..", import.meta.url).pathname;
  const dataset = DatasetSchema.parse({
    path: "data/recorded/mmlu-pro.jsonl.gz",
    format: "jsonl",
    map: { id: "id", input: { question: "question", choices: "choices" }, gold: { answer: "gold" } },
    limit: timesOf({ quick: 120, whole: 600 }),
    shuffle: 1,
    skip_bad_rows: true,
  });
  const { cases } = await loadDataset(dataset, pack, root);
  const request = { pack, config: { protocol: "vote", personas }, cast: cast.join(","), seed: 0, budget: {} };
  const all = await labelCases({ store, castOf: castOfStrings(store) }, pack, cases, { request, concurrency: 4 });
  const maxWrong = 0.2;
  let [broken, certified] = [0, 0];
  for (let split = 0; split < 200; split += 1) {
    const mixed = shuffle(all, createRandom(split));
    const half = Math.floor(all.length / 2);
    const { threshold } = chooseThreshold(mixed.slice(0, half), maxWrong);
    if (threshold === null) continue;
    certified += 1;
    const acted = mixed.slice(half).filter(({ confidence }) => confidence !== null && confidence >= threshold);
    const wrong = acted.filter(({ right }) => !right).length;
    if (binomialTail(wrong - 1, acted.length, maxWrong) > 0.95) broken += 1;
  }
  expect(certified).toBeGreaterThan(0);
  expect(broken / certified).toBeLessThanOrEqual(0.05);
});
