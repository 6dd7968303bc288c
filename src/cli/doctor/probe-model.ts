import * as z from "zod";
import type { Usage } from "../../contract/usage.ts";
import { defineRole } from "../../engine/role.ts";
import { renderPrompt } from "../../engine/render-prompt.ts";
import { castOfStrings } from "../../runs/cast-of.ts";
import type { UserConfig } from "../../runs/user-config.ts";
import { memoryStore } from "../../store/memory-store.ts";
import type { Io } from "../terminal/io.ts";

const probe = defineRole({
  name: "probe",
  reply: z.strictObject({ ok: z.boolean() }),
  prompt: () => ({ instructions: 'Answer {"ok": true}.', blocks: [], own: [] }),
});

/** Makes one small call to a model and says what came back. */
export async function probeModel(
  io: Io,
  { endpoints, prices }: UserConfig,
  model: string,
): Promise<{ text: string; ms: number; usage: Usage }> {
  const castOf = castOfStrings(memoryStore(), {
    env: io.env,
    endpoints,
    prices,
    retry: { tries: 1 },
    settings: { maxOutputTokens: 1 },
  });
  const player = (await castOf(model, [probe], {}))("probe");
  const started = performance.now();
  const prompt = probe.prompt({});
  const { reply, usage } = await player.play(
    probe,
    {},
    {
      key: { round: 0, step: "probe", role: "probe" },
      prompt,
      requestHash: renderPrompt(prompt).system,
      seed: 0,
      signal: io.signal,
      repair: null,
      reserve: async () => ({ settle: () => {} }),
      onText: () => {},
    },
  );
  return { text: "text" in reply ? reply.text : JSON.stringify(reply.value), ms: performance.now() - started, usage };
}
