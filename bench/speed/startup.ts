/** From the start of a process to its first call, against a bare script. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { question } from "./debate-case.ts";
import { type Figure, figureOf, progress, quantile, report } from "./figure.ts";
import { withFolder } from "./with-folder.ts";

const repetitions = 12;
const root = new URL("../../", import.meta.url).pathname;
const bin = `${root}bin/parley.js`;

/** A server that notes when it was first called; the caller is then stopped, since only its start is measured. */
async function startDoor() {
  const server = createServer((_request, response) => {
    server.emit("knock");
    response.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

type Door = Awaited<ReturnType<typeof startDoor>>;

async function millisecondsToCall(door: Door, args: string[], cwd: string): Promise<number> {
  const started = performance.now();
  const env = { ...process.env, PARLEY_BASE_URL: door.baseUrl };
  const child = spawn(process.execPath, args, { cwd, env, stdio: "ignore" });
  await once(door.server, "knock");
  const taken = performance.now() - started;
  child.kill("SIGKILL");
  await once(child, "close");
  return taken;
}

async function measure(folder: string): Promise<Figure[]> {
  const door = await startDoor();
  const bareScript = new URL("./bare-script.mjs", import.meta.url).pathname;
  const times: { parley: number[]; bare: number[] } = { parley: [], bare: [] };
  for (let n = -1; n < repetitions; n += 1) {
    progress(`startup ${Math.max(0, n + 1)}/${repetitions}`);
    const parley = await millisecondsToCall(door, [bin, "ask", question, "--cast", "compatible/m"], folder);
    const bare = await millisecondsToCall(door, [bareScript, door.baseUrl, question], folder);
    if (n < 0) continue;
    times.parley.push(parley);
    times.bare.push(bare);
  }
  door.server.close();
  const ratio = (own: number[], other: number[]): number[] => own.map((time, i) => time / (other[i] ?? Number.NaN));
  const ms = (all: number[]): string => `${quantile(all, 0.5).toFixed(0)} ms`;
  return [
    figureOf("process start to first call / bare script", ratio(times.parley, times.bare), {
      unit: "×",
      target: { atMost: 1.25 },
      note: `parley ask ${ms(times.parley)}, a script with one generateText ${ms(times.bare)}`,
    }),
  ];
}

/** What is measured is what is installed: the built package of this very source. */
function build(): void {
  progress("startup, building");
  const { status, stderr } = spawnSync("npm", ["run", "-s", "build"], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`the build failed\n${stderr}`);
}

build();
report(await withFolder(measure));
