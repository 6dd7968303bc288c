import { factsOf } from "../calls/failure-facts.ts";
import type { ConfiguredModel } from "./configured-model.ts";

/** Whether a model's replies are streamed; an endpoint that cannot is asked without, once it has said so. */
export type StreamChoice = {
  isOn(): boolean;
  /** Takes a failed call; true when streaming was what the endpoint refused, so that the call can be made without. */
  giveUp(error: unknown): boolean;
};

/** The choice for one model. */
export function chooseStreaming({
  settings,
  isWatched,
}: Pick<ConfiguredModel, "settings" | "isWatched">): StreamChoice {
  let on = settings.stream === "on" || (settings.stream === "auto" && isWatched);
  return {
    isOn: () => on,
    giveUp(error) {
      if (!on || settings.stream !== "auto" || !refusesStreaming(error)) return false;
      on = false;
      return true;
    },
  };
}

/** A refused request costs nothing, so it can be made again in another way. */
function refusesStreaming(error: unknown): boolean {
  const status = factsOf(error)?.status ?? 0;
  return status >= 400 && status < 502 && status !== 429 && status !== 500 && /stream/i.test((error as Error).message);
}
