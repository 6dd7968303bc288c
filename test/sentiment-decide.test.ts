/** `decide` on what a run recorded comes to the run's own decision. */
import { expect, it } from "vitest";
import { runDebate } from "../src/index.ts";
import { decide } from "../src/packs/sentiment/index.ts";
import { sentiment } from "../src/packs/sentiment/pack.ts";

const texts = [
  "For the price it is a lovely lamp.",
  "택배는 월요일에 왔어요. 포장은 꼼꼼한데 향이 너무 약해요.",
  "The battery life is not bad at all, but the screen scratches far too easily.",
  "What a joke, the screen cracked on day one. Great quality!",
  "그냥 정말 만족합니다",
];

it.each(texts.flatMap((text) => [[text, "patch"] as const, [text, "stance"] as const]))(
  "%s (%s)",
  async (text, style) => {
    const config = { debate: { style } };
    const { result } = await runDebate(sentiment, { id: "x", text }, { config });
    const run = result.decision;
    if (!run) throw new Error("no decision");
    const { process_trace } = run;
    const again = decide({
      text,
      text_id: "x",
      config,
      stage1: { process_trace },
      debate: { process_trace },
      stage2: { process_trace },
    });
    for (const part of ["settlements", "override_gate", "correction_applied_log", "moderator", "final_result"] as const)
      expect(again[part]).toEqual(run[part]);
    expect(again.meta.ev_score).toBe(run.meta.ev_score);
  },
);
