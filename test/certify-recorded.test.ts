import { expect, it } from "vitest";
import { loadPack } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/start/cast-of.ts";
import { memoryStore } from "../src/store/memory-store.ts";
import { binomialTail } from "../src/studies/statistics/intervals.ts";
import { chooseThreshold, DatasetSchema, labelCases, loadDataset } from "../src/studies/index.ts";
import { createRandom, shuffle } from "../src/text/random.ts";
import { shareOf } from "./support/share.ts";

const files = [
  "examples/law/told-scenarios.jsonl",
  "examples/law/told-fresh.jsonl",
  "examples/law/told-contested.jsonl",
];

it("a certificate keeps its promise on 200 random splits of debates that were held and kept", async () => {
  const pack = await loadPack("law");
  const store = memoryStore();
  const root = new URL("..", import.meta.url).pathname;
  const sets = shareOf(files, (_, at) => at === 0).map((path) =>
    loadDataset(DatasetSchema.parse({ path }), pack, root),
  );
  const cases = (await Promise.all(sets)).flatMap((set) => set.cases);
  const request = { pack, config: {}, cast: "expert", seed: 0, budget: {} };
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
