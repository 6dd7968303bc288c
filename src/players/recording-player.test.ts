import { describe, expect, test } from "vitest";
import { numberRole, toyPack } from "../../test/support/toy.ts";
import { turnOf } from "../../test/support/turn.ts";
import type { Turn } from "../contract/turn.ts";
import type { Player } from "../engine/player.ts";
import { runDebate } from "../engine/run-debate.ts";
import { scriptedPlayer } from "../../test/support/scripted-player.ts";
import { recordingPlayer } from "./offline-players.ts";

const role = numberRole("a");
const input = { question: "How many?", heard: [] };
const config = { rounds: 2, speakers: ["a", "b", "c"] };
const run = (player: Player) =>
  runDebate({ pack: toyPack, input: { question: "How many?" }, config, cast: () => player });

describe("a recording", () => {
  test("of a whole debate, with repairs and abstentions, ends the same and makes no call", async () => {
    const script = {
      "1/say/a": ['{"value": "x"}', '{"value": 4}'],
      "1/say/b": ["no", "idea"],
      "1/say/c": [{ value: null }],
      "2/say/a": ['{"value": 70}', "worse"],
      "2/say/b": [{ text: '{"val', finish: "length" }, '{"value": 5}'],
      "2/say/c": ['{"value": 6}'],
    };
    const silentOnce = scriptedPlayer(script);
    const first = await run({
      id: silentOnce.id,
      play: async (...args) => {
        const played = await silentOnce.play(...args);
        return "value" in played.reply ? { ...played, final: true } : played;
      },
    });
    const again = await run(recordingPlayer(first.turns));
    expect(first.turns.map((turn) => turn.status)).toEqual([
      "repaired",
      "abstained",
      "abstained",
      "salvaged",
      "repaired",
      "answered",
    ]);
    expect(again.turns.map(({ status, reply, problems }) => ({ status, reply, problems }))).toEqual(
      first.turns.map(({ status, reply, problems }) => ({ status, reply, problems })),
    );
    expect(again.result).toMatchObject({ decision: first.result.decision, quorum: first.result.quorum });
    expect(again.result.usage).toMatchObject({ calls: 0, costUsd: 0 });
  });

  test("of a turn with the same request is found by its key first", async () => {
    const { turns } = await run(
      scriptedPlayer({
        a: ['{"value":1}', '{"value":1}'],
        b: ['{"value":2}', '{"value":2}'],
        c: ['{"value":3}', '{"value":3}'],
      }),
    );
    const { requestHash } = turnOf(role, input);
    const same = turns.map((turn): Turn => ({ ...turn, requestHash }));
    const turn = turnOf(role, input, { key: { round: 2, step: "say", role: "b" } });
    expect(await recordingPlayer(same).play(role, input, turn)).toMatchObject({ reply: { text: '{"value":2}' } });
  });

  test("that lacks the turn, or the repair it now needs, names it", async () => {
    const turn = turnOf(role, input);
    await expect(recordingPlayer([]).play(role, input, turn)).rejects.toMatchObject({
      code: "not_recorded",
      message: expect.stringContaining("1/say/a was not recorded"),
    });
    const { turns } = await run(
      scriptedPlayer({
        a: ['{"value":1}', '{"value":1}'],
        b: ['{"value":2}', '{"value":2}'],
        c: ['{"value":3}', '{"value":3}'],
      }),
    );
    const requestHash = turns[0]?.requestHash ?? "";
    const repair = { raw: "{}", problems: [] };
    await expect(recordingPlayer(turns).play(role, input, { ...turn, requestHash, repair })).rejects.toMatchObject({
      code: "not_recorded",
      message: expect.stringContaining("a repair that was never made"),
    });
  });
});
