import { createInterruption } from "../../players/calls/interruption.ts";
import type { Clock } from "../../players/limits/clock.ts";
import { type LimitDesk, type MinuteLimits, type Return, shareLifeMs } from "./limit-desk.ts";

/** A call that was allowed: the tokens it is charged with, and where; it must leave before `untilMs`. */
export type Share = { slot: number; tokens: number; untilMs: number };

/** The calls of one worker at one endpoint, in line for their shares. */
export type ShareLine = {
  take(tokens: number, signal: AbortSignal): Promise<Share>;
  giveBack(returned: Return): void;
  /** Resolves when everything that is to be given back is. */
  settled(): Promise<void>;
};

type Waiting = { tokens: number; start(share: Share): void; fail(error: unknown): void };

/** How long what is given back is collected before it is sent. */
const collectMs = 200;

/**
 * Asks for all calls that wait at once, and for half as many more as were made in the life of a share, so that a busy
 * worker does not ask for each call. What is not used in time is given back. A share's time begins when it was asked for,
 * on this process's own clock: it may only be too short.
 */
export function createShareLine(
  desk: LimitDesk,
  name: string,
  { limits, clock, random = Math.random }: { limits: MinuteLimits; clock: Clock; random?(): number },
): ShareLine {
  const waiting: Waiting[] = [];
  let spares: Share[] = [];
  let returns: Return[] = [];
  let recent: number[] = [];
  let isAsking = false;
  let sending = Promise.resolve();
  let cancelSending: (() => void) | null = null;

  const sendReturns = (): void => {
    cancelSending = null;
    const all = returns;
    returns = [];
    // What cannot be given back is lost for a minute, and that does no harm.
    sending = desk.giveBack(name, all).catch(() => undefined);
  };
  const giveBack = (returned: Return): void => {
    if (returned.requests === 0 && returned.tokens === 0) return;
    returns.push(returned);
    cancelSending ??= clock.after(collectMs, sendReturns);
  };
  const dropStale = (): void => {
    const nowMs = clock.nowMs();
    for (const { slot, tokens, untilMs } of spares) if (untilMs <= nowMs) giveBack({ slot, requests: 1, tokens });
    spares = spares.filter(({ untilMs }) => untilMs > nowMs);
    recent = recent.filter((atMs) => atMs > nowMs - shareLifeMs);
  };
  const takeSpare = (tokens: number): Share | null => {
    dropStale();
    const index = spares.findIndex((spare) => spare.tokens >= tokens);
    return index < 0 ? null : (spares.splice(index, 1)[0] ?? null);
  };
  const ask = async (): Promise<number> => {
    const sentMs = clock.nowMs();
    const known = waiting.map((one) => one.tokens);
    const ahead = Array.from({ length: Math.floor(recent.length / 2) }, () => Math.max(...known));
    const wanted = [...known, ...ahead];
    const { granted, slot, waitMs } = await desk.take(name, limits, wanted);
    for (const want of wanted.slice(0, granted)) {
      // A call that can never fit is charged with all there is.
      const tokens = Math.min(want, limits.tokensPerMinute);
      spares.push({ slot, tokens, untilMs: sentMs + shareLifeMs });
    }
    if (ahead.length > 0) clock.after(shareLifeMs, dropStale);
    handOut();
    return waiting.length === 0 ? 0 : waitMs * (1 + random() / 2);
  };
  const handOut = (): void => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const share = takeSpare(Math.min(next.tokens, limits.tokensPerMinute));
      if (!share) return;
      waiting.shift();
      recent.push(clock.nowMs());
      next.start(share);
    }
  };
  const askOn = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      while (waiting.length > 0) {
        const waitMs = await ask();
        if (waitMs > 0) await new Promise<void>((wake) => void clock.after(Math.min(waitMs, 5_000), wake));
      }
    } catch (error) {
      for (const one of waiting.splice(0)) one.fail(error);
    } finally {
      isAsking = false;
    }
  };
  return {
    giveBack,
    take: (tokens, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(own), 1);
          reject(createInterruption(signal));
        };
        const own: Waiting = {
          tokens,
          start(share) {
            signal.removeEventListener("abort", leave);
            resolve(share);
          },
          fail(error) {
            signal.removeEventListener("abort", leave);
            reject(error);
          },
        };
        if (signal.aborted) return reject(createInterruption(signal));
        signal.addEventListener("abort", leave, { once: true });
        waiting.push(own);
        handOut();
        void askOn();
      }),
    async settled() {
      for (const { slot, tokens } of spares) giveBack({ slot, requests: 1, tokens });
      spares = [];
      cancelSending?.();
      if (returns.length > 0) sendReturns();
      await sending;
    },
  };
}
