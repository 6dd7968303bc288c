import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Reviewed, ReviewItem } from "../../contract/api/index.ts";
import { useApi } from "../data/use-api.ts";
import { Age, Empty, Loaded } from "../text/parts.tsx";
import { guessLang, sayName, sayOutcome, showHidden } from "../text/words.ts";
import { AnswerPanel } from "./answer-panel.tsx";
import { CaseView } from "./case-view.tsx";

export default function InboxPage() {
  const reviews = useApi("listReviews", {}, { refetchInterval: 15_000 });
  const [last, setLast] = useState<Reviewed | null>(null);
  return (
    <Loaded query={reviews}>
      {({ items, agreement }) => (
        <>
          <header className="page-head">
            <h1>Inbox</h1>
            {agreement.blind > 0 && (
              <p className="secondary">{`${agreement.agreed} of ${agreement.blind} blind reviews agreed with the machine.`}</p>
            )}
          </header>
          {last && <WhatNext reviewed={last} />}
          {items.length === 0 ? (
            <Empty>
              Nothing waits for a person. Debates come here when they ask for a ruling, when a person plays a role, or
              when a budget is spent.
            </Empty>
          ) : (
            <Items items={items} onDone={setLast} />
          )}
        </>
      )}
    </Loaded>
  );
}

function Items({ items, onDone }: { items: ReviewItem[]; onDone: (reviewed: Reviewed) => void }) {
  const queries = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const at = Math.max(
    0,
    items.findIndex(({ run }) => run.id === search.get("run")),
  );
  const id = items[at]?.run.id ?? "";
  const open = (run: string) => setSearch({ run }, { replace: true });
  const detail = useApi("readReview", { params: { id } });
  const done = (reviewed: Reviewed) => {
    onDone(reviewed);
    const next = items[at + 1] ?? items[at - 1];
    if (next) open(next.run.id);
    void queries.invalidateQueries();
  };
  return (
    <div className="inbox">
      <nav aria-label="What waits" className="queue">
        <ul>
          {items.map((item) => (
            <li key={item.run.id}>
              <QueueItem item={item} isAt={item.run.id === id} onOpen={() => open(item.run.id)} />
            </li>
          ))}
        </ul>
      </nav>
      <Loaded query={detail} lines={8}>
        {(shown) => (
          <>
            <CaseView detail={shown} />
            <AnswerPanel key={id} detail={shown} onDone={done} />
          </>
        )}
      </Loaded>
    </div>
  );
}

const whyWords: Record<ReviewItem["why"], string> = {
  turn: "a role waits for an answer",
  escalated: "asks for a ruling",
  budget: "its budget is spent",
};

function QueueItem({ item, isAt, onOpen }: { item: ReviewItem; isAt: boolean; onOpen: () => void }) {
  return (
    <button aria-current={isAt} onClick={onOpen}>
      <span className="subject" lang={guessLang(item.run.subject)}>
        {showHidden(item.run.subject)}
      </span>
      <span className="secondary">{`${sayName(item.run.pack)}, ${whyWords[item.why]}`}</span>
      <span className="secondary">
        <Age at={item.since} before="came " />
      </span>
      {item.claim && <span className="tag">{`taken by ${showHidden(item.claim.reviewer)}`}</span>}
    </button>
  );
}

const stateWords: Record<Reviewed["state"], string> = {
  resumed: "The run continued",
  settled: "Your ruling is recorded",
  closed: "It ends with the current decision",
  refused: "It was not accepted",
};

function WhatNext({ reviewed: { id, state, agreed } }: { reviewed: Reviewed }) {
  const run = useApi(
    "readRun",
    { params: { id } },
    {
      refetchInterval: ({ state: { data } }) =>
        data && data.run.outcome === null && data.run.status === "running" ? 1_000 : false,
    },
  );
  const now = run.data && sayOutcome(run.data.run.status, run.data.run.outcome).word;
  return (
    <p className="notice done" role="status">
      {stateWords[state]}
      {now && ` → ${now}`}.{" "}
      {agreed !== null && (agreed ? "You and the machine agree. " : "The machine had decided differently. ")}
      <Link href={`/runs/${id}`}>Look at it</Link>
    </p>
  );
}
