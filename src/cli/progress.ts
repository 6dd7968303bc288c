import type { DebateEvent } from "../contract/journal.ts";
import { turnIdOf } from "../contract/turn.ts";
import { wrapColoured } from "../text/layout.ts";
import { countText, formatDuration, formatSeconds, formatShortCount, formatUsd } from "../text/format.ts";
import type { Io } from "./io.ts";

export type Progress = {
  onEvent(event: DebateEvent): void;
  line(text: string): void;
  work(now: () => Work, noun: string): void;
  watch(describe: () => string): void;
  clear(): void;
};

export type RunProgress = {
  round: number;
  turns: number;
  speaking: Map<string, string>;
  tokens: number;
  costUsd: number | null;
};

const betweenDrawsMs = 100;

/** A progress line on stderr, drawn at least once and at most ten times a second. */
export function createProgress(io: Io, quiet = false): Progress {
  const startedMs = performance.now();
  const run = startRunProgress();
  let describe: (() => string) | null = null;
  let drawnAt = -Infinity;
  let timer: NodeJS.Timeout | null = null;
  const draw = (): void => {
    drawnAt = performance.now();
    if (describe) io.draw(wrapColoured(describe(), io.width - 1, { hard: true })[0] ?? "");
  };
  const watch = (next: () => string): void => {
    describe = next;
    if (!io.live || quiet) return;
    timer ??= setInterval(draw, betweenDrawsMs * 2).unref();
    if (performance.now() - drawnAt >= betweenDrawsMs) draw();
  };
  return {
    watch,
    line: (text) => watch(() => text),
    work: (now, noun) => watch(() => describeWork(now(), noun, performance.now() - startedMs)),
    onEvent(event) {
      followRun(run, event);
      watch(() => describeRun(run, performance.now() - startedMs));
    },
    clear() {
      if (timer === null) return;
      clearInterval(timer);
      timer = null;
      drawnAt = -Infinity;
      io.draw("");
    },
  };
}

export function startRunProgress(): RunProgress {
  return { round: 0, turns: 0, speaking: new Map(), tokens: 0, costUsd: 0 };
}

export function followRun(run: RunProgress, event: DebateEvent): void {
  if (event.type === "round_started") run.round = event.round;
  if (event.type === "turn_started") run.speaking.set(turnIdOf(event.key), event.key.role);
  if (event.type !== "turn") return;
  const { key, usage } = event.turn;
  run.speaking.delete(turnIdOf(key));
  run.turns += 1;
  run.tokens += usage.inputTokens + usage.outputTokens;
  run.costUsd = run.costUsd === null || usage.costUsd === null ? null : run.costUsd + usage.costUsd;
}

/** `round 2 · skeptic speaking · 5 turns · 12 s · $0.0123` */
export function describeRun({ round, turns, speaking, tokens, costUsd }: RunProgress, elapsedMs: number): string {
  const names = [...new Set(speaking.values())];
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  const parts = [
    ...(round > 0 ? [`round ${round}`] : []),
    ...(names.length > 0 ? [`${shown.join(", ")} speaking`] : []),
    `${turns} ${turns === 1 ? "turn" : "turns"} done`,
    formatSeconds(elapsedMs),
    ...(tokens > 0 ? [costUsd === null ? `${formatShortCount(tokens)} tokens` : formatUsd(costUsd)] : []),
  ];
  return parts.join(" · ");
}

export type Work = Record<"done" | "before" | "total" | "failed" | "tokens", number> & { costUsd: number | null };

/** `412/2 000 texts · 34.1/s · 47 s left · $0.0123 · 3 failed` */
export function describeWork(work: Work, noun: string, elapsedMs: number): string {
  const { done, before, total, failed, tokens, costUsd } = work;
  const rate = (done - before) / Math.max(0.001, elapsedMs / 1000);
  const left =
    rate > 0 ? `${formatDuration(Math.ceil(Math.max(0, total - done) / rate) * 1000)} left` : formatSeconds(elapsedMs);
  const parts = [`${countText(done)}/${countText(Math.max(total, done))} ${noun}`, `${rate.toFixed(1)}/s`, left];
  if (tokens > 0) parts.push(costUsd === null ? `${formatShortCount(tokens)} tokens` : formatUsd(costUsd));
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(" · ");
}
