import { describe, expect, it } from "vitest";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { scriptedPlayer } from "./support/scripted-player.ts";
import { castTurns, holdDebate, listInfluences, measureInfluence, type Staging } from "./support/influence.ts";
import { toyPack } from "./support/toy.ts";

/** Speakers whose numbers are summed; what `c` says counts as much as its number. */
const toy: Staging = {
  pack: toyPack,
  input: { question: "How many?" },
  config: { rounds: 1 },
  cast: () => {
    const player = scriptedPlayer({
      a: [{ value: { value: 4 } }],
      b: [{ value: { value: 5 } }],
      c: [{ value: { value: 0 } }],
    });
    return () => player;
  },
};

describe("the measure of influence", () => {
  it("a decisive turn that is left out, or says something else, changes the decision", async () => {
    expect(await measureInfluence(toy, { turn: "1/say/a", leaveOut: true })).toMatchObject({
      changed: true,
      headline: [{ name: "sum", before: "9", after: "5" }],
    });
    expect((await measureInfluence(toy, { turn: "1/say/c", say: { value: 7 } })).changed).toBe(true);
  });

  it("a turn that adds nothing changes nothing", async () => {
    expect((await measureInfluence(toy, { turn: "1/say/c", leaveOut: true })).changed).toBe(false);
    expect((await measureInfluence(toy, { turn: "1/say/a", say: { value: 4 } })).decision).toEqual([]);
  });

  it("lists every turn that was spoken with whether the decision depends on it", async () => {
    expect(await listInfluences(toy)).toEqual([
      { turn: "1/say/a", changed: true },
      { turn: "1/say/b", changed: true },
      { turn: "1/say/c", changed: false },
    ]);
  });

  it("others repeat what they said, or answer what they now hear", async () => {
    const experts = { ...toy, config: { rounds: 2 }, cast: undefined };
    const leaveOut = { turn: "1/say/a", leaveOut: true } as const;
    const said = async (others: "answer" | "repeat") => {
      const { before, after } = await measureInfluence(experts, leaveOut, others);
      return [before, after].map(({ turns }) => turns.find(({ key }) => key.round === 2 && key.role === "b")?.reply);
    };
    expect(await said("repeat")).toEqual([{ value: 2 }, { value: 2 }]);
    expect(await said("answer")).toEqual([{ value: 2 }, { value: 1 }]);
  });

  it("a turn that does not exist, or a planted reply that is refused, is an error", async () => {
    await expect(measureInfluence(toy, { turn: "3/say/a", leaveOut: true })).rejects.toThrow(
      /no turn 3\/say\/a.*1\/say\/c/,
    );
    await expect(measureInfluence(toy, { turn: "1/say/a", say: { value: 400 } })).rejects.toThrow(/400 is over 100/);
  });
});

describe.each(packNames)("a debate of the %s pack", (name) => {
  it("decides again as it did when every turn is repeated, and says so when a turn was never recorded", async () => {
    const pack = await loadPack(name);
    const [example] = pack.examples;
    if (!example) throw new Error("no example");
    const staging = { pack, input: example.input, config: example.config };
    const held = await holdDebate(staging);
    const again = await holdDebate({ ...staging, cast: () => castTurns(held.turns) });
    expect(again.result.decision).toEqual(held.result.decision);
    await expect(holdDebate({ ...staging, cast: () => castTurns([]) })).rejects.toMatchObject({ code: "not_recorded" });
  });
});
