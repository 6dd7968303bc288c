import { ParleyError } from "../../contract/error.ts";
import type { CastOptions } from "./cast-options.ts";
import { shortenUrl } from "./endpoint-url.ts";
import { listProviders } from "./parse-cast.ts";
import { resolvePlace } from "./resolve-seat.ts";

/** An endpoint as a check-up sees it; `problem` says what keeps it from being used. */
export type EndpointDescription = {
  name: string;
  /** Null when nothing says where it is. */
  base_url: string | null;
  key_variables: readonly string[];
  key_set: boolean;
  problem: string | null;
};

/** Every endpoint that a cast can name, where it is and whether its key is set; no key is in it. */
export function describeEndpoints(options: CastOptions = {}): EndpointDescription[] {
  return listProviders(options).map((name) => describeEndpoint(name, options));
}

function describeEndpoint(name: string, options: CastOptions): EndpointDescription {
  try {
    const { baseUrl, keyVariables, keyRequired } = resolvePlace(
      { kind: "model", provider: name, model: "MODEL" },
      options,
    );
    const env = options.env ?? process.env;
    const keySet = keyVariables.some((variable) => (env[variable] ?? "") !== "");
    const problem = keyRequired && !keySet ? `set ${keyVariables.join(" or ")} in the environment` : null;
    return { name, base_url: shortenUrl(baseUrl), key_variables: keyVariables, key_set: keySet, problem };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { name, base_url: null, key_variables: [], key_set: false, problem: error.message };
  }
}
