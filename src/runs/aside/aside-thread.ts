import { parentPort, workerData } from "node:worker_threads";
import { ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { runDebate } from "../../engine/run-debate.ts";
import { loadPack } from "../../packs/registry.ts";
import { expertPlayer } from "../../players/offline/expert-player.ts";
import { pickSealedFacts } from "../record/run-seal.ts";
import { loadPackFrom } from "../settings/own-packs.ts";
import { holdBack } from "../start/hold-back.ts";
import type { AsideAnswer, AsideReply, AsideTask, AsideTrouble, ThreadData } from "./aside-message.ts";

/** A thread of `openAside`: plays one debate of programs after the other, and tells what was said. It stores nothing. */
const { pack: name, origin } = workerData as ThreadData;
const pack = origin ? await loadPackFrom(origin, name) : await loadPack(name);

parentPort?.on("message", ({ number, run }: AsideTask) => {
  void playRun(pack, run).then((answer) => {
    const reply: AsideReply = { number, text: JSON.stringify(answer) };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    parentPort?.postMessage(reply);
  });
});

async function playRun(of: AnyPack, run: Run): Promise<AsideAnswer> {
  const { manifest } = run;
  const { journal, entries } = holdBack();
  const player = expertPlayer(of.roles(manifest.config));
  try {
    await runDebate({
      pack: of,
      input: manifest.input,
      config: manifest.config,
      cast: () => player,
      seed: manifest.seed,
      budget: manifest.budget,
      lean: manifest.lean ?? false,
      journal,
      manifest: pickSealedFacts(run),
    });
    return { entries, trouble: null };
  } catch (error) {
    return { entries, trouble: describeTrouble(error) };
  }
}

function describeTrouble(error: unknown): AsideTrouble {
  if (error instanceof ParleyError) {
    const { code, message, details } = error;
    return { kind: "failure", code, message, details };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: "bug", message, stack: stack ?? message };
}
