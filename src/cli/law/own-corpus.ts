import { join, resolve } from "node:path";
import type { Io } from "../terminal/io.ts";
import { locateStore } from "../setting/setting.ts";
import { type Evidence, loadCorpora } from "../../knowledge/law/index.ts";

export type CorpusOptions = { corpus?: string; store?: string; config?: string };

/** Where a user's own corpus lies: `--corpus`, else the folder `law` in the store. */
export function resolveCorpusFolder(io: Io, { corpus, store, config }: CorpusOptions): string {
  if (corpus !== undefined) return resolve(io.cwd, corpus);
  return join(locateStore(io, { store, config }), "law");
}

/** Everything that the user imported. */
export function readOwnItems(io: Io, options: CorpusOptions): Evidence[] {
  return loadCorpora(resolveCorpusFolder(io, options)).flatMap(({ items }) => items);
}
