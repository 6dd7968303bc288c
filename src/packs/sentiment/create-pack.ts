import { definePack, type Pack } from "../../engine/pack.ts";
import { sentimentArtifacts } from "./artifacts/artifacts.ts";
import { type SentimentConfig, SentimentConfigSchema } from "./config/config.ts";
import { examples } from "./examples.ts";
import { measure } from "./measure/measure.ts";
import { prompts } from "./prompts/read-prompt.ts";
import { sentimentProtocol } from "./protocol/protocol.ts";
import { report } from "./report/report.ts";
import { view } from "./report/view.ts";
import type { SentimentExperts } from "./role-inputs.ts";
import { seats, sentimentRoles } from "./roles/roles.ts";
import { type FinalOutput, FinalOutputSchema } from "./schemas/final-output.ts";
import { type SentimentCase, SentimentCaseSchema } from "./sentiment-case.ts";
import { verifyRun } from "./verify/verify-run.ts";

/** The pack with these experts: Stage 1, a debate, reviews, and rules that decide what of it stands. */
export function createSentimentPack(experts: SentimentExperts): Pack<SentimentCase, SentimentConfig, FinalOutput> {
  const roles = sentimentRoles(experts);
  return definePack<SentimentCase, SentimentConfig, FinalOutput>({
    name: "sentiment",
    summary:
      "Aspect-based sentiment in Korean and English: analysis, debate, review, and rules that decide what stands.",
    input: SentimentCaseSchema,
    config: SentimentConfigSchema,
    decision: FinalOutputSchema,
    roles: (config) => seats(roles, config),
    protocol: sentimentProtocol(roles),
    examples,
    prompts,
    fromText: (text) => ({ text }),
    subject: ({ text }) => text,
    headline: ({ final_result: { label, final_aspects } }) => ({
      sentence: label,
      aspects: final_aspects.map((one) => `${one.aspect_ref || "(implicit)"} ${one.polarity}`).join(", ") || "none",
    }),
    report,
    view,
    artifacts: ({ result }) => sentimentArtifacts(result.decision ? [result.decision] : []),
    verify: ({ result }) => verifyRun(result.decision),
    controls: {
      single: { protocol: "single" },
      vote: { protocol: "vote" },
      self_consistency: (samples) => ({ protocol: "self_consistency", samples }),
    },
    measure,
  });
}
