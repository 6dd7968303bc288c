import { readFileSync } from "node:fs";
import { ParleyError } from "../contract/error.ts";
import { type Jury, JurySchema } from "../contract/jury.ts";
import { checkValue } from "./settings.ts";

/** Reads a jury file. */
export function readJury(file: string): Jury {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new ParleyError(
      "bad_input",
      `the jury ${file} cannot be read: ${(cause as Error).message}; \`parley study jury --out\` makes one`,
      { cause },
    );
  }
  return checkValue(JurySchema, value, `the jury ${file}`, "bad_input");
}
