import { factsOf } from "../calls/failure-facts.ts";
import type { ConfiguredModel } from "./configured-model.ts";
import type { Traits } from "./language-model.ts";

/** How an endpoint is asked, learnt from what it refused: a refused request costs nothing, so it is made again in another way. */
export type EndpointHabits = {
  streams(): boolean;
  traits(): Traits;
  /** Takes a failed call; what is done otherwise from now on, or null when the call cannot be made in another way. */
  adapt(error: unknown): string | null;
};

/** The habits of one model. Streaming and structured output are given up once the endpoint has refused them. */
export function learnHabits({
  settings,
  isWatched,
  traits,
}: Pick<ConfiguredModel, "settings" | "isWatched" | "traits">): EndpointHabits {
  let isStreamed = settings.stream === "on" || (settings.stream === "auto" && isWatched);
  let isStructured = traits.structuredOutput;
  return {
    streams: () => isStreamed,
    traits: () => (isStructured ? traits : { ...traits, structuredOutput: false, schemaInPrompt: true }),
    adapt(error) {
      if (isStructured && isRefused(error, /response_?format|json_?schema|structured[ _]output|grammar/i)) {
        isStructured = false;
        return "the endpoint refused response_format: asked with the schema in the prompt";
      }
      if (isStreamed && settings.stream === "auto" && isRefused(error, /stream/i)) {
        isStreamed = false;
        return "the endpoint refused to stream: asked for the whole reply";
      }
      return null;
    },
  };
}

function isRefused(error: unknown, about: RegExp): boolean {
  const status = factsOf(error)?.status ?? 0;
  return status >= 400 && status < 502 && status !== 429 && status !== 500 && about.test((error as Error).message);
}
