import { createMemoryJournal } from "../../src/engine/journal.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { LawConfigSchema } from "../../src/packs/law/index.ts";
import { law } from "../../src/packs/law/pack.ts";
import { buildCast, parseCast } from "../../src/players/cast.ts";
import { createRateLimiters } from "../../src/players/rate-limiter.ts";
import { hastyClock } from "./clock.ts";
import { type ModelServer, queue, startModelServer } from "./model-server.ts";

export const disputedGift =
  "Di Bali orang tua menghibahkan tanah secara lisan kepada anak bungsu. Menurut adat itu cukup, tetapi saudaranya berkata hibah tanpa akta notaris batal menurut KUHPerdata. Mana yang benar?";

/** Plays a law debate with the experts and one role on a loopback model that gives these replies in turn. */
export async function debateWithModel(role: string, replies: unknown[], servers: ModelServer[], config: object = {}) {
  const server = await startModelServer({
    respond: queue(replies.map((reply) => ({ content: JSON.stringify(reply) }))),
  });
  servers.push(server);
  const settled = LawConfigSchema.parse(config);
  const roles = law.roles(settled);
  const options = {
    roles,
    env: { PARLEY_BASE_URL: server.baseUrl },
    retry: { tries: 1, sleep: async () => undefined },
    limiters: createRateLimiters(hastyClock()),
  };
  const names = roles.map(({ name }) => name);
  const cast = buildCast(parseCast(`expert,${role}=compatible/mini`, names, options), options);
  const finished = await runDebate({
    pack: law,
    input: { query: disputedGift },
    config: settled,
    cast,
    journal: createMemoryJournal(),
  });
  return { ...finished, server };
}

/** Plays the debate with the experts alone. */
export async function debateOfExperts(query: string, config: object = {}) {
  const settled = LawConfigSchema.parse(config);
  const roles = law.roles(settled);
  const cast = buildCast(
    parseCast(
      "expert",
      roles.map(({ name }) => name),
    ),
    { roles },
  );
  return runDebate({ pack: law, input: { query }, config: settled, cast });
}
