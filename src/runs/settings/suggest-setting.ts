import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { listConfigLeaves } from "./config-leaves.ts";
import { withSettings } from "./read-settings.ts";

/** An error about a role that the debate does not have, with the one setting that would bring the role in. */
export function suggestSetting(error: unknown, pack: AnyPack, given: unknown): unknown {
  const role = error instanceof ParleyError ? /unknown role "([^"*]+)"/.exec(error.message)?.[1] : undefined;
  if (!(error instanceof ParleyError) || role === undefined) return error;
  const setting = listConfigLeaves(pack.config)
    .toSorted((a, b) => Number(b.kind === "boolean") - Number(a.kind === "boolean"))
    .flatMap((leaf) => {
      if (leaf.kind === "boolean") return [`${leaf.key}=true`];
      return leaf.kind === "choice" ? leaf.choices.map((choice) => `${leaf.key}=${choice}`) : [];
    })
    .find((one) => {
      const parsed = pack.config.safeParse(withSettings(given, [one]));
      return parsed.success && pack.roles(parsed.data).some(({ name }) => name === role);
    });
  if (setting === undefined) return error;
  const message = `${error.message}; there is a ${role} with --set ${setting}`;
  return new ParleyError(error.code, message, { cause: error });
}
