import type { Manifest } from "../../contract/run.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { parseCast } from "../../players/cast/parse-cast.ts";

/** True when every role of the pack is played by its expert. */
export function isPlayedByPrograms(pack: AnyPack, { cast, config }: Pick<Manifest, "cast" | "config">): boolean {
  if (cast.trim() === "expert") return true;
  const names = pack.roles(config).map(({ name }) => name);
  return Object.values(parseCast(cast, names).roles).every(({ kind }) => kind === "expert");
}
