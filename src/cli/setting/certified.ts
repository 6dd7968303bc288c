import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { type Certificate, readCertificate, requireThreshold } from "../../runs/certificate/certificate.ts";
import type { Io } from "../terminal/io.ts";
import type { PromiseOptions } from "./options.ts";

/** The certificate that a command acts by: the one it names or, for a promise alone, the pack's in the working folder. */
export function findCertificate(
  io: Io,
  { certificate, maxWrong }: PromiseOptions,
  pack: string,
): (Certificate & { file: string }) | null {
  if (certificate === undefined && maxWrong === undefined) return null;
  const file = certificate ?? `${pack}.certificate.json`;
  const path = resolve(io.cwd, file);
  if (certificate === undefined && !existsSync(path))
    throw new ParleyError(
      "bad_input",
      `--max-wrong needs labelled cases: \`parley certify LABELLED --of ${pack} --max-wrong ${maxWrong}\` makes ${file} of them`,
    );
  const found = readCertificate(path);
  const promised = found.promise.max_wrong;
  if (maxWrong !== undefined && promised > maxWrong)
    throw new ParleyError(
      "bad_input",
      `${file} promises that at most ${100 * promised} % are wrong, not ${100 * maxWrong} %: certify again with --max-wrong ${maxWrong}`,
    );
  return { ...found, file };
}

/** The settings that a certificate brings: from which confidence on the pack may act. */
export function readCertified(io: Io, options: PromiseOptions, pack: string): { act_above?: number } {
  const found = findCertificate(io, options, pack);
  return found === null ? {} : { act_above: requireThreshold(found, pack) };
}
