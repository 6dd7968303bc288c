/** From the start of a process to its first call, and to its help: against a bare script, and against Node itself. */
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
const sentence = "The battery lasts all day, but the screen broke after a week.";

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

function millisecondsToEnd(args: string[]): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}`);
  return performance.now() - started;
}

async function measure(folder: string): Promise<Figure[]> {
  const door = await startDoor();
  const bareScript = new URL("./bare-script.mjs", import.meta.url).pathname;
  const empty = (): number[] => [];
  const times = { parley: empty(), bare: empty(), help: empty(), node: empty(), sentence: empty() };
  for (let n = -1; n < repetitions; n += 1) {
    progress(`startup ${Math.max(0, n + 1)}/${repetitions}`);
    const parley = await millisecondsToCall(door, [bin, "ask", question, "--cast", "compatible/m"], folder);
    const bare = await millisecondsToCall(door, [bareScript, door.baseUrl, question], folder);
    const help = millisecondsToEnd([bin, "--help"]);
    const node = millisecondsToEnd(["-e", "0"]);
    const one = millisecondsToEnd([bin, "sentiment", sentence, "--store", `${folder}/${n}.db`]);
    if (n < 0) continue;
    times.parley.push(parley);
    times.bare.push(bare);
    times.help.push(help);
    times.node.push(node);
    times.sentence.push(one);
  }
  door.server.close();
  const ratio = (own: number[], other: number[]): number[] => own.map((time, i) => time / (other[i] ?? Number.NaN));
  const ms = (all: number[]): string => `${quantile(all, 0.5).toFixed(0)} ms`;
  return [
    figureOf("process start to first call / bare script", ratio(times.parley, times.bare), {
      unit: "×",
      target: { atMost: 1.15 },
      note: `parley ask ${ms(times.parley)}, a script with one generateText ${ms(times.bare)}`,
    }),
    figureOf("parley --help / node -e 0", ratio(times.help, times.node), {
      unit: "×",
      target: { atMost: 3 },
      note: `${ms(times.help)}, ${ms(times.node)}`,
    }),
    figureOf("one sentence judged / node -e 0", ratio(times.sentence, times.node), {
      unit: "×",
      target: { atMost: 16 },
      note: `${ms(times.sentence)}, ${ms(times.node)}; experts, stored and printed`,
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
