import { expect, it } from "vitest";
import * as z from "zod";
import { PatchJudgeReplySchema, StanceSummarySchema } from "./debate.ts";
import { AspectReviewSchema, SentimentReviewSchema } from "./stage2.ts";

it.each([
  ["the judge of a patch debate", PatchJudgeReplySchema, ["sentence_evidence_spans", "rationale"], "final_patch"],
  ["the judge of a stance debate", StanceSummarySchema, ["key_disagreements", "rationale"], "winner"],
  ["a review of an aspect", AspectReviewSchema, ["reason"], "action"],
  ["a review of a sentiment", SentimentReviewSchema, ["reason"], "action"],
] as const)("%s gives its reasons before it concludes", (_, schema, reasons, conclusion) => {
  const keys = Object.keys(z.toJSONSchema(schema, { io: "output" }).properties ?? {});
  for (const reason of reasons) expect(keys).toContain(reason);
  expect(reasons.filter((reason) => keys.indexOf(reason) > keys.indexOf(conclusion))).toEqual([]);
});
