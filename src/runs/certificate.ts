import { existsSync, readFileSync, statSync } from "node:fs";
import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import { type Jury, JurySchema } from "../contract/jury.ts";
import { checkValue } from "./settings.ts";

const share = z.number().min(0).max(1);

const CertificateSchema = z.strictObject({
  format: z.literal("parley-certificate"),
  version: z.literal(1),
  pack: z.string(),
  promise: z.strictObject({ max_wrong: share, certainty: share }),
  act_above: share.nullable(),
  found_on: z.strictObject({
    source: z.string(),
    cases: z.int(),
    acted: z.int(),
    wrong: z.int(),
    bound: share.nullable(),
  }),
  made_with: z.strictObject({ parley: z.string(), cast: z.string().nullable(), config: z.unknown() }),
  made_at: z.string(),
});
export type Certificate = z.infer<typeof CertificateSchema>;

export function readCertificate(file: string): Certificate {
  return readMade(file, CertificateSchema, "certificate", "parley study certify");
}

export function readJury(file: string): Jury {
  return readMade(file, JurySchema, "jury", "parley study jury --out");
}

function readMade<T>(file: string, schema: z.ZodType<T>, what: string, command: string): T {
  try {
    if (!statSync(file).isFile()) throw new Error("it is not a plain file");
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return checkValue(schema, value, `the ${what} ${file}`, "bad_input");
  } catch (cause) {
    if (cause instanceof ParleyError) throw cause;
    const why = existsSync(file)
      ? `the ${what} ${file} cannot be read: ${String(cause)}`
      : `there is no ${what} ${file}`;
    throw new ParleyError("bad_input", `${why}; \`${command}\` makes one`, { cause });
  }
}

/** The confidence above which a certificate lets a pack act; a certificate of another pack, or without a promise, is refused. */
export function requireThreshold({ pack, act_above, promise }: Certificate, name: string): number {
  if (pack !== name) throw new ParleyError("bad_input", `the certificate is for the ${pack} pack, not for ${name}`);
  if (act_above !== null) return act_above;
  throw new ParleyError(
    "bad_input",
    `the certificate promises nothing: on its cases no confidence kept wrong decisions under ${percent(promise.max_wrong)}`,
  );
}

export function percent(value: number): string {
  return `${Number((100 * value).toFixed(1))}%`;
}
