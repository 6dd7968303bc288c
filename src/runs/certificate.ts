import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import { checkValue } from "./settings.ts";

const share = z.number().min(0).max(1);

/** What may be acted on, and what that promise rests on. */
export const CertificateSchema = z.strictObject({
  format: z.literal("parley-certificate"),
  version: z.literal(1),
  pack: z.string(),
  /** At most this share of the decisions that are acted on is wrong, with this certainty over the choice of labelled cases. */
  promise: z.strictObject({ max_wrong: share, certainty: share }),
  /** Act where the stated confidence is at least this; null when no threshold keeps the promise. */
  act_above: share.nullable(),
  /** What it was found on: labelled cases, those acted on, those of them that were wrong, and the bound of their share. */
  found_on: z.strictObject({
    source: z.string(),
    cases: z.int(),
    acted: z.int(),
    wrong: z.int(),
    bound: share.nullable(),
  }),
  /** What shifts it: another cast, other settings or another Parley than these. */
  made_with: z.strictObject({ parley: z.string(), cast: z.string().nullable(), config: z.unknown() }),
  made_at: z.string(),
});
export type Certificate = z.infer<typeof CertificateSchema>;

/** Reads a certificate. */
export function readCertificate(file: string): Certificate {
  if (!existsSync(file))
    throw new ParleyError("bad_input", `there is no certificate ${file}; \`parley study certify\` makes one`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new ParleyError("bad_input", `the certificate ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  return checkValue(CertificateSchema, value, `the certificate ${file}`, "bad_input");
}

/** The confidence from which on a certificate lets a pack act; one of another pack, or that promises nothing, is refused. */
export function requireThreshold({ pack, act_above, promise }: Certificate, name: string): number {
  if (pack !== name) throw new ParleyError("bad_input", `the certificate is for the ${pack} pack, not for ${name}`);
  if (act_above !== null) return act_above;
  throw new ParleyError(
    "bad_input",
    `the certificate promises nothing: on its cases no confidence kept wrong decisions under ${percent(promise.max_wrong)}`,
  );
}

function percent(value: number): string {
  return `${Number((100 * value).toFixed(1))} %`;
}
