import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Reviewed, ReviewItem } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { Empty, Failure, Skeleton } from "../text/parts.tsx";
import { guessLang, sayName, sayOutcome, showHidden, tellAge, tellTime } from "../text/words.ts";
import { AnswerPanel } from "./answer-panel.tsx";
import { CaseView } from "./case-view.tsx";

/** What waits for a person: the queue, the case, and the form to answer it. */
export default function InboxPage() {
  const reviews = useQuery({
    queryKey: ["reviews"],
    queryFn: () => callApi("listReviews", {}),
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
  const detail = useQuery({ queryKey: ["review", id], queryFn: () => callApi("readReview", { params: { id } }) });
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

const whyWords: Record<ReviewItem["why"], string> = {
  turn: "a role waits for an answer",
  escalated: "asks for a ruling",
  budget: "its budget is spent",
};

type Props = { items: ReviewItem[]; at: string | undefined; onOpen: (id: string) => void };

/** Who waits, how long, and until when. */
function Queue({ items, at, onOpen }: Props) {
  return (
    <nav aria-label="What waits" className="queue">
      <ul>
        {items.map((item) => (
          <li key={item.run.id}>
            <button aria-current={item.run.id === at} onClick={() => onOpen(item.run.id)}>
              <span className="subject" lang={guessLang(item.run.subject)}>
                {showHidden(item.run.subject)}
              </span>
              <span className="secondary">{`${sayName(item.run.pack)}, ${whyWords[item.why]}`}</span>
              <span className="secondary">
                <time dateTime={item.since} title={tellTime(item.since)}>
                  {`came ${tellAge(item.since)}`}
                </time>
                <Deadline item={item} />
              </span>
              {item.claim && <span className="badge">{`taken by ${item.claim.reviewer}`}</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Until when an answer is wanted, and what happens then. */
export function Deadline({ item }: { item: ReviewItem }) {
  if (item.deadline === null) return null;
  const then = item.atDeadline === "abstain" ? ", then the turn abstains" : "";
  return (
    <span className={item.overdue ? "bad" : "warn"} title={tellTime(item.deadline)}>
      {item.overdue ? ` · overdue since ${tellAge(item.deadline)}` : ` · due ${tellAge(item.deadline)}${then}`}
    </span>
  );
}

const stateWords: Record<Reviewed["state"], string> = {
  resumed: "The run went on",
  settled: "Your ruling is recorded",
  closed: "It ends with what stands",
  refused: "It was not taken",
};

/** What came of the last answer: the run went on, and how it ended. */
function WhatNext({ reviewed: { id, state, agreed } }: { reviewed: Reviewed }) {
  const run = useQuery({
    queryKey: ["run", id],
    queryFn: () => callApi("readRun", { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data && data.run.outcome === null && data.run.status === "running" ? 1_000 : false,
  });
  const now = run.data && sayOutcome(run.data.run.status, run.data.run.outcome).word;
  return (
    <p className="notice done" role="status">
      {stateWords[state]}
      {now && ` → ${now}`}.{" "}
      {agreed !== null && (agreed ? "You and the machine agree. " : "The machine had decided otherwise. ")}
      <Link href={`/runs/${id}`}>Look at it</Link>
    </p>
  );
}

type InboxKeys = { next(): void; back(): void; hide(): void };

/** The inbox without a mouse: j and k move, s skips, enter goes to the form, 1–9 choose, c comments, t takes, b hides. */
function useInboxKeys({ next, back, hide }: InboxKeys): void {
  useEffect(() => {
    const plain: Record<string, () => void> = {
      j: next,
      s: next,
      k: back,
      b: hide,
      t: () => find("[data-take]")?.click(),
      c: () => find("[data-comment], textarea")?.focus(),
      Enter: () => findOpen()?.focus(),
    };
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        find("[data-send]")?.click();
        return;
      }
      const isWriting = target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
      if (isWriting && event.key === "Escape") target.blur();
      if (isWriting || event.metaKey || event.ctrlKey || event.altKey) return;
      if (/^[1-9]$/.test(event.key)) choose(Number(event.key));
      const act = event.key === "Enter" && target.matches("button, a, input, summary") ? undefined : plain[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [next, back, hide]);
}

function find(selector: string): HTMLElement | null {
  return document.querySelector(`.inbox-answer :is(${selector})`);
}

/** The first field to fill in: the name only while nobody has given one. */
function findOpen(): HTMLElement | null {
  const name = document.querySelector<HTMLInputElement>("#reviewer");
  return name?.value.trim() === "" ? name : find("[data-choices] input, .field input:not(#reviewer), textarea");
}

/** Chooses in the question that has the focus, or in the first. */
function choose(number: number): void {
  const held = document.activeElement?.closest("[data-choices]");
  const question = held ?? document.querySelector(".inbox-answer [data-choices]");
  question?.querySelectorAll("input")[number - 1]?.click();
}
