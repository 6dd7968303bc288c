import { describe, expect, test } from "vitest";
import { numberRole } from "../../test/support/toy.ts";
import { turnOf } from "../../test/support/turn.ts";
import { defineRole } from "../engine/role.ts";
import { expertPlayer } from "./offline-players.ts";

const role = numberRole("a");
const input = { question: "How many?", heard: [] };

describe("the expert", () => {
  test("who has no answer abstains, and is not asked again", async () => {
    const mute = defineRole({ ...role, expert: () => null });
    const played = await expertPlayer().play(mute, input, turnOf(mute, input));
    expect(played).toMatchObject({ reply: { value: null }, final: true });
  });

  test("of a role that has none is an error", async () => {
    const none = defineRole({ ...role, name: "none", expert: undefined });
    const playing = expertPlayer().play(none, input, turnOf(none, input));
    await expect(playing).rejects.toMatchObject({
      code: "bad_cast",
      message: 'role "none" has no expert: cast a model or a person',
    });
  });

  test("that fails says which turn failed and why, with the cause", async () => {
    const cause = new RangeError("out of range");
    const broken = defineRole({
      ...role,
      expert: () => {
        throw cause;
      },
    });
    const playing = expertPlayer().play(broken, input, turnOf(broken, input));
    await expect(playing).rejects.toMatchObject({
      code: "expert_failed",
      message: "the expert of 1/say/a failed: out of range",
      cause,
    });
  });
});
