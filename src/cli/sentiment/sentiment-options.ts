import type { FileOptions } from "../run/run-file.ts";

/** The options of `parley sentiment`. */
export type SentimentOptions = FileOptions & {
  lang?: "ko" | "en";
  gold?: string;
  report?: boolean;
  memory?: string;
  model?: string;
  text?: string;
  id?: string;
  skipBad?: boolean;
  thresholds: string[];
};
