import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { hasCode, ParleyError } from "../../contract/error.ts";
import {
  type Episode,
  EpisodeSchema,
  type FinalOutput,
  storeEpisode,
  toJsonLines,
} from "../../packs/sentiment/index.ts";
import { replaceFile } from "../../store/replace-file.ts";
import { readJsonl } from "../../studies/datasets/rows.ts";
import type { Io } from "../terminal/io.ts";

/** A memory store in a file: read once at the start, so that every case of a batch sees the same; written at the end. */
export type MemoryFile = { episodes: Episode[]; learn(output: FinalOutput): void; save(): number };

export function openMemoryFile(io: Io, file: string): MemoryFile {
  const path = resolve(io.cwd, file);
  const episodes = existsSync(path) ? readJsonl(readFileSync(path, "utf8"), file).map((row) => readEpisode(row)) : [];
  let store = episodes;
  return {
    episodes,
    learn({ memory_episode, meta }) {
      if (!memory_episode) return;
      try {
        store = storeEpisode(store, memory_episode, { text: meta.text });
      } catch (error) {
        if (!hasCode(error, "bad_input")) throw error;
        io.err(`${meta.text_id}: not remembered: ${error.message}\n`);
      }
    },
    save() {
      if (store !== episodes) replaceFile(path, toJsonLines(store));
      return store.length - episodes.length;
    },
  };
}

function readEpisode({ value, at }: { value: unknown; at: string }): Episode {
  const parsed = EpisodeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  throw new ParleyError("bad_input", `${at}: not an episode: ${issues}`);
}
