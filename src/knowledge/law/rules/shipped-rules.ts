import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod";
import { type Rule, RuleSchema } from "./rule.ts";

const folder = new URL("../../../../data/law/rules/", import.meta.url);
let shipped: Rule[] | null = null;

/** The rules that ship with the product, one file per community and one for national law; loaded once. */
export function loadRules(): Rule[] {
  shipped ??= readdirSync(folder)
    .toSorted()
    .flatMap((file) => z.array(RuleSchema).parse(JSON.parse(readFileSync(new URL(file, folder), "utf8"))));
  return shipped;
}
