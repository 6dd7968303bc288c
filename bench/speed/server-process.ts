import { fork } from "node:child_process";
import { once } from "node:events";
import type { Load } from "./model-process.ts";

export type ServerProcess = {
  baseUrl: string;
  /** The calls in flight as the server saw them since it was last asked. */
  load(): Promise<Load>;
  stop(): void;
};

/** The bench debate's model behind HTTP on loopback, in a process of its own. */
export async function startServerProcess(latencyMs: number): Promise<ServerProcess> {
  const script = new URL("./model-process.ts", import.meta.url).pathname;
  const child = fork(script, [String(latencyMs)]);
  const [baseUrl] = (await once(child, "message")) as [string];
  return {
    baseUrl,
    async load() {
      child.send("load");
      const [load] = (await once(child, "message")) as [Load];
      return load;
    },
    stop: () => void child.kill(),
  };
}
