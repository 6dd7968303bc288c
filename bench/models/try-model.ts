import type { Turn } from "../../src/contract/turn.ts";
import { createMeter } from "../../src/engine/budget.ts";
import { buildRequest } from "../../src/engine/prompt.ts";
import { takeTurn } from "../../src/engine/turn.ts";
import { buildCast, parseCast } from "../../src/players/cast.ts";
import { createRateLimiters } from "../../src/players/rate-limiter.ts";
import type { SampledTurn } from "../../test/abuse/sampled-turns.ts";
import { countTokens } from "../../test/support/model-server-answer.ts";
import { startModelServer } from "../../test/support/model-server.ts";
import type { ScriptedModel } from "../../test/support/scripted-models.ts";

/** What became of one turn that a scripted model was asked for. */
export type Tried = { sample: SampledTurn; status: Turn["status"]; calls: number; problem: string };

/** Asks a model of one temper for every turn, over HTTP, as a debate would; the output limit is half of what the reply needs. */
export async function tryModel(model: ScriptedModel, samples: readonly SampledTurn[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  let current: SampledTurn | null = null;
  const server = await startModelServer({
    respond: (request) => (current === null ? {} : model.answer(current.reply, request, current)),
  });
  try {
    for (const sample of samples) {
      current = sample;
      const { status, usage, problems } = await askOnce(server.baseUrl, sample);
      tried.push({ sample, status, calls: usage.calls, problem: problems[0]?.message ?? "" });
    }
  } finally {
    await server.close();
  }
  return tried;
}

function askOnce(baseUrl: string, { role, input, round, reply }: SampledTurn): Promise<Turn> {
  const maxOutputTokens = Math.ceil(countTokens(JSON.stringify(reply)) / 2);
  const cast = buildCast(parseCast("compatible/m", [role.name]), {
    env: { PARLEY_BASE_URL: baseUrl },
    settings: { maxOutputTokens },
    limiters: createRateLimiters(),
  });
  const bench = {
    writer: { write: async () => undefined, add: () => undefined, done: async () => undefined },
    meter: createMeter({}, () => 0),
    signal: new AbortController().signal,
    seedOf: () => 7,
    elapsedMs: () => performance.now(),
    onText: () => undefined,
  };
  const key = { round, step: role.name, role: role.name };
  const player = cast(role.name);
  return takeTurn(bench, { key, place: 0, role, input, player, request: buildRequest(role, input), recorded: [] });
}
