import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineRole } from "../src/engine/role.ts";
import { definePack } from "../src/engine/define-pack.ts";
import type { Cast } from "../src/engine/player.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import type { JournalEntry } from "../src/contract/journal.ts";
import { createMemoryJournal } from "../src/engine/journal.ts";
import { buildCast, parseCast } from "../src/players/cast.ts";
import { createRateLimiters } from "../src/players/rate-limiter.ts";
import { hastyClock } from "./support/clock.ts";
import { textOfRequest } from "./support/model-server-answer.ts";
import { type Misbehaviour, misbehaviours } from "./support/model-server-misbehaviour.ts";
import { goodContent, startModelServer } from "./support/model-server.ts";

const speakers = ["ann", "bob", "cho"];

/** Speakers answer a question twice; the answers with a majority of the speakers behind them count. */
const poll = definePack({
  name: "poll",
  summary: "Speakers answer a question.",
  input: z.strictObject({ question: z.string() }),
  config: z.strictObject({}),
  decision: z.array(z.string()),
  roles: () => speakers.map(speaker),
  async protocol(debate, { input: { question } }) {
    const heard: string[] = [];
    for (const n of [1, 2]) {
      const answers = await debate.round(n, () =>
        debate.askAll("answer", speakers.map(speaker), () => ({ question, round: n })),
      );
      heard.push(...answers.map(({ role, reply }) => `${role}: ${reply.answer}`));
      debate.standing(() => [...heard]);
    }
    const { asked, answered } = debate.quorum();
    return { outcome: answered * 2 > asked ? "decided" : "undecided", reasons: [], decision: heard };
  },
  examples: [],
  sections: () => [],
});

function speaker(name: string) {
  return defineRole({
    name,
    reply: z.strictObject({ answer: z.string().min(1), sure: z.number().min(0).max(1) }),
    prompt: (input: { question: string; round: number }) => ({
      instructions: "Answer the question as well as you can and say how sure you are, from 0 to 1.",
      blocks: [{ label: "QUESTION", text: input.question }],
      own: [{ label: "SPEAKER", text: `${name}, round ${input.round}` }],
    }),
  });
}

/** How long a reply may take: only an endpoint that hangs is not waited for, and everyone else on a busy machine is. */
const patienceOf = (one: Misbehaviour, role: string) =>
  one.name.startsWith("hang") && role === "bob"
    ? { totalTimeoutMs: 2_000, chunkTimeoutMs: 2_000 }
    : { totalTimeoutMs: 120_000, chunkTimeoutMs: 120_000 };

/** A debate in which bob's endpoint misbehaves: in his first `times` requests, or in all. */
async function debate(one: Misbehaviour, times: number, stream: boolean) {
  let left = times;
  const good: string[] = [];
  const server = await startModelServer({
    respond(request) {
      const content = goodContent(request);
      if (!textOfRequest(request).includes("bob") || left <= 0) {
        good.push(content);
        return { content };
      }
      left -= 1;
      return one.answer(content, request);
    },
  });
  const limiters = createRateLimiters(hastyClock());
  const castFor = (role: string) => {
    const options = {
      env: { PARLEY_BASE_URL: server.baseUrl },
      settings: { stream: stream ? ("on" as const) : ("off" as const), ...patienceOf(one, role) },
      retry: { tries: 3, sleep: async () => undefined },
      limiters,
    };
    return buildCast(parseCast("compatible/mini", speakers, options), options);
  };
  const casts = Object.fromEntries(speakers.map((role) => [role, castFor(role)]));
  const entries: JournalEntry[] = [];
  const finished = await runDebate({
    pack: poll,
    input: { question: "Which season is it?" },
    config: {},
    cast: (role) => (casts[role] as Cast)(role),
    journal: createMemoryJournal(entries),
  });
  await server.close();
  const bob = finished.turns.filter((turn) => turn.key.role === "bob");
  const asked = server.seen.filter((seen) => textOfRequest(seen.body).includes("bob"));
  return { ...finished, bob, entries, requests: asked.length, good };
}

const rows = misbehaviours.flatMap((one) => [
  [one.name, "at once", one, false] as const,
  [one.name, "streamed", one, true] as const,
]);

describe.concurrent.each(rows)("%s, %s", (_, __, one, stream) => {
  test("once: the turn is repaired, retried or abstains, or the run ends in a clear error with what it had", async () => {
    const { result, bob, turns, requests, good } = await debate(one, 1, stream);
    if (one.consequence === "fails") {
      expect(result.outcome).toBe("failed");
      expect(result.reasons[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1, mini: /);
      expect(turns.map((turn) => [turn.key.round, turn.key.role])).toEqual([
        [1, "ann"],
        [1, "cho"],
      ]);
      return;
    }
    if (one.consequence === "withheld") {
      expect(result).toMatchObject({ outcome: "decided", quorum: { asked: 6, answered: 5, abstained: 1 } });
      expect(requests).toBe(2);
      return;
    }
    expect(result).toMatchObject({ outcome: "decided", quorum: { asked: 6, answered: 6, abstained: 0 } });
    expect(bob.map((turn) => turn.reply)).toEqual(
      bob.map((turn) => JSON.parse(lastJson(turn.attempts.at(-1)?.raw ?? "")) as unknown),
    );
    if (one.consequence === "retry") {
      expect(bob[0]).toMatchObject({ status: "answered", usage: { calls: 2 } });
      expect(requests).toBe(3);
      expect(result.spend.calls).toBe(7);
    } else expect(requests).toBe(bob[0]?.status === "answered" ? 2 : 3);
    for (const turn of bob)
      expect(good.concat(lastJson(bob[0]?.attempts[0]?.raw ?? "")).join()).toContain(
        lastJson(turn.attempts.at(-1)?.raw ?? ""),
      );
  });

  test("always: an abstention that is counted, or a clear error; never a default answer or a lost turn", async () => {
    const { result, bob, requests, entries } = await debate(one, Infinity, stream);
    if (one.consequence === "retry" || one.consequence === "fails") {
      expect(result.outcome).toBe("failed");
      expect(result.reasons[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1, mini: /);
      expect(requests).toBe(one.consequence === "retry" ? 3 : 1);
      expect(entries.filter(({ body }) => body.kind === "attempt")).toHaveLength(2);
      return;
    }
    expect(result.outcome).toBe("decided");
    const silent = bob.filter((turn) => turn.status === "abstained");
    expect(result.quorum).toMatchObject({ asked: 6, answered: 6 - silent.length, abstained: silent.length });
    expect(result.decision?.filter((line) => line.startsWith("bob"))).toHaveLength(2 - silent.length);
    for (const turn of silent) {
      expect(turn).toMatchObject({ reply: null, attempts: one.consequence === "withheld" ? [{}] : [{}, {}] });
      expect(turn.problems.length).toBeGreaterThan(0);
    }
    if (harmless.has(one.name)) expect(silent).toHaveLength(0);
    else expect(silent).toHaveLength(2);
    expect(requests).toBe(one.consequence === "withheld" ? 2 : 2 + silent.length);
  });
});

/** Replies that are odd but say exactly one valid thing. */
const harmless = new Set([
  "array_around",
  "json_in_string",
  "prose_around_json",
  "two_json_objects",
  "thinking_aloud",
  "thinking_a_draft",
  "thinking_untagged",
  "tool_call",
  "tool_call_in_text",
  "wrong_content_type",
  "no_usage",
  "slow",
]);

function lastJson(raw: string): string {
  const text = raw.startsWith('"') ? (JSON.parse(raw) as string) : raw;
  return [...text.matchAll(/\{"answer":"[^"]*","sure":[\d.]+\}/g)].at(-1)?.[0] ?? raw;
}
