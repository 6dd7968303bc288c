import { ParleyError } from "../contract/error.ts";
import { suggestName } from "../text/similar.ts";
import { shortenText } from "../text/format.ts";
import type { AnyPack } from "../engine/pack.ts";
import type { Manifest } from "../contract/run.ts";

/** The bundled packs, loaded on demand. */
export const packs = {
  sentiment: () => import("./sentiment/pack.ts").then((module) => module.sentiment),
  law: () => import("./law/pack.ts").then((module) => module.law),
  question: () => import("./question/pack.ts").then((module) => module.question),
  "root-cause": () => import("./root-cause/pack.ts").then((module) => module.rootCause),
} satisfies Record<string, () => Promise<AnyPack>>;

/** The names of the bundled packs, in display order. */
export const packNames = Object.keys(packs);

export type PackOrigin = { from: string; url: string };

const ownPacks = new Map<string, { pack: AnyPack; origins: PackOrigin[] }>();

/** Registers a pack under its name. */
export function addPack(pack: AnyPack, origin: PackOrigin | null = null): void {
  const { name } = pack;
  const known = ownPacks.get(name);
  const isSame = known?.pack === pack || known?.origins.some(({ url }) => url === origin?.url);
  if (Object.hasOwn(packs, name) || (known && !isSame)) {
    const whose = known ? (known.origins[0]?.from ?? "another pack") : "a pack that comes with Parley";
    throw new ParleyError(
      "bad_config",
      `${origin?.from ?? "a pack"}: the name "${name}" is taken by ${whose}; give the pack another name`,
    );
  }
  ownPacks.set(name, { pack, origins: [...(known?.origins ?? []), ...(origin ? [origin] : [])] });
}

/** All registered packs: bundled ones, then the user's own. */
export function listPackNames(): string[] {
  return [...packNames, ...ownPacks.keys()];
}

export function findPackOrigin(name: string): string | null {
  return locatePackOrigin(name)?.from ?? null;
}

/** The source of a pack for loading it again; null for bundled ones. */
export function locatePackOrigin(name: string): PackOrigin | null {
  return ownPacks.get(name)?.origins[0] ?? null;
}

/** Resolves a pack by name or by the file it was loaded from; otherwise throws, listing the known ones. */
export function requirePackName(name: string): string {
  if (Object.hasOwn(packs, name) || ownPacks.has(name)) return name;
  const own = [...ownPacks.values()].find(({ origins }) => origins.some(({ from }) => from === name));
  if (own) return own.pack.name;
  throw new ParleyError("bad_input", `unknown pack "${shortenText(name)}"${suggestName(name, listPackNames())}`);
}

/** Loads a pack by name; an unknown name throws, listing the known ones. */
export async function loadPack(name: string): Promise<AnyPack> {
  const known = requirePackName(name);
  return ownPacks.get(known)?.pack ?? packs[known as keyof typeof packs]();
}

/** Loads the pack of a run; if it is unknown, the error names its source. */
export async function loadPackOf({ pack, packFrom }: Pick<Manifest, "pack" | "packFrom">): Promise<AnyPack> {
  if (packFrom === undefined || listPackNames().includes(pack)) return loadPack(pack);
  throw new ParleyError(
    "bad_input",
    `this run is of the pack "${pack}", which came from ${packFrom} and is not loaded; list it under \`packs\` in parley.config.yaml, or give --pack ${packFrom}`,
  );
}
