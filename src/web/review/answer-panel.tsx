import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ReviewDetail, Reviewed } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { emptyParts, tidyValue } from "../form/field.ts";
import { PartsFields } from "../form/schema-field.tsx";
import { Failure } from "../text/states.tsx";
import { tellTime } from "../text/time.ts";
import { showHidden } from "../text/words.ts";
import { type Draft, useDraft } from "./draft.ts";
import { BudgetFields, RulingFields } from "./ruling-fields.tsx";

type Props = { detail: ReviewDetail; onDone: (reviewed: Reviewed) => void };

/** The form: the role's reply, a ruling, or leave to go on; what is written stays until it is sent. */
export function AnswerPanel({ detail, onDone }: Props) {
  const { item, turn } = detail;
  const { id } = item.run;
  const queries = useQueryClient();
  const [reviewer, setReviewer] = useState(localStorage.getItem("parley-reviewer") ?? "");
  const { draft, change, forget } = useDraft(id, { reply: turn ? emptyParts(turn.schema) : {} });
  const claim = useMutation({
    mutationFn: () => call("claimReview", `/api/reviews/${id}/claim`, { reviewer }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["reviews"] }),
  });
  const send = useMutation({
    mutationFn: async (isAbstention: boolean) => {
      await call("claimReview", `/api/reviews/${id}/claim`, { reviewer });
      const { path, body } = addressAnswer(detail, draft, isAbstention);
      return call("answerReview", path, { reviewer, ...body });
    },
    onSuccess: (reviewed) => {
      if (reviewed.state === "refused") return;
      forget();
      onDone(reviewed);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate(false);
  };
  const isOff = reviewer.trim() === "" || send.isPending || !isComplete(detail, draft);
  const held = item.claim?.reviewer === reviewer ? item.claim : null;
  return (
    <form className="form answer" aria-label="Answer" onSubmit={submit}>
      <div className="field">
        <label htmlFor="reviewer">Your name</label>
        <div className="row">
          <input
            id="reviewer"
            value={reviewer}
            autoComplete="name"
            onChange={(event) => {
              setReviewer(event.target.value);
              localStorage.setItem("parley-reviewer", event.target.value);
            }}
          />
          <button type="button" data-take="" disabled={reviewer.trim() === ""} onClick={() => claim.mutate()}>
            {held ? "Taken" : "Take it"} <kbd aria-hidden="true">t</kbd>
          </button>
        </div>
        {held && <p className="secondary">{`Nobody else answers it until ${tellTime(held.until)}.`}</p>}
      </div>
      {turn?.problems.map((problem) => (
        <p key={problem} className="bad">
          {showHidden(problem)}
        </p>
      ))}
      {turn ? (
        <PartsFields
          field={turn.schema}
          words={detail.words}
          value={draft.reply}
          onChange={(reply) => change({ reply })}
        />
      ) : item.why === "budget" ? (
        <BudgetFields draft={draft} onChange={change} />
      ) : (
        <RulingFields detail={detail} draft={draft} onChange={change} />
      )}
      {claim.isError && <Failure error={claim.error} />}
      {send.isError && <Failure error={send.error} />}
      {send.data?.state === "refused" && (
        <div className="notice bad" role="alert">
          <p>Nothing was sent on; please look at this again:</p>
          <ul>
            {send.data.problems.map((problem) => (
              <li key={problem}>{showHidden(problem)}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="row">
        <button className="primary" disabled={isOff} data-send="">
          Answer, and next <kbd aria-hidden="true">⌘ enter</kbd>
        </button>
        {turn && (
          <button type="button" disabled={reviewer.trim() === "" || send.isPending} onClick={() => send.mutate(true)}>
            Abstain
          </button>
        )}
      </div>
    </form>
  );
}

type Address = { path: string; body: Record<string, unknown> };

/** Where an answer goes, and what of the draft it is. */
function addressAnswer({ item, turn, gold }: ReviewDetail, draft: Draft, isAbstention: boolean): Address {
  const path = `/api/reviews/${item.run.id}/${turn ? "answer" : "uphold"}`;
  if (turn) return { path, body: { reply: isAbstention ? null : tidyValue(turn.schema, draft.reply) } };
  const { verdict, why, calls, usd } = draft;
  if (item.why === "budget") {
    const budget = { ...(calls !== "" && { calls: Number(calls) }), ...(usd !== "" && { usd: Number(usd) }) };
    if (verdict === "uphold") return { path, body: { verdict, why: "It ends here." } };
    return { path, body: { verdict: "uphold", why: "It may go on.", budget } };
  }
  const right = verdict === "correct" && { gold: tidyValue(gold ?? {}, draft.gold ?? {}) };
  return { path, body: { verdict, why, ...right } };
}

function isComplete({ turn, item }: ReviewDetail, draft: Draft): boolean {
  if (turn) return true;
  if (draft.verdict === null) return false;
  if (item.why === "budget") return draft.verdict === "uphold" || draft.calls !== "" || draft.usd !== "";
  return draft.why.trim() !== "";
}
