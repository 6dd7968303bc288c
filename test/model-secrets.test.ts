import { expect, test } from "vitest";
import type { DebateEvent, JournalEntry } from "../src/contract/journal.ts";
import { createMemoryJournal } from "../src/engine/journal.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { buildCast, parseCast } from "../src/players/cast.ts";
import { createRateLimiters } from "../src/players/rate-limiter.ts";
import { hastyClock } from "./support/clock.ts";
import type { Answer } from "./support/model-server-answer.ts";
import { misbehaviours } from "./support/model-server-misbehaviour.ts";
import { goodContent, startModelServer } from "./support/model-server.ts";
import { toyPack } from "./support/toy.ts";

const key = "pk-0123456789-not-to-be-seen";
const speakers = ["a", "b"];

/** Ways in which an endpoint can send the key back. */
const leaks: [string, Answer][] = [
  ["in a reply", { content: `{"value": 1, "key": "${key}"}` }],
  ["in prose", { content: `Authorization: Bearer ${key}` }],
  ["in a refusal", { refusal: `I will not use ${key}` }],
  ["in an error", { raw: { status: 401, body: JSON.stringify({ error: { message: `bad key ${key}` } }) } }],
  ["in a page", { raw: { status: 500, headers: { "content-type": "text/html" }, body: `<b>${key}</b>` } }],
  ["in a header", { raw: { status: 429, headers: { "x-echo": key }, body: key } }],
  ["in a stray object", { raw: { status: 200, body: JSON.stringify({ echo: key }) } }],
];
const cases = [
  ...leaks.map(([name, answer]) => [name, () => answer] as const),
  ...misbehaviours
    .filter((one) => !one.name.startsWith("hang"))
    .map((one) => [`when ${one.name}`, one.answer] as const),
];

test.each(cases)("a key is in no journal, event, result or error: %s", async (_, answer) => {
  for (const stream of [false, true]) {
    const server = await startModelServer({ respond: (request) => answer(goodContent(request), request) });
    const options = {
      env: { PARLEY_BASE_URL: server.baseUrl, PARLEY_API_KEY: key },
      settings: { stream: stream ? ("on" as const) : ("off" as const) },
      retry: { tries: 2, sleep: async () => undefined },
      limiters: createRateLimiters(hastyClock()),
    };
    const entries: JournalEntry[] = [];
    const prompts = new Map<string, string[]>();
    const events: DebateEvent[] = [];
    const plan = parseCast("compatible/m", speakers);
    const finished = await runDebate({
      pack: toyPack,
      input: { question: "How many?" },
      config: { rounds: 1, speakers },
      cast: buildCast(plan, options),
      journal: createMemoryJournal(entries, prompts),
      onEvent: (event) => events.push(event),
    });
    await server.close();
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${key}`);
    const written = JSON.stringify([entries, [...prompts.values()], events, finished]);
    expect(written).not.toContain("not-to-be-seen");
    const streamed = events.map((event) => (event.type === "text" ? event.text : "")).join("");
    expect(streamed).not.toContain("not-to-be-seen");
  }
});
