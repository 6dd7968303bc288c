import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPack, packNames } from "../../packs/registry.ts";
import { DatasetSchema, loadDataset } from "./load-dataset.ts";

const data = process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../../../shared/data");
const there = existsSync(data);
if (!there) console.warn(`skipped: there is no ${data}; set PARLEY_DATA to test the loaders on public data`);

const files: { path: string; format: string; pack: string; cases: number }[] = [
  { path: "absa_en/mams_atsa_val.jsonl", format: "absa", pack: "sentiment", cases: 500 },
  { path: "absa_ko/kor_semeval14_train_400.jsonl", format: "absa", pack: "sentiment", cases: 399 },
];

describe.skipIf(!there)("public data", () => {
  it.each(files.filter(({ pack }) => packNames.includes(pack)))(
    "$path becomes cases of the $pack pack",
    async ({ path, format, pack, cases }) => {
      const found = await loadDataset(
        DatasetSchema.parse({ path, format, skip_bad_rows: true }),
        await loadPack(pack),
        data,
      );
      expect(found.cases).toHaveLength(cases);
      expect(found.cases.every((one) => one.gold !== null)).toBe(true);
      expect(JSON.stringify(found.cases[0]?.input)).not.toMatch(/polarity|####|expected_|label_logdelta|root_service/);
    },
  );
});
