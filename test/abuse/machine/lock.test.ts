import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder, type Ran, runCli, spawnCli } from "../../support/cli.ts";
import { holdStore } from "../../support/hold-store.ts";
import { expectGoesOn, expectPlain, newestRun, startTenCalls, tenCalls, wholeDebate } from "../../support/ten-calls.ts";
import { shareOf, timesOf } from "../../support/share.ts";

const ten = await startTenCalls();
const whole = await wholeDebate(ten);
afterAll(() => ten.close());

const storeOf = (cwd: string): string => join(cwd, ".parley", "parley.db");
const locked = /the store .*parley\.db is locked by another process/;

/** A folder with one finished debate. */
async function folderWithRun(): Promise<{ cwd: string; id: string }> {
  const cwd = ten.folder();
  ten.begin();
  await runCli(tenCalls, { cwd });
  return { cwd, id: (await newestRun(cwd))?.run.id ?? "" };
}

describe("another process holds the store", () => {
  it("reading goes on; writing waits as long as it may, says so, and nothing is called", async () => {
    const { cwd, id } = await folderWithRun();
    const holder = await holdStore(storeOf(cwd));
    ten.begin();
    const reading = [["runs"], ["show", id], ["verify", id], ["export", id, "--format", "md"], ["redecide", id]];
    for (const args of reading) expect(await runCli(args, { cwd })).toMatchObject({ code: 0, err: "" });
    const { code, err } = await spawnCli(tenCalls, { cwd, env: { PARLEY_STORE_WAIT: "500ms" } }).ran;
    expect(code).toBe(1);
    expect(err).toMatch(locked);
    expect(err).toContain("waiting up to 0.5 s");
    expectPlain(err);
    expect(ten.seen).toEqual([]);
    await holder.letGo();
    expect((await runCli(tenCalls, { cwd })).code).toBe(0);
  });

  it("against readers too: reading says so after its wait", async () => {
    const { cwd } = await folderWithRun();
    const holder = await holdStore(storeOf(cwd), "exclusive");
    const { code, err } = await spawnCli(["runs"], { cwd, env: { PARLEY_STORE_WAIT: "300ms" } }).ran;
    expect(code).toBe(1);
    expect(err).toMatch(locked);
    expectPlain(err);
    await holder.letGo();
    expect((await runCli(["runs"], { cwd })).code).toBe(0);
  });

  it.each(shareOf([1, 4, 10], (at) => at === 4))(
    "from call %i on, for good: said with how to go on, and resumed to the same result",
    async (at) => {
      const cwd = ten.folder();
      let holder: Awaited<ReturnType<typeof holdStore>> | null = null;
      ten.begin(async (count) => {
        if (count === at) holder = await holdStore(storeOf(cwd));
      });
      const { code, err } = await spawnCli(tenCalls, { cwd, env: { PARLEY_STORE_WAIT: "500ms" } }).ran;
      ten.calm();
      expect(code, err).toBe(1);
      expect(err).toMatch(locked);
      expectPlain(err);
      await (holder as Awaited<ReturnType<typeof holdStore>> | null)?.letGo();
      expect(err).toContain(`Continue with: parley resume ${(await newestRun(cwd))?.run.id}`);
      await expectGoesOn(ten, cwd, whole);
    },
  );

  it("for a while: the reply that came back waits, and no call is made again", async () => {
    const cwd = ten.folder();
    let holder: Awaited<ReturnType<typeof holdStore>> | null = null;
    ten.begin(async (count) => {
      if (count === 4) holder = await holdStore(storeOf(cwd));
    });
    const { child, ran } = spawnCli(tenCalls, { cwd });
    child.stderr?.on("data", (data: Buffer) => void (data.includes("waiting up to 30 s") && holder?.letGo()));
    const { code, err } = await ran;
    expect(code, err).toBe(0);
    expect(err).toMatch(locked);
    expect(ten.seen).toHaveLength(10);
  });

  it("Ctrl-C ends the wait, and the run can be resumed", async () => {
    const cwd = ten.folder();
    let holder: Awaited<ReturnType<typeof holdStore>> | null = null;
    ten.begin(async (count) => {
      if (count === 4) holder = await holdStore(storeOf(cwd));
    });
    const { child, ran } = spawnCli(tenCalls, { cwd });
    child.stderr?.on("data", (data: Buffer) => void (data.includes("waiting up to 30 s") && child.kill("SIGINT")));
    const { code, err } = await ran;
    ten.calm();
    expect(code).toBe(130);
    await (holder as Awaited<ReturnType<typeof holdStore>> | null)?.letGo();
    expect(err).toContain(`Continue with: parley resume ${(await newestRun(cwd))?.run.id}`);
    await expectGoesOn(ten, cwd, whole);
  });
});

describe("several processes write to one store", () => {
  const isPlain = ({ code, err }: Ran): void => {
    expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringMatching(/locked|Error/) as unknown });
  };

  it("that none of them has made yet", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "mill.txt"), "Ida Holm sold the mill because the railway took away its trade.");
    const args = ["ask", "Why did Ida Holm sell the mill?", "--docs", "mill.txt"];
    for (const ran of await Promise.all([1, 2, 3, 4].map(() => spawnCli(args, { cwd }).ran))) isPlain(ran);
    expect((await runCli(["verify", "--all"], { cwd })).out).toBe("4 runs, 0 with problems\n");
  });

  it("at the same time, many runs each", async () => {
    const count = timesOf({ quick: 20, whole: 60 });
    const cwd = newFolder();
    const rows = (name: string): string =>
      Array.from({ length: count }, (_, i) =>
        JSON.stringify({
          id: `${name}${i}`,
          question: `Who built mill ${name}${i}?`,
          docs: [{ id: "d", text: `Ana Holm built mill ${name}${i}.` }],
        }),
      ).join("\n");
    for (const name of ["a", "b"]) writeFileSync(join(cwd, `${name}.jsonl`), rows(name));
    const batch = (name: string) => ["run", "question", "--input", `${name}.jsonl`, "--out", `${name}.out`];
    for (const ran of await Promise.all(["a", "b"].map((name) => spawnCli(batch(name), { cwd }).ran))) isPlain(ran);
    expect((await runCli(["verify", "--all"], { cwd })).out).toBe(`${2 * count} runs, 0 with problems\n`);
  });
});
