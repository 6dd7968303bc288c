import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { AnyPack } from "../src/engine/pack.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { type ExpertTurn, playExpertTurns } from "../src/runs/estimate.ts";
import { configsOf } from "./abuse/sampled-turns.ts";
import type { Citable, Citing } from "./support/evidence/citing.ts";
import { citings } from "./support/evidence/citings.ts";

const shopLog = readFileSync(resolve(import.meta.dirname, "../examples/logs/shop.log"), "utf8");

/** Cases beside the examples: a log of which only a part can be shown. */
const further: Record<string, { text: string; config: object }[]> = {
  "root-cause": [{ text: shopLog, config: { log_tokens: 400 } }],
};

/** The debates of a pack's examples under every config, and of the further cases. */
async function listDebates(pack: AnyPack): Promise<ExpertTurn[][]> {
  const examples = pack.examples.flatMap(({ input }) => configsOf(pack).map((config) => ({ input, config })));
  const own = await Promise.all((further[pack.name] ?? []).map(async ({ text, config }) => ({ input: text, config })));
  return Promise.all([...examples, ...own].map((one) => playExpertTurns({ pack, ...one, cast: "expert", seed: 7 })));
}

/** What is said about a citation by the role that is given it; null when the reply itself is not one of its replies. */
function judge({ role, input, reply }: ExpertTurn, citing: Citing, item: Citable): "accepted" | "refused" | null {
  const parsed = role.reply.safeParse(citing.cite(JSON.parse(reply) as object, item));
  if (!parsed.success) return null;
  const problems = role.check?.(parsed.data, input) ?? [];
  return problems.some(citing.isRefusal) ? "refused" : "accepted";
}

function canCite({ reply, prompt }: ExpertTurn, citing: Citing): boolean {
  const value = JSON.parse(reply || "null") as object | null;
  return value !== null && citing.canCite(value, prompt);
}

describe.each(Object.entries(citings))("%s", (_, citing) => {
  test("what a prompt shows can be cited, what it does not show cannot", async () => {
    const debates = await listDebates(await loadPack(citing.pack));
    let [accepted, refused] = [0, 0];
    for (const turns of debates) {
      const pool = turns.flatMap(({ prompt }) => citing.listShown(prompt));
      for (const turn of turns.filter((one) => canCite(one, citing))) {
        const shown = citing.listShown(turn.prompt);
        const own = new Set(shown.map(({ id }) => id));
        for (const item of shown) {
          const said = judge(turn, citing, item);
          expect([turn.role.name, item.id, said]).toEqual([turn.role.name, item.id, "accepted"]);
          accepted += 1;
        }
        const isHidden = ({ id }: Citable) => !own.has(id) && citing.quotes?.(turn.prompt, id) !== true;
        const given = citing.listGiven?.(turn.input) ?? [];
        for (const item of [...citing.unseen, ...[...pool, ...given].filter(isHidden)]) {
          const said = judge(turn, citing, item);
          expect([turn.role.name, item.id, said]).toEqual([turn.role.name, item.id, "refused"]);
          refused += 1;
        }
      }
    }
    expect(accepted).toBeGreaterThan(5);
    expect(refused).toBeGreaterThan(0);
  });
});

test("every pack says how its replies cite", () => {
  expect(new Set(Object.values(citings).map(({ pack }) => pack))).toEqual(new Set(packNames));
});
