import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { timesOf } from "../../test/support/share.ts";

const module = join(import.meta.dirname, "replace-file.ts");

/** A process that takes the lease when it is told to, says whether it has it, and keeps it until it is ended. */
function startTaker(file: string) {
  const script = `import { takeFileLease } from ${JSON.stringify(module)};
    process.stdin.once("data", () => {
      try { takeFileLease(${JSON.stringify(file)}, { what: "it is used", advice: "wait" }); console.log("has it"); }
      catch { console.log("has it not"); }
    });
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  return { child, hear: async () => String((await once(child.stdout, "data"))[0]).trim() };
}

it("is held by one process at a time, however often it is taken and given back", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-file-lease-"));
  const [file, mark] = [join(folder, "often.lock"), join(folder, "held")];
  const script = `import { takeFileLease } from ${JSON.stringify(module)};
    import { rmSync, writeFileSync } from "node:fs";
    for (let taken = 0; taken < 400; ) {
      let release;
      try { release = takeFileLease(${JSON.stringify(file)}, { what: "", advice: "" }); }
      catch (error) { if (error.code === "run_locked") continue; throw error; }
      writeFileSync(${JSON.stringify(mark)}, "", { flag: "wx" });
      rmSync(${JSON.stringify(mark)});
      release();
      taken += 1;
    }`;
  const takers = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "ignore", "inherit"] }),
  );
  const codes = await Promise.all(takers.map(async (child) => (await once(child, "exit"))[0] as number));
  expect(codes).toEqual([0, 0, 0, 0]);
});

it("of several processes that find a lease of one that is gone, one has it, in every round", {
  timeout: 240_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-file-lease-"));
  for (let round = 0; round < timesOf({ quick: 4, whole: 40 }); round += 1) {
    const file = join(folder, `${round}.lock`);
    const takers = Array.from({ length: 5 }, () => startTaker(file));
    await Promise.all(takers.map(({ hear }) => hear()));
    const [gone] = takers.splice(0, 1);
    const had = gone?.hear();
    gone?.child.stdin.write("go\n");
    expect(await had).toBe("has it");
    gone?.child.kill("SIGKILL");
    await once(gone?.child ?? process, "exit");
    const said = takers.map(({ hear }) => hear());
    for (const { child } of takers) child.stdin.write("go\n");
    const answers = await Promise.all(said);
    for (const { child } of takers) child.kill("SIGKILL");
    expect(
      answers.filter((answer) => answer === "has it"),
      answers.join(", "),
    ).toHaveLength(1);
  }
});
