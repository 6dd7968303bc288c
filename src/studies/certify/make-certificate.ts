import type { Certificate } from "../../runs/certificate/certificate.ts";
import { version } from "../../runs/settings/version.ts";
import { chooseThreshold, type Labelled } from "./choose-threshold.ts";

/** What a certificate is made from. */
export type CertifyRequest = {
  pack: string;
  source: string;
  cases: readonly Labelled[];
  maxWrong: number;
  certainty: number;
  cast: string | null;
  config: unknown;
  at: string;
};

/** Makes a certificate from labelled decisions; with no threshold in it when none keeps the promise. */
export function makeCertificate({
  pack,
  source,
  cases,
  maxWrong,
  certainty,
  cast,
  config,
  at,
}: CertifyRequest): Certificate {
  const { threshold, acted, wrong, bound } = chooseThreshold(cases, maxWrong, certainty);
  return {
    format: "parley-certificate",
    version: 1,
    pack,
    promise: { max_wrong: maxWrong, certainty },
    act_above: threshold,
    found_on: { source, cases: cases.length, acted, wrong, bound },
    made_with: { parley: version, cast, config },
    made_at: at,
    confidences: cases.flatMap(({ confidence }) => (confidence === null ? [] : [confidence])).toSorted((a, b) => a - b),
  };
}
