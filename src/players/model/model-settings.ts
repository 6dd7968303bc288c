import { defaultMaxReplyBytes } from "./reply-body.ts";

/** How a model is asked. */
export type ModelSettings = {
  maxOutputTokens: number;
  /** The most that a repair may have when the first reply was cut off. */
  outputCeiling: number;
  temperature: number | null;
  reasoning: "none" | "minimal" | "low" | "medium" | "high" | null;
  totalTimeoutMs: number;
  /** The longest silence inside a streamed reply. */
  chunkTimeoutMs: number;
  /** Whether replies are streamed; `auto` streams while someone watches and the endpoint can. */
  stream: StreamMode;
  /** The largest answer that is read, unpacked; past it the connection is cut. */
  maxReplyBytes: number;
};

export const streamModes = ["auto", "on", "off"] as const;
export type StreamMode = (typeof streamModes)[number];

export const defaultSettings: ModelSettings = {
  maxOutputTokens: 8192,
  outputCeiling: 16_384,
  temperature: null,
  reasoning: null,
  totalTimeoutMs: 300_000,
  chunkTimeoutMs: 60_000,
  stream: "auto",
  maxReplyBytes: defaultMaxReplyBytes,
};
