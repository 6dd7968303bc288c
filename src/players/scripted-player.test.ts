import { describe, expect, test } from "vitest";
import { numberRole } from "../../test/support/toy.ts";
import { turnOf } from "../../test/support/turn.ts";
import { ParleyError } from "../contract/error.ts";
import { scriptedPlayer } from "./offline-players.ts";

const role = numberRole("a");
const input = { question: "How many?", heard: [] };

describe("a script", () => {
  test("that runs out fails and names the turn", async () => {
    const player = scriptedPlayer(["one"]);
    await player.play(role, input, turnOf(role, input));
    await expect(player.play(role, input, turnOf(role, input))).rejects.toMatchObject({
      code: "script_exhausted",
      message: "the script has no line left for 1/say/a",
    });
    await expect(scriptedPlayer({ b: ["x"] }).play(role, input, turnOf(role, input))).rejects.toMatchObject({
      code: "script_exhausted",
    });
  });

  test("has lines by turn before lines by role, and lines that fail or look at the turn", async () => {
    const failing = new ParleyError("endpoint_failed", "down");
    const player = scriptedPlayer({ "1/say/a": ["by turn"], a: ["by role"] });
    expect(await player.play(role, input, turnOf(role, input))).toMatchObject({ reply: { text: "by turn" } });
    const lines = scriptedPlayer([
      failing,
      (turn) => `${turn.key.role}!`,
      { text: "cut", finish: "length", usage: { outputTokens: 9 } },
    ]);
    await expect(lines.play(role, input, turnOf(role, input))).rejects.toBe(failing);
    expect(await lines.play(role, input, turnOf(role, input))).toMatchObject({ reply: { text: "a!" } });
    expect(await lines.play(role, input, turnOf(role, input))).toMatchObject({
      finish: "length",
      usage: { outputTokens: 9, calls: 1 },
    });
  });
});
