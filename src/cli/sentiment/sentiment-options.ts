import type { RunOptions } from "../setting/options.ts";

/** The options of `parley sentiment`. */
export type SentimentOptions = RunOptions & {
  lang?: "ko" | "en";
  gold?: string;
  report?: boolean;
  memory?: string;
  concurrency: number;
  fresh?: boolean;
};
