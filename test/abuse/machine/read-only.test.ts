import { createHash } from "node:crypto";
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder, runCli, spawnCli } from "../../support/cli.ts";
import { answerOf, expectPlain, newestRun, startTenCalls, type TenCalls, tenCalls } from "../../support/ten-calls.ts";
import { canMount } from "../../support/tiny-disk.ts";
import { unprivileged } from "../../support/unprivileged.ts";
import { shareOf } from "../../support/share.ts";

let ten: TenCalls;
/** Folders with a store: one closed properly, and one whose writer was killed, so that half of it is in SQLite's log. */
const made = { closed: "", killed: "" };
let finished = "";
let answer = "";
let stopped = "";

beforeAll(async () => {
  ten = await startTenCalls();
  made.closed = ten.folder();
  ten.begin();
  await runCli(tenCalls, { cwd: made.closed });
  await runCli(tenCalls, { cwd: made.closed });
  const ended = await newestRun(made.closed);
  finished = ended?.run.id ?? "";
  answer = answerOf(ended);
  const { child, ran } = spawnCli(tenCalls, { cwd: made.closed });
  ten.begin((count) => void (count === 3 && child.kill("SIGINT")));
  await ran;
  stopped = (await newestRun(made.closed))?.run.id ?? "";
  made.killed = newFolder();
  cpSync(made.closed, made.killed, { recursive: true });
  const last = spawnCli(tenCalls, { cwd: made.killed });
  ten.begin((count) => void (count === 8 && last.child.kill("SIGKILL")));
  await last.ran;
  ten.begin();
});
afterAll(() => ten.close());

type State = keyof typeof made;

/** A copy of a store that may not be written. */
function readOnlyCopy(state: State, modes: { file: number; folder: number }, withIndex = true): string {
  const cwd = newFolder();
  cpSync(made[state], cwd, { recursive: true });
  const store = join(cwd, ".parley");
  if (!withIndex) rmSync(join(store, "parley.db-shm"), { force: true });
  for (const name of readdirSync(store)) chmodSync(join(store, name), modes.file);
  chmodSync(store, modes.folder);
  chmodSync(cwd, 0o755);
  return cwd;
}

/** The bytes of all files of a store, and their names. */
function print(cwd: string): string[] {
  const store = join(cwd, ".parley");
  return readdirSync(store).map(
    (name) =>
      `${name} ${createHash("sha256")
        .update(readFileSync(join(store, name)))
        .digest("hex")}`,
  );
}

const reading = (): [string[], RegExp][] => [
  [["runs"], new RegExp(`${stopped}.*\n(.*\n)*${finished}`)],
  [["show", finished], new RegExp(`● ${answer} +confidence`)],
  [["show", finished, "--turn"], /1\/opening/],
  [["export", finished, "--format", "html"], /<html/],
  [["export", finished, "--format", "md"], new RegExp(answer)],
  [["verify", "--all"], /runs?, 0 with problems/],
  [["runs", "diff", finished, stopped], /the runs diverge here/],
  [["redecide", finished, "--set", "stop.agreement=0.6"], /decided again without calling a model/],
  [["resume", finished], new RegExp(`● ${answer} +confidence`)],
  [["review"], /nothing waits/],
  [["doctor"], /store.*read-only: runs can be shown and verified, but not started/],
];

describe.skipIf(unprivileged === null)("a store that may not be written (skipped where no other user can be)", () => {
  const through = unprivileged ?? [];

  it("everything that reads works and changes nothing", async () => {
    const cwd = readOnlyCopy("closed", { file: 0o444, folder: 0o555 });
    const before = print(cwd);
    for (const [args, shown] of shareOf(reading(), (_, at) => at % 3 !== 1)) {
      const { code, out, err } = await spawnCli(args, { cwd, through }).ran;
      expect(out, err).toMatch(shown);
      expect({ args, code }).toEqual({ args, code: 0 });
      expectPlain(err);
    }
    expect(print(cwd)).toEqual(before);
  });

  it.each([
    { state: "killed", modes: { file: 0o444, folder: 0o555 } },
    { state: "closed", modes: { file: 0o444, folder: 0o755 } },
    { state: "closed", modes: { file: 0o644, folder: 0o555 } },
  ] as const)("$state, $modes: what was written last is there too", async ({ state, modes }) => {
    const cwd = readOnlyCopy(state, modes);
    const [listed, verified] = await Promise.all([
      spawnCli(["runs"], { cwd, through }).ran,
      spawnCli(["verify", "--all"], { cwd, through }).ran,
    ]);
    expect(listed.out.trim().split("\n")).toHaveLength(state === "killed" ? 4 : 3);
    expect(verified.out + verified.err).toMatch(/0 with problems/);
  });

  it("whose writer was killed, and whose index is gone, is not shown as if it were whole", async () => {
    const cwd = readOnlyCopy("killed", { file: 0o444, folder: 0o555 }, false);
    const before = print(cwd);
    const { code, err } = await spawnCli(["verify", "--all"], { cwd, through }).ran;
    expect(err).toMatch(/was not closed properly and is read-only; copy its folder/);
    expect(code).toBe(1);
    expectPlain(err);
    expect(print(cwd)).toEqual(before);
  });

  it("what writes says so, with exit code 1, and calls nobody", async () => {
    const cwd = readOnlyCopy("closed", { file: 0o444, folder: 0o555 });
    const before = print(cwd);
    ten.begin();
    const writing = [
      tenCalls,
      ["resume", stopped],
      ["branch", finished, "--from", "round-2"],
      ["run", "question", '{"question":"Why?"}'],
      ["mcp"],
    ];
    for (const args of writing) {
      const { code, err } = await spawnCli(args, { cwd, through, stdin: "" }).ran;
      expect(err).toMatch(/the store .*parley\.db is read-only; make it and its folder writable, or .*--store/);
      expect({ args, code }).toEqual({ args, code: 1 });
      expectPlain(err);
    }
    expect(ten.seen).toEqual([]);
    expect(print(cwd)).toEqual(before);
    const elsewhere = await spawnCli(["law", "import", join(cwd, "x.md")], { cwd, through }).ran;
    expect(elsewhere.code).toBe(2);
  });
});

it.skipIf(!canMount)("a read-only mount is read too (skipped where none can be mounted)", async () => {
  const cwd = readOnlyCopy("closed", { file: 0o644, folder: 0o755 });
  const own = process.getuid?.() === 0 ? [] : ["-U", "-r"];
  const script = `mount --bind ${cwd} ${cwd} && mount -o remount,ro,bind ${cwd} && cd ${cwd} && exec "$@"`;
  const through = ["unshare", ...own, "-m", "--propagation", "private", "sh", "-c", script, "sh"];
  const [listed, asked] = await Promise.all([
    spawnCli(["verify", "--all"], { cwd, through }).ran,
    spawnCli(["ask", "Why?"], { cwd, through }).ran,
  ]);
  expect(listed.out, listed.err).toMatch(/3 runs, 0 with problems/);
  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining("is read-only") as unknown });
});
