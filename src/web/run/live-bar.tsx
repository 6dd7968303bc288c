import { useEffect, useState } from "react";
import type { RunDetail } from "../../contract/api/index.ts";
import type { Live } from "../data/follow-run.ts";
import { formatCount, formatUsd } from "../../text/format.ts";
import { sayName } from "../text/words.ts";

export function LiveBar({ detail, live }: { detail: RunDetail; live: Live }) {
  const speaking = Object.entries(live.speaking).map(([turn, { text }]) => ({ turn, text }));
  const isOn = detail.run.outcome === null && detail.run.status !== "waiting";
  const words = speaking.reduce((sum, { text }) => sum + text.length, 0);
  const [isFollowing, setFollowing] = useFollowing(isOn, `${detail.turns.length}/${words}`);
  if (!isOn) return null;
  return (
    <div className="live-bar" role="region" aria-label="Live">
      <p className={live.isLost ? "warn" : "live"} role="status">
        {live.isLost ? "The server does not answer. Nothing shown here is lost; trying again." : sayWho(speaking)}
      </p>
      <p className="spent number">{saySpent(detail)}</p>
      <button aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
        {isFollowing ? "Following" : "Follow"}
      </button>
    </div>
  );
}

function sayWho(speaking: { turn: string; text: string }[]): string {
  if (speaking.length === 0) return "The run continues";
  return speaking
    .map(({ turn, text }) => `${sayName(turn.split("/")[2] ?? turn)} ${text === "" ? "is thinking" : "is speaking"}`)
    .join(", ");
}

export function saySpent({ turns, manifest: { budget } }: RunDetail): string {
  const sum = (pick: (turn: RunDetail["turns"][number]) => number): number =>
    turns.reduce((total, turn) => total + pick(turn), 0);
  const of = (limit: number | undefined, write: (value: number) => string): string =>
    limit === undefined ? "" : ` of ${write(limit)}`;
  const count = (value: number): string => value.toLocaleString("en");
  const calls = sum(({ usage, player }) => (/^(?:expert|person|record)/.test(player) ? 0 : usage.calls));
  const tokens = sum(({ usage }) => usage.inputTokens + usage.outputTokens);
  const silent = turns.filter(({ status }) => status === "abstained").length;
  const isPriced = turns.every(({ usage }) => usage.costUsd !== null);
  const usd = sum(({ usage }) => usage.costUsd ?? 0);
  return [
    `${formatCount(turns.length, "turn")}${silent === 0 ? "" : `, ${silent} without an answer`}`,
    ...(calls > 0 || budget.calls !== undefined
      ? [`${count(calls)}${of(budget.calls, count)} ${calls === 1 && budget.calls === undefined ? "call" : "calls"}`]
      : []),
    ...(tokens > 0 || budget.tokens !== undefined ? [`${count(tokens)}${of(budget.tokens, count)} tokens`] : []),
    ...(usd > 0 || budget.usd !== undefined
      ? [isPriced ? `${formatUsd(usd)}${of(budget.usd, formatUsd)}` : "price unknown"]
      : []),
  ].join(" · ");
}

function useFollowing(isOn: boolean, news: string): [boolean, (isFollowing: boolean) => void] {
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    if (!isOn) return undefined;
    const listening = new AbortController();
    const onMove = (event: Event): void => {
      const goesDown = event instanceof WheelEvent && event.deltaY >= 0;
      const isOtherKey = event instanceof KeyboardEvent && !/^(?:ArrowUp|PageUp|Home)$/.test(event.key);
      if (!goesDown && !isOtherKey) setFollowing(false);
    };
    for (const type of ["wheel", "touchmove", "keydown"])
      window.addEventListener(type, onMove, { passive: true, signal: listening.signal });
    return () => listening.abort();
  }, [isOn]);
  useEffect(() => {
    if (isOn && isFollowing) window.scrollTo(0, document.documentElement.scrollHeight);
  }, [isOn, isFollowing, news]);
  return [isFollowing, setFollowing];
}
