import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { suggestName } from "../../text/nearest-name.ts";
import { shortenText } from "../../text/short-text.ts";

const share = z.number().min(0).max(1);

/** What a synthetic speaker is like. Shares are chances, each drawn by itself from the seed. */
export const SyntheticSettingsSchema = z.strictObject({
  /** How often it finds the right answer by itself. */
  accuracy: share.default(0.7),
  /** How much its chance varies from turn to turn: 0 always the same, 1 as much as the accuracy allows. */
  spread: share.default(0.5),
  /** 1: it states the chance that it is right; 0: it always says .95. */
  calibration: share.default(1),
  /** The chance that its finding is the one that everybody with this share has in common. */
  correlation: share.default(0),
  /** The chance that it keeps its answer before it even considers others. */
  stubbornness: share.default(0),
  /** The chance that what others say shows it the right answer. */
  insight: share.default(0),
  /** The chance that it goes with others, and with whom: the majority, or anyone it heard. */
  conformity: share.default(0),
  follow: z.enum(["majority", "peer"]).default("majority"),
  /** The chance that it says nothing. */
  abstention: share.default(0),
  /** How long it takes, in milliseconds. */
  latency: z.number().min(0).max(600_000).default(0),
  /** The right answer; left out, the first of those that the role can give. */
  truth: z.string().optional(),
});
export type SyntheticSettings = z.infer<typeof SyntheticSettingsSchema>;

/** Reads `accuracy=0.7,conformity=0.4`. */
export function readSyntheticSettings(text: string): SyntheticSettings {
  const known = Object.keys(SyntheticSettingsSchema.shape);
  const given: Record<string, unknown> = {};
  for (const part of text.split(",").filter((one) => one.trim() !== "")) {
    const [name = "", value = ""] = part.split("=").map((one) => one.trim());
    if (!known.includes(name))
      throw new ParleyError(
        "bad_cast",
        `synthetic(…): unknown setting "${shortenText(name)}"${suggestName(name, known)}`,
      );
    given[name] = value !== "" && Number.isFinite(Number(value)) && name !== "truth" ? Number(value) : value;
  }
  const parsed = SyntheticSettingsSchema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = explainIssues(SyntheticSettingsSchema, parsed.error);
  throw new ParleyError("bad_cast", `synthetic(…): ${formatPath(issue?.path ?? [])}: ${issue?.message ?? "is wrong"}`);
}

/** The settings as a cast string writes them, without the defaults. */
export function writeSyntheticSettings(settings: SyntheticSettings): string {
  const defaults = SyntheticSettingsSchema.parse({}) as Record<string, unknown>;
  return Object.entries(settings)
    .filter(([name, value]) => value !== undefined && value !== defaults[name])
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}
