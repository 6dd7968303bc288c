import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useCallback, useState } from "react";
import type { ReviewDetail, Reviewed } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { emptyParts, type Field, kindOf, tidyValue } from "../form/field.ts";
import { PartsFields, SchemaField } from "../form/schema-field.tsx";
import { Failure } from "../text/parts.tsx";
import { showHidden, tellTime } from "../text/words.ts";

type Props = { detail: ReviewDetail; onDone: (reviewed: Reviewed) => void };

/** The form: the role's reply, a ruling, or leave to go on; what is written stays until it is sent. */
export function AnswerPanel({ detail, onDone }: Props) {
  const { item, turn } = detail;
  const { id } = item.run;
  const queries = useQueryClient();
  const [reviewer, setReviewer] = useState(localStorage.getItem("parley-reviewer") ?? "");
  const { draft, change, forget } = useDraft(id, { reply: turn ? emptyParts(turn.schema) : {} });
  const claim = useMutation({
    mutationFn: () => callApi("claimReview", { params: { id }, body: { reviewer } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["reviews"] }),
  });
  const send = useMutation({
    mutationFn: async (isAbstention: boolean) => {
      await callApi("claimReview", { params: { id }, body: { reviewer } });
      if (turn) {
        const reply = isAbstention ? null : tidyValue(turn.schema, draft.reply);
        return callApi("answerReview", { params: { id }, body: { reviewer, reply } });
      }
      return callApi("ruleOnReview", { params: { id }, body: { reviewer, ...makeRuling(detail, draft) } });
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
    <form className="form inbox-answer" aria-label="Answer" onSubmit={submit}>
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

/** What of the draft is a ruling. */
function makeRuling({ item, gold }: ReviewDetail, { verdict, why, calls, usd, ...draft }: Draft) {
  if (item.why === "budget") {
    const budget = { ...(calls !== "" && { calls: Number(calls) }), ...(usd !== "" && { usd: Number(usd) }) };
    if (verdict === "uphold") return { verdict, why: "It ends here." };
    return { verdict: "uphold" as const, why: "It may go on.", budget };
  }
  const isCorrect = verdict === "correct";
  return {
    verdict: isCorrect ? verdict : ("uphold" as const),
    why,
    ...(isCorrect && { gold: tidyValue(gold ?? {}, draft.gold ?? {}) }),
  };
}

function isComplete({ turn, item }: ReviewDetail, draft: Draft): boolean {
  if (turn) return true;
  if (draft.verdict === null) return false;
  if (item.why === "budget") return draft.verdict === "uphold" || draft.calls !== "" || draft.usd !== "";
  return draft.why.trim() !== "";
}

type Change = (changes: Partial<Draft>) => void;
type VerdictProps = { name: string; words: Record<string, string>; draft: Draft; onChange: Change };

function VerdictField({ name, words, draft, onChange }: VerdictProps) {
  return (
    <SchemaField
      name={name}
      field={{ enum: Object.keys(words) }}
      words={words}
      value={draft.verdict}
      isRequired
      onChange={(verdict) => onChange({ verdict: verdict as Draft["verdict"] })}
    />
  );
}

/** A ruling on an escalated decision: it stands, or this is right instead, and why. */
function RulingFields({ detail, draft, onChange }: { detail: ReviewDetail; draft: Draft; onChange: Change }) {
  const { gold, blind, words } = detail;
  const verdicts = {
    ...(!blind && { uphold: "The decision stands" }),
    ...(gold && { correct: blind ? "This is what I hold right" : "Something else is right" }),
  };
  return (
    <>
      <VerdictField name="What do you rule?" words={verdicts} draft={draft} onChange={onChange} />
      {gold && draft.verdict === "correct" && (
        <GoldFields field={gold} words={words} value={draft.gold} onChange={(value) => onChange({ gold: value })} />
      )}
      <div className="field">
        <label htmlFor="why">Why?</label>
        <textarea
          id="why"
          data-comment=""
          value={draft.why}
          onChange={(event) => onChange({ why: event.target.value })}
        />
      </div>
    </>
  );
}

type GoldProps = { field: Field; words: Record<string, string>; value: unknown; onChange: (value: unknown) => void };

function GoldFields({ field, words, value, onChange }: GoldProps) {
  if (kindOf(field) !== "parts")
    return <SchemaField name="What is right" field={field} words={words} value={value} onChange={onChange} />;
  const parts = (value ?? emptyParts(field)) as Record<string, unknown>;
  return <PartsFields field={field} words={words} value={parts} onChange={onChange} />;
}

/** Whether a run over its budget ends with what stands, or goes on. */
function BudgetFields({ draft, onChange }: { draft: Draft; onChange: Change }) {
  const words = { uphold: "It ends with what stands", correct: "It goes on with a larger budget" };
  return (
    <>
      <VerdictField name="What now?" words={words} draft={draft} onChange={onChange} />
      {draft.verdict === "correct" && (
        <div className="row">
          <div className="field">
            <label htmlFor="calls">Calls in all</label>
            <input
              id="calls"
              type="number"
              min={1}
              value={draft.calls}
              onChange={(event) => onChange({ calls: event.target.value })}
            />
          </div>
          <div className="field">
            <label htmlFor="usd">USD in all</label>
            <input
              id="usd"
              type="number"
              min={0}
              step="0.01"
              value={draft.usd}
              onChange={(event) => onChange({ usd: event.target.value })}
            />
          </div>
        </div>
      )}
    </>
  );
}

/** What a reviewer has written so far; it is kept until it is sent, also over a reload. */
type Draft = {
  reply: Record<string, unknown>;
  verdict: "uphold" | "correct" | null;
  why: string;
  gold: unknown;
  calls: string;
  usd: string;
};

const empty: Draft = { reply: {}, verdict: null, why: "", gold: null, calls: "", usd: "" };
const keyOf = (run: string): string => `parley-draft-${run}`;

function useDraft(run: string, start: Partial<Draft>) {
  const [draft, setDraft] = useState<Draft>(() => ({ ...empty, ...start, ...readDraft(run) }));
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((before) => {
        const next = { ...before, ...changes };
        sessionStorage.setItem(keyOf(run), JSON.stringify(next));
        return next;
      }),
    [run],
  );
  return { draft, change, forget: () => sessionStorage.removeItem(keyOf(run)) };
}

function readDraft(run: string): Partial<Draft> {
  try {
    return (JSON.parse(sessionStorage.getItem(keyOf(run)) ?? "{}") as Partial<Draft> | null) ?? {};
  } catch {
    return {};
  }
}
