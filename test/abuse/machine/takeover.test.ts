import { afterAll, expect, it } from "vitest";
import { type Ran, runCli, spawnCli } from "../../support/cli.ts";
import { essenceOf, expectPlain, newestRun, startTenCalls, tenCalls, wholeDebate } from "../../support/ten-calls.ts";

const ten = await startTenCalls();
const whole = await wholeDebate(ten);
afterAll(() => ten.close());

it("a run that is being run is taken over only when asked, and its old owner writes nothing more", async () => {
  const cwd = ten.folder();
  const seen: Record<string, Ran> = {};
  ten.begin(async (count) => {
    if (count !== 4) return;
    const id = (await newestRun(cwd))?.run.id ?? "";
    seen.doctor = await runCli(["doctor"], { cwd });
    seen.refused = await runCli(["resume", id], { cwd });
    seen.taken = await runCli(["resume", id, "--take-over", "--json"], { cwd });
  });
  const old = spawnCli(tenCalls, { cwd });
  const left = await old.ran;
  const id = (await newestRun(cwd))?.run.id;
  expect(seen.doctor?.out).toMatch(
    new RegExp(`ok +run ${id} +process ${old.child.pid} on \\S+ \\(epoch 1\\) holds it`),
  );
  expect(seen.refused).toMatchObject({ code: 1 });
  expect(seen.refused?.err).toMatch(new RegExp(`run ${id} is being run by process ${old.child.pid} on .* --take-over`));
  expect(seen.taken?.code, seen.taken?.err).toBe(0);
  expect(left.code).toBe(1);
  expect(left.err).toContain(`run ${id} was taken over by another process`);
  expect(left.err).not.toMatch(/UNIQUE|Nothing is lost/);
  expectPlain(left.err);
  expect(essenceOf(await newestRun(cwd)), "the call in flight counts as lost").toMatchObject({
    turns: (whole as { turns: unknown }).turns,
  });
  expect((await runCli(["verify", "--all"], { cwd })).code).toBe(0);
  expect((await runCli(["doctor"], { cwd })).out).not.toContain(`run ${id}`);
});

it("a run of a killed process is resumed at once, and until then doctor says whose it was", async () => {
  const cwd = ten.folder();
  const old = spawnCli(tenCalls, { cwd });
  ten.begin((count) => void (count === 4 && old.child.kill("SIGKILL")));
  await old.ran;
  ten.calm();
  const id = (await newestRun(cwd))?.run.id ?? "";
  const { out } = await runCli(["doctor"], { cwd });
  expect(out).toMatch(
    new RegExp(`– +run ${id} +was left by process ${old.child.pid} on .*which is gone\\n +→ parley resume ${id}`),
  );
  expect((await runCli(["resume", id, "--json"], { cwd })).code).toBe(0);
});
