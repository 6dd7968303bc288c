import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useSearchParams } from "wouter";
import type { Reviewed, ReviewItem } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { AnswerPanel } from "../review/answer-panel.tsx";
import { CaseView } from "../review/case-view.tsx";
import { useInboxKeys } from "../review/inbox-keys.ts";
import { Queue } from "../review/queue.tsx";
import { WhatNext } from "../review/what-next.tsx";
import { Empty, Failure, Skeleton } from "../text/states.tsx";

/** What waits for a person: the queue, the case, and the form to answer it. */
export default function InboxPage() {
  const reviews = useQuery({
    queryKey: ["reviews"],
    queryFn: () => call("listReviews", "/api/reviews"),
    refetchInterval: 15_000,
  });
  const [last, setLast] = useState<Reviewed | null>(null);
  if (reviews.isPending) return <Skeleton lines={6} />;
  if (reviews.isError) return <Failure error={reviews.error} again={() => void reviews.refetch()} />;
  const { items, agreement } = reviews.data;
  return (
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
          Nothing waits for a person. Debates come here when they ask for a ruling, when a person plays a role, or when
          a budget is spent.
        </Empty>
      ) : (
        <Desk items={items} onDone={setLast} />
      )}
    </>
  );
}

function Desk({ items, onDone }: { items: ReviewItem[]; onDone: (reviewed: Reviewed) => void }) {
  const queries = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const [isHidden, setHidden] = useState(sessionStorage.getItem("parley-hide") === "yes");
  const found = items.findIndex(({ run }) => run.id === search.get("run"));
  const at = Math.max(0, found);
  const id = items[at]?.run.id ?? "";
  const open = useCallback((run: string) => setSearch({ run }, { replace: true }), [setSearch]);
  const step = useCallback(
    (by: number) => {
      const to = items[(at + by + items.length) % items.length];
      if (to) open(to.run.id);
    },
    [items, at, open],
  );
  const hide = useCallback((next: boolean) => {
    sessionStorage.setItem("parley-hide", next ? "yes" : "no");
    setHidden(next);
  }, []);
  useInboxKeys({
    next: useCallback(() => step(1), [step]),
    back: useCallback(() => step(-1), [step]),
    hide: useCallback(() => hide(!isHidden), [hide, isHidden]),
  });
  const detail = useQuery({ queryKey: ["review", id], queryFn: () => call("readReview", `/api/reviews/${id}`) });
  const done = (reviewed: Reviewed) => {
    onDone(reviewed);
    const next = items[at + 1] ?? items[at - 1];
    if (next) open(next.run.id);
    void queries.invalidateQueries();
  };
  return (
    <>
      <p className="list-note secondary">
        <span>{`${items.length} ${items.length === 1 ? "waits" : "wait"}`}</span>
        <span className="keys">
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>enter</kbd> to the form, <kbd>1</kbd>–<kbd>9</kbd> choose, <kbd>c</kbd>{" "}
          comment, <kbd>t</kbd> take, <kbd>s</kbd> skip, <kbd>b</kbd> blind
        </span>
      </p>
      <div className="inbox">
        <Queue items={items} at={id} onOpen={open} />
        {detail.isPending && <Skeleton lines={8} />}
        {detail.isError && <Failure error={detail.error} again={() => void detail.refetch()} />}
        {detail.data && (
          <>
            <CaseView detail={detail.data} isHidden={isHidden} onHide={hide} />
            <AnswerPanel key={id} detail={detail.data} onDone={done} />
          </>
        )}
      </div>
    </>
  );
}
