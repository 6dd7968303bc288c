import { keepPreviousData, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { RunDetail, WhyReply } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { useWhy } from "../data/follow-run.ts";
import { useApi } from "../data/use-api.ts";
import { Sections } from "../sections/section-view.tsx";
import { GoLink } from "../text/page-context.tsx";
import { Failure, Skeleton } from "../text/parts.tsx";
import { sayName, showHidden } from "../text/words.ts";

type Lever = WhyReply["levers"][number];

const mostLevers = 3;

export function WhyLine({ detail }: { detail: RunDetail }) {
  const why = useWhy(detail);
  const [tried, setTried] = useState<string[]>([]);
  if (why.isError)
    return <p className="why-line secondary">{`What it depends on cannot be shown: ${why.error.message}`}</p>;
  if (why.isLoading)
    return (
      <div className="why-line" role="status">
        <p className="secondary">Working out what it depends on: each turn is left out once…</p>
        <Skeleton lines={1} />
      </div>
    );
  if (!why.data) return null;
  const { levers } = why.data;
  return (
    <section className="why-line" aria-label="What it depends on">
      <DecisiveTurns why={why.data} detail={detail} />
      {levers.length === 0 && <p className="secondary">No single setting was found that would change it.</p>}
      {levers.slice(0, mostLevers).map((lever) => (
        <p key={lever.setting}>
          <span className="key">would change</span> if <code>{lever.setting}</code> were {sayValue(lever)}:{" "}
          {lever.flips.map(sayFlip).join(", ")}{" "}
          <button className="small" onClick={() => setTried(toSet(lever))}>
            Try it
          </button>
        </p>
      ))}
      <Tried detail={detail} set={tried} onReset={() => setTried([])} />
    </section>
  );
}

const mostTurns = 4;

function DecisiveTurns({ why: { decisive }, detail }: { why: WhyReply; detail: RunDetail }) {
  const spoken = detail.turns.filter(({ status }) => status !== "abstained").length;
  if (decisive.length === 0)
    return <p className="secondary">{`It does not depend on any single turn of the ${spoken}.`}</p>;
  const names = new Map(
    detail.story.stages.flatMap(({ title, turns }) =>
      turns.map(({ turn, speaker }) => [turn, [...new Set([speaker, title])].join(", ")]),
    ),
  );
  return (
    <p>
      <span className="key">depends on</span> {`${decisive.length} of ${spoken} turns, each by itself: `}
      {decisive.slice(0, mostTurns).map((turn) => (
        <GoLink key={turn} turn={turn}>
          <span aria-hidden="true">◆ </span>
          {showHidden(sayName(names.get(turn) ?? turn))}
        </GoLink>
      ))}
      {decisive.length > mostTurns && <span className="secondary">and {decisive.length - mostTurns} more</span>}
    </p>
  );
}

function toSet({ setting, to }: Lever): string[] {
  return [`${setting}=${typeof to === "string" ? to : JSON.stringify(to)}`];
}

function sayValue({ from, to }: Lever): string {
  return `${String(to)} instead of ${String(from)}`;
}

function sayFlip({ name, before, after }: { name: string; before: string; after: string }): string {
  return `${sayName(name)} ${showHidden(before)} → ${showHidden(after)}`;
}

type TriedProps = { detail: RunDetail; set: string[]; onReset: () => void };

function Tried({ detail: { run }, set, onReset }: TriedProps) {
  const [, navigate] = useLocation();
  const asked = { params: { id: run.id }, body: { set } };
  const options = { enabled: set.length > 0, placeholderData: keepPreviousData, staleTime: Infinity };
  const redecided = useApi("redecideRun", asked, options);
  const branch = useMutation({
    mutationFn: (from: string) => callApi("branchRun", { params: { id: run.id }, body: { from, set } }),
    onSuccess: ({ id }) => navigate(`/runs/${id}`),
  });
  if (set.length === 0) return null;
  if (redecided.isError) return <Failure error={redecided.error} />;
  if (!redecided.data) return <Skeleton lines={2} />;
  const { outcome, headline, sections, from } = redecided.data;
  const isSame = [outcome, ...headline].every(({ before, after }) => before === after);
  return (
    <div className="whatif" role="status">
      <strong className={isSame ? "secondary" : "warn"}>
        {isSame ? "The decision stays the same." : "The decision changes:"}
      </strong>
      <Sections sections={sections} />
      <p className="why-acts">
        <button onClick={onReset}>As it was</button>
        {from !== null && (
          <button className="primary" disabled={branch.isPending} onClick={() => branch.mutate(from)}>
            Keep it as a branch
          </button>
        )}
      </p>
      {branch.isError && <Failure error={branch.error} />}
    </div>
  );
}
