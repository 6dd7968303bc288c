import { hasCode } from "../../contract/error.ts";
import type { RunSetting } from "../../runs/start/start-run.ts";
import type { Telemetry } from "../../runs/telemetry.ts";
import type { Io } from "./io.ts";
import { createProgress, type Progress } from "./progress.ts";

/** What follows a run while it goes: the progress line, and a collector when one is configured. */
export type Followers = {
  progress: Progress;
  onEvent: NonNullable<RunSetting["onEvent"]>;
  /** Only the collector: for many runs at once, whose line is drawn otherwise. */
  trace: NonNullable<RunSetting["onEvent"]>;
  close(): Promise<void>;
};

/** True when the environment names an OTLP endpoint; nothing of OpenTelemetry is loaded otherwise. */
export function isTelemetryConfigured(env: Record<string, string | undefined>): boolean {
  if (env.OTEL_SDK_DISABLED === "true" || env.OTEL_TRACES_EXPORTER === "none") return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/** Who stopped the work does not wait for a collector that hangs. */
function waitBriefly(): Promise<void> {
  return new Promise((done) => void setTimeout(done, 1_000).unref());
}

type FollowOptions = { quiet?: boolean; telemetry?: { content?: boolean } };

/** A debate does not wait for packages that only its collector needs: their absence is said, and it goes on. */
async function startTelemetry(io: Io, told: FollowOptions["telemetry"]): Promise<Telemetry | null> {
  const { openTelemetry } = await import("../../runs/telemetry.ts");
  return openTelemetry(told).catch((error: unknown) => {
    if (!hasCode(error, "bad_config")) throw error;
    io.err(`parley: no spans are sent: ${error.message}\n`);
    return null;
  });
}

/** Opens the followers; `close` clears the line and sends what is left to the collector. */
export async function openFollowers(io: Io, { quiet = false, telemetry: told }: FollowOptions): Promise<Followers> {
  const progress = createProgress(io, quiet);
  const telemetry = isTelemetryConfigured(io.env) ? await startTelemetry(io, told) : null;
  return {
    progress,
    onEvent(event, run) {
      progress.onEvent(event);
      telemetry?.onEvent(event, run);
    },
    trace: (event, run) => telemetry?.onEvent(event, run),
    async close() {
      progress.clear();
      const sent = telemetry
        ?.close()
        .catch((error: Error) => io.err(`parley: the collector did not take the spans: ${error.message}\n`));
      await (io.signal.aborted ? Promise.race([sent, waitBriefly()]) : sent);
    },
  };
}
