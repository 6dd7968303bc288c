import { ParleyError } from "../contract/error.ts";
import { suggestName } from "../text/nearest-name.ts";
import { shortenText } from "../text/short-text.ts";
import type { AnyPack } from "../engine/pack.ts";

/** Every pack, loaded when it is asked for. */
export const packs = {
  sentiment: () => import("./sentiment/pack.ts").then((module) => module.sentiment),
  law: () => import("./law/pack.ts").then((module) => module.law),
  question: () => import("./question/pack.ts").then((module) => module.question),
  "root-cause": () => import("./root-cause/pack.ts").then((module) => module.rootCause),
} satisfies Record<string, () => Promise<AnyPack>>;

/** The names of the packs, in the order in which they are shown. */
export const packNames = Object.keys(packs);

/** The name, when a pack has it; else an error that lists the known ones. */
export function requirePackName(name: string): keyof typeof packs {
  if (Object.hasOwn(packs, name)) return name as keyof typeof packs;
  throw new ParleyError("bad_input", `unknown pack "${shortenText(name)}"${suggestName(name, packNames)}`);
}

/** Loads a pack by name; an unknown name is an error that lists the known ones. */
export async function loadPack(name: string): Promise<AnyPack> {
  return packs[requirePackName(name)]();
}
