/** Configurations that were accepted at random are run: each ends properly, verifies, and resumes to the same end. */
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { encodeCanonicalJson } from "../../src/engine/hash.ts";
import { createMemoryJournal } from "../../src/engine/journal.ts";
import type { AnyPack } from "../../src/engine/pack.ts";
import { createRandom } from "../../src/text/random.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { loadPack, packNames } from "../../src/packs/registry.ts";
import { castOfStrings } from "../../src/runs/cast.ts";
import { startRun } from "../../src/runs/start.ts";
import { verifyRun } from "../../src/runs/verify.ts";
import { memoryStore } from "../../src/store/sqlite.ts";
import { configure } from "../support/abuse/config-path.ts";
import type { SchemaNode } from "../support/abuse/json-schema.ts";
import { pick, randomValue, yamlOf } from "../support/abuse/random-values.ts";
import { timesOf } from "../support/share.ts";

vi.setConfig({ testTimeout: 240_000 });
const seed = Number(process.env.PARLEY_ABUSE_SEED ?? 7);

/** Distinct configs of a pack that were accepted. */
async function acceptedConfigs(pack: AnyPack, count: number): Promise<unknown[]> {
  const schema = z.toJSONSchema(pack.config, { io: "input", unrepresentable: "any" }) as SchemaNode;
  const random = createRandom(seed + 900);
  const found = new Map<string, unknown>();
  for (let tries = 0; found.size < count && tries < count * 30; tries += 1) {
    const value = randomValue(random, schema, schema, 0.01);
    const { manifest } = await configure(pack, `${JSON.stringify(pack.name)}: ${yamlOf(value)}`);
    const namesLayer = manifest !== undefined && manifest !== null && "learnt" in (manifest.given as object);
    if (manifest && !namesLayer) found.set(encodeCanonicalJson(manifest.config), manifest.given);
  }
  return [...found.values()];
}

const timeless = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (/^(startedMs|durationMs|elapsedMs|spend)$/.test(key) ? 0 : inner));

/** How many configs of each pack are run: a law debate reads its whole corpus, so fewer of them. */
const counts: Record<string, number> = {
  question: timesOf({ quick: 24, whole: 120 }),
  sentiment: timesOf({ quick: 22, whole: 110 }),
  "root-cause": timesOf({ quick: 12, whole: 60 }),
  law: timesOf({ quick: 4, whole: 16 }),
};

describe.each(packNames)("accepted configs of the %s pack", (name) => {
  it("end in an outcome, verify, and resume from any point to the same result", async () => {
    const pack = await loadPack(name);
    const configs = await acceptedConfigs(pack, counts[name] ?? 100);
    expect(configs.length).toBe(counts[name] ?? 100);
    const random = createRandom(seed);
    for (const config of configs) {
      const store = memoryStore();
      const setting = { store, castOf: castOfStrings(store, { env: {} }) };
      const { input } = pick(random, pack.examples);
      const { runId, finished } = await startRun(setting, { pack, input, config, cast: "expert", seed: 3 });
      const what = JSON.stringify(config);
      expect(["decided", "undecided", "escalated"], `${what}: ${finished.result.reasons.join("; ")}`).toContain(
        finished.result.outcome,
      );
      const wrong = (await verifyRun(store, runId)).filter((finding) => !finding.ok);
      expect(wrong, what).toEqual([]);
      const { entries } = await store.journal(runId);
      const cut = structuredClone(entries.slice(0, 1 + Math.floor(random() * (entries.length - 1))));
      const cast = await setting.castOf("expert", pack.roles(finished.config), {});
      const again = await runDebate({
        pack,
        input: finished.input as unknown,
        config: finished.config as unknown,
        cast,
        seed: 3,
        journal: createMemoryJournal(cut),
      });
      expect(timeless(again.result), what).toBe(timeless(finished.result));
    }
  });
});
