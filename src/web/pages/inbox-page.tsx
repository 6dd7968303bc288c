import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { ReviewDetail, ReviewItem } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { AnswerForm } from "../review/answer-form.tsx";
import { RulingForm } from "../review/ruling-form.tsx";
import { Empty, Failure, Skeleton } from "../text/states.tsx";
import { tellAge, tellTime } from "../text/time.ts";
import { guessLang, showHidden } from "../text/words.ts";

const whyWords = {
  turn: "a role waits for an answer",
  escalated: "the debate asks for a ruling",
  budget: "the budget is spent",
};

/** What waits for a person: the queue, the case, and the form to answer it. */
export default function InboxPage() {
  const [search, setSearch] = useSearchParams();
  const [done, setDone] = useState<string | null>(null);
  const reviews = useQuery({ queryKey: ["reviews"], queryFn: () => call("listReviews", "/api/reviews") });
  if (reviews.isPending) return <Skeleton lines={6} />;
  if (reviews.isError) return <Failure error={reviews.error} />;
  const { items, agreement } = reviews.data;
  const chosen = items.find(({ run }) => run.id === search.get("run")) ?? items[0];
  return (
    <>
      <h1>Inbox</h1>
      {done && (
        <p className="notice" role="status">
          {done}
        </p>
      )}
      {agreement.blind > 0 && (
        <p className="secondary">{`${agreement.agreed} of ${agreement.blind} blind reviews agreed with the machine.`}</p>
      )}
      {!chosen && <Empty>Nothing waits for a person.</Empty>}
      {chosen && (
        <div className="inbox">
          <ul className="queue" aria-label="What waits">
            {items.map((item) => (
              <li key={item.run.id}>
                <QueueItem item={item} isAt={item === chosen} onOpen={() => setSearch({ run: item.run.id })} />
              </li>
            ))}
          </ul>
          <Review key={chosen.run.id} id={chosen.run.id} onDone={setDone} />
        </div>
      )}
    </>
  );
}

function QueueItem({ item, isAt, onOpen }: { item: ReviewItem; isAt: boolean; onOpen: () => void }) {
  return (
    <button aria-current={isAt} onClick={onOpen}>
      <span className="subject" lang={guessLang(item.run.subject)}>
        {showHidden(item.run.subject)}
      </span>
      <span className="secondary">
        {`${item.run.pack} · ${whyWords[item.why]} · `}
        <time dateTime={item.since} title={tellTime(item.since)}>
          {tellAge(item.since)}
        </time>
        {item.claim && ` · taken by ${item.claim.reviewer}`}
      </span>
    </button>
  );
}

function Review({ id, onDone }: { id: string; onDone: (said: string) => void }) {
  const queries = useQueryClient();
  const [reviewer, setReviewer] = useState(localStorage.getItem("parley-reviewer") ?? "");
  const detail = useQuery({ queryKey: ["review", id], queryFn: () => call("readReview", `/api/reviews/${id}`) });
  const send = useMutation({
    mutationFn: async ({ path, body }: { path: "answer" | "uphold"; body: Record<string, unknown> }) => {
      localStorage.setItem("parley-reviewer", reviewer);
      await call("claimReview", `/api/reviews/${id}/claim`, { reviewer });
      return call("answerReview", `/api/reviews/${id}/${path}`, { reviewer, ...body });
    },
    onSuccess: async ({ state, problems, agreed }) => {
      if (state === "refused") return;
      const also =
        agreed === null
          ? ""
          : agreed
            ? " Your answer agrees with the machine's."
            : " The machine had decided otherwise.";
      onDone(`${state === "resumed" ? "The run goes on." : "Recorded."}${also}${problems.join(" ")}`);
      await queries.invalidateQueries();
    },
  });
  if (detail.isPending) return <Skeleton lines={8} />;
  if (detail.isError) return <Failure error={detail.error} />;
  return (
    <div>
      <CaseOf detail={detail.data} />
      <div className="form">
        <label>
          Your name
          <input value={reviewer} onChange={(event) => setReviewer(event.target.value)} required />
        </label>
        {detail.data.turn ? (
          <AnswerForm
            turn={detail.data.turn}
            isOff={reviewer.trim() === "" || send.isPending}
            onSend={(reply) => send.mutate({ path: "answer", body: { reply } })}
          />
        ) : (
          <RulingForm
            detail={detail.data}
            isOff={reviewer.trim() === "" || send.isPending}
            onSend={(body) => send.mutate({ path: "uphold", body })}
          />
        )}
        {send.isError && <Failure error={send.error} />}
        {send.data?.state === "refused" && <p className="bad">{send.data.problems.join(" ")}</p>}
      </div>
    </div>
  );
}

function CaseOf({ detail }: { detail: ReviewDetail }) {
  const { run, reasons } = detail.item;
  return (
    <div className="head">
      <h2 lang={guessLang(run.subject)}>{showHidden(run.subject)}</h2>
      {reasons.length > 0 && <p className="warn">{`It is here because: ${reasons.join("; ")}`}</p>}
      {detail.blind ? (
        <p className="secondary">The machine's verdict is kept back until you have answered.</p>
      ) : (
        <Link href={`/runs/${run.id}`}>Both sides and their sources</Link>
      )}
    </div>
  );
}
