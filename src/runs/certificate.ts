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
  /** The stated confidences of the labelled cases, in order: new cases are compared with them. */
  confidences: z.array(share),
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

/** Whether new cases look like those that a certificate was found on: the largest gap of their distributions, and how likely that is by chance. */
export type Drift = { gap: number; p: number; cases: number };

/** Compares two samples of confidences (Kolmogorov–Smirnov, two-sided); null when one of them is empty. */
export function measureDrift(before: readonly number[], now: readonly number[]): Drift | null {
  if (before.length === 0 || now.length === 0) return null;
  const [a, b] = [before.toSorted((x, y) => x - y), now.toSorted((x, y) => x - y)];
  let [i, j, gap] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i] ?? 0, b[j] ?? 0);
    while (i < a.length && a[i] === value) i += 1;
    while (j < b.length && b[j] === value) j += 1;
    gap = Math.max(gap, Math.abs(i / a.length - j / b.length));
  }
  return { gap, p: computeTail(gap, a.length, b.length), cases: now.length };
}

/** True when the new cases do not look like the old ones. */
export function hasDrifted({ p }: Drift): boolean {
  return p < 0.01;
}

/** The chance of such a gap between samples of one distribution (Kolmogorov's series with Stephens's correction). */
function computeTail(gap: number, n: number, m: number): number {
  const size = Math.sqrt((n * m) / (n + m));
  const lambda = (size + 0.12 + 0.11 / size) * gap;
  if (lambda < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k += 1) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda);
  return Math.min(1, Math.max(0, sum));
}
