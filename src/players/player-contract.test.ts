import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../test/support/model-server.ts";
import { numberRole, toyPack } from "../../test/support/toy.ts";
import { type TurnLog, turnOf } from "../../test/support/turn.ts";
import { ParleyError } from "../contract/error.ts";
import { UsageSchema } from "../contract/budget.ts";
import type { Player, TurnContext } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import { runDebate } from "../engine/run-debate.ts";
import { buildCast, buildPlayer, parseCast } from "./cast.ts";
import { personPlayer } from "./person.ts";
import { recordingPlayer } from "./offline-players.ts";
import { scriptedPlayer } from "../../test/support/scripted-player.ts";

const key = "pk-contract-abcdefgh12345678";
const role: AnyRole = numberRole("a");
const input = { question: "How many?", heard: [] };
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** What is promised of a kind of player. */
type Promised = {
  make(): Player | Promise<Player>;
  /** Reservations it makes per turn, and how many of them are calls that a budget counts. */
  calls: number;
  paid: number;
  /** The same turn brings the same reply. */
  deterministic: boolean;
};

function model(stream: boolean): Player {
  const env = { PARLEY_BASE_URL: server.baseUrl, PARLEY_API_KEY: key };
  return buildCast(parseCast("compatible/m", ["a"]), { env, settings: { stream: stream ? "on" : "off" } })("a");
}

async function recorded(): Promise<Player> {
  const { turns } = await runDebate({
    pack: toyPack,
    input: { question: "How many?" },
    config: { rounds: 1, speakers: ["a"] },
    cast: () => model(false),
  });
  return recordingPlayer(turns.map((turn) => ({ ...turn, requestHash: turnOf(role, input).requestHash })));
}

/** Every kind of player joins the suite here. */
const players: Record<string, Promised> = {
  model: { make: () => model(false), calls: 1, paid: 1, deterministic: false },
  "model, streamed": { make: () => model(true), calls: 1, paid: 1, deterministic: false },
  expert: { make: () => buildPlayer({ kind: "expert" }), calls: 1, paid: 0, deterministic: true },
  scripted: {
    make: () => scriptedPlayer([{ value: { value: 3 } }, { value: { value: 3 } }]),
    calls: 1,
    paid: 1,
    deterministic: true,
  },
  person: { make: () => personPlayer({ answer: async () => ({ value: 3 }) }), calls: 1, paid: 0, deterministic: false },
  recording: { make: recorded, calls: 0, paid: 0, deterministic: true },
};

describe.each(Object.entries(players))("the %s player", (_, { make, calls, paid, deterministic }) => {
  test("gives a valid reply with its usage, and settles what it reserved", async () => {
    const turn = turnOf(role, input);
    const played = await (await make()).play(role, input, turn);
    const value: unknown = "value" in played.reply ? played.reply.value : JSON.parse(played.reply.text);
    expect(role.reply.safeParse(value).success).toBe(true);
    expect(UsageSchema.parse(played.usage).calls).toBe(calls);
    expect(turn.log.reserved).toHaveLength(calls);
    const { inputTokens, outputTokens } = played.usage;
    if (paid > 0) expect(sum(turn.log, "settled")).toEqual({ calls: paid, tokens: inputTokens + outputTokens });
    expect(sum(turn.log, "worst").calls).toBe(paid);
    expect(sum(turn.log, "worst").tokens).toBeGreaterThanOrEqual(sum(turn.log, "settled").tokens);
  });

  test("does nothing when the budget refuses", async () => {
    const before = server.seen.length;
    const player = await make();
    const made = server.seen.length - before;
    const playing = player.play(role, input, turnOf(role, input, { reserve: refuse }));
    if (calls === 0) await expect(playing).resolves.toBeDefined();
    else await expect(playing).rejects.toMatchObject({ code: "budget_exhausted" });
    expect(server.seen.length - before - made).toBe(0);
  });

  test("does nothing when the turn is already stopped", async () => {
    const turn = turnOf(role, input, { signal: AbortSignal.abort() });
    await expect((await make()).play(role, input, turn)).rejects.toMatchObject({ code: "interrupted" });
    expect(turn.log.reserved).toEqual([]);
  });

  test("passes on why the turn was stopped", async () => {
    const why = new ParleyError("budget_exhausted", "out of time");
    const turn = turnOf(role, input, { signal: AbortSignal.abort(why) });
    await expect((await make()).play(role, input, turn)).rejects.toBe(why);
  });

  if (deterministic)
    test("gives the same reply to the same turn", async () => {
      const player = await make();
      const replies = [];
      for (const _ of [1, 2]) replies.push((await player.play(role, input, turnOf(role, input))).reply);
      expect(replies[0]).toEqual(replies[1]);
    });

  test("has a name, and neither it nor what it returns holds the key", async () => {
    const player = await make();
    expect(player.id).not.toBe("");
    const turn = turnOf(role, input);
    const played = await player.play(role, input, turn);
    expect(JSON.stringify([player, played, turn.log])).not.toContain(key);
  });
});

async function refuse(): ReturnType<TurnContext["reserve"]> {
  throw new ParleyError("budget_exhausted", "nothing left");
}

function sum({ reserved }: TurnLog, which: "worst" | "settled"): { calls: number; tokens: number } {
  const parts = reserved.map((one) => one[which] ?? one.worst);
  return {
    calls: parts.reduce((total, part) => total + part.calls, 0),
    tokens: parts.reduce((total, part) => total + part.tokens, 0),
  };
}
