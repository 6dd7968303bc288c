import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { callApi } from "../src/contract/api/index.ts";
import { newFolder, runCli, spawnCli } from "./support/cli.ts";

const token = "operator-token-of-a-process";
type Started = {
  base: string;
  link: string;
  pid: number;
  kill(signal: NodeJS.Signals): void;
  ran: ReturnType<typeof spawnCli>["ran"];
};

/** Starts `parley serve` as a process and waits until it says where it listens. */
async function start(cwd: string, through: string[] = []): Promise<Started> {
  const { child, ran } = spawnCli(["serve", "--port", "0"], { cwd, through, env: { PARLEY_TOKEN: token } });
  let out = "";
  await new Promise<void>((done, failed) => {
    child.stdout?.on("data", (data: Buffer) => {
      out += data.toString();
      if (out.includes("/enter/")) done();
    });
    void ran.then(({ err }) => failed(new Error(err)));
  });
  const base = /listens on (\S+)/.exec(out)?.[1] ?? "";
  const link = /(http\S+\/enter\/\S+)/.exec(out)?.[1] ?? "";
  const pid = Number(/^server (\d+)/.exec(out)?.[1] ?? child.pid);
  return { base, link, pid, kill: (signal) => void child.kill(signal), ran };
}

it("runs of a server that is killed go on when it is started again", async () => {
  const cwd = newFolder();
  const first = await start(cwd);
  const text = "The coffee was cold but the barista was kind.";
  const { id } = await callApi("startRun", { body: { pack: "sentiment", text } }, { base: first.base, token });
  first.kill("SIGKILL");
  await first.ran;
  const second = await start(cwd);
  for (;;) {
    const { run } = await callApi("readRun", { params: { id } }, { base: second.base, token });
    if (run.outcome === "decided") break;
    await pause(50);
  }
  second.kill("SIGTERM");
  const { code, err } = await second.ran;
  expect(code).toBe(143);
  expect(err).toContain('"event":"stopped"');
  expect((await runCli(["verify", id], { cwd })).code).toBe(0);
});

/** Starts what it is given and never collects it, as the first process of a container without an init. */
const collectsNobody = ["sh", "-c", '"$@" & echo "server $!"; exec sleep 600', "sh"];

it.runIf(process.platform === "linux")(
  "a server that is killed and never collected holds its runs no longer",
  async () => {
    const cwd = newFolder();
    const first = await start(cwd, collectsNobody);
    const body = { pack: "sentiment", text: "The coffee was cold but the barista was kind. ".repeat(150) };
    const { id } = await callApi("startRun", { body }, { base: first.base, token });
    process.kill(first.pid, "SIGKILL");
    while (!/\) Z /.test(readFileSync(`/proc/${first.pid}/stat`, "utf8"))) await pause(10);
    const second = await start(cwd);
    try {
      for (;;) {
        const { run } = await callApi("readRun", { params: { id } }, { base: second.base, token });
        if (run.outcome === "decided") break;
        await pause(50);
      }
      expect(() => process.kill(first.pid, 0), "it is still there").not.toThrow();
    } finally {
      for (const server of [first, second]) server.kill("SIGKILL");
      await Promise.all([first.ran, second.ran]);
    }
  },
);

it("the printed link opens five browsers, and without it or a token nothing is shown", async () => {
  const server = await start(newFolder());
  const opened = await fetch(server.link, { redirect: "manual" });
  expect(opened.status).toBe(303);
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect((await fetch(`${server.base}/api/runs`, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(`${server.base}/api/runs`)).status).toBe(401);
  for (let browser = 2; browser <= 5; browser++) await fetch(server.link, { redirect: "manual" });
  expect((await fetch(server.link, { redirect: "manual" })).status).toBe(403);
  server.kill("SIGTERM");
  await server.ran;
});

it("an address that others reach needs a token, or nothing is started", async () => {
  const { code, err } = await runCli(["serve", "--address", "0.0.0.0", "--port", "0"]);
  expect(code).toBe(2);
  expect(err).toContain("set PARLEY_TOKEN");
});

it("a port that is taken is said, with what to do", async () => {
  const server = await start(newFolder());
  const { port } = new URL(server.base);
  const { code, err } = await runCli(["serve", "--port", port], { env: { PARLEY_TOKEN: token } });
  expect([code, err]).toEqual([2, expect.stringContaining("another program listens there already")]);
  server.kill("SIGTERM");
  await server.ran;
});
