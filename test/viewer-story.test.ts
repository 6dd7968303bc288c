import { describe, expect, it } from "vitest";
import { StorySchema } from "../src/contract/story.ts";
import { turnIdOf } from "../src/contract/turn.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { readRun } from "../src/runs/read-run.ts";
import { startRun } from "../src/runs/start.ts";
import { listStands, storyOf } from "../src/runs/show-run.ts";
import { memoryStore } from "../src/store/sqlite.ts";

describe.each(packNames)("a debate of the %s pack as it is told", (name) => {
  it("has every turn once, names each point once, and every link leads somewhere", async () => {
    const pack = await loadPack(name);
    const store = memoryStore();
    for (const { input, config } of pack.examples) {
      const setting = { store, castOf: castOfStrings(store) };
      const { runId } = await startRun(setting, { pack, input, config, cast: "expert" });
      const stored = await readRun(store, runId);
      for (const held of [
        stored,
        { ...stored, result: null },
        { ...stored, result: null, turns: stored.turns.slice(0, 2) },
      ]) {
        const story = storyOf(pack, held);
        expect(StorySchema.safeParse(story).error).toBeUndefined();
        const inStory = story.stages.flatMap((stage) => stage.turns);
        expect(inStory.map(({ turn }) => turn).sort()).toEqual(held.turns.map(({ key }) => turnIdOf(key)).sort());
        const points = inStory.flatMap((turn) => turn.points);
        const ids = points.map(({ id }) => id);
        expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
        const exhibits = new Set(story.exhibits.map(({ id }) => id));
        expect(exhibits.size).toBe(story.exhibits.length);
        const links = points.flatMap(({ answers = [], repeats }) => [...answers, ...(repeats ? [repeats] : [])]);
        if (held.result) expect(links.filter((link) => !ids.includes(link))).toEqual([]);
        const uses = points.flatMap((point) => point.uses ?? []);
        if (held.result) expect(uses.filter((use) => !exhibits.has(use))).toEqual([]);
        const turns = new Set(inStory.map(({ turn }) => turn));
        for (const { turn } of listStands(pack, held, story)) if (turn !== undefined) expect(turns).toContain(turn);
      }
    }
  });

  it("is told in the pack's words: no turn that was answered is left as it came", async () => {
    const pack = await loadPack(name);
    const store = memoryStore();
    const [example] = pack.examples;
    const setting = { store, castOf: castOfStrings(store) };
    const { runId } = await startRun(setting, { pack, input: example?.input, config: example?.config, cast: "expert" });
    const story = storyOf(pack, await readRun(store, runId));
    const silent = story.stages.flatMap((stage) =>
      stage.turns.filter(({ says, points }) => says === "" && points.length === 0),
    );
    expect(silent).toEqual([]);
  });
});
