import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useCallback, useMemo, useState } from "react";
import type { ReviewDetail, Reviewed } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { emptyParts, type Field, kindOf, tidyValue } from "../form/field.ts";
import { PartsFields, sayField, SchemaField } from "../form/schema-field.tsx";
import { NumberedContext, Passages, readNumbered } from "../form/told.tsx";
import { useSession } from "../shell/session.tsx";
import { Failure } from "../text/parts.tsx";
import { sayName, showHidden, tellTime } from "../text/words.ts";

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
    mutationFn: async (how: "answer" | "abstain" | "overrule") => {
      await callApi("claimReview", { params: { id }, body: { reviewer } });
      if (turn) {
        const reply = how === "abstain" ? null : tidyValue(turn.schema, draft.reply);
        const overrule = how === "overrule" && { overrule: draft.why };
        return callApi("answerReview", { params: { id }, body: { reviewer, reply, ...overrule } });
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
    if (missing === null) send.mutate("answer");
  };
  const missing = findMissing(detail, draft, reviewer);
  const isOff = missing !== null || send.isPending;
  const told = useQuery({ queryKey: ["run", id], queryFn: () => callApi("readRun", { params: { id } }) });
  const numbered = useMemo(() => (turn ? readNumbered(turn.prompt, told.data?.turns ?? []) : []), [turn, told.data]);
  const signedIn = useSession().data?.reviewer;
  const held = item.claim?.reviewer === (signedIn ?? `${reviewer.trim()} (operator)`) ? item.claim : null;
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
        <NumberedContext value={numbered}>
          <PartsFields field={turn.schema} words={{}} value={draft.reply} onChange={(reply) => change({ reply })} />
          <Passages exhibits={told.data?.story.exhibits ?? []} />
        </NumberedContext>
      ) : item.why === "budget" ? (
        <BudgetFields draft={draft} onChange={change} />
      ) : (
        <RulingFields detail={detail} draft={draft} onChange={change} />
      )}
      {claim.isError && <Failure error={claim.error} />}
      {send.isError && <Failure error={send.error} />}
      {send.data?.state === "refused" && (
        <Refused
          reviewed={send.data}
          schema={turn?.schema}
          words={{}}
          draft={draft}
          onChange={change}
          onOverrule={() => send.mutate("overrule")}
        />
      )}
      {missing !== null && (
        <p className="secondary" id="missing">
          {missing}
        </p>
      )}
      <div className="row">
        <button
          className="primary"
          disabled={isOff}
          data-send=""
          aria-describedby={missing === null ? undefined : "missing"}
        >
          {sayNext(detail, draft)} <kbd aria-hidden="true">⌘ enter</kbd>
        </button>
        {turn && (
          <button
            type="button"
            disabled={reviewer.trim() === "" || send.isPending}
            onClick={() => send.mutate("abstain")}
          >
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

/** What is still to be given before anything can be sent; null when nothing is. */
function findMissing({ turn, item }: ReviewDetail, draft: Draft, reviewer: string): string | null {
  if (reviewer.trim() === "") return "Give your name first: it stands with what you say.";
  if (turn) return null;
  if (draft.verdict === null) return "Choose one of the answers first.";
  if (item.why === "budget")
    return draft.verdict === "uphold" || draft.calls !== "" || draft.usd !== "" ? null : "Say how many calls or USD.";
  return draft.why.trim() === "" ? "Say why: it stands with the decision." : null;
}

/** What happens when the form is sent. */
function sayNext({ turn, item }: ReviewDetail, { verdict }: Draft): string {
  if (turn) return `Answer as the ${sayName(turn.key.role)}; the debate goes on`;
  if (item.why === "budget") return verdict === "correct" ? "Go on with more" : "End it with what stands";
  return verdict === "correct" ? "Record what is right instead" : "Record that the decision stands";
}

type RefusedProps = {
  reviewed: Reviewed;
  schema: Field | undefined;
  words: Record<string, string>;
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  onOverrule: () => void;
};

/** What is wrong with an answer, in the form's own words; a person may let it stand all the same, and says why. */
function Refused({ reviewed: { problems, mayOverrule }, schema, words, draft, onChange, onOverrule }: RefusedProps) {
  return (
    <div className="notice bad" role="alert">
      <p>Nothing was sent on. Please mend this and send it again:</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{showHidden(sayProblem(problem, words, schema))}</li>
        ))}
      </ul>
      {mayOverrule && (
        <div className="field">
          <label htmlFor="overrule">Or let it stand as it is. Why?</label>
          <textarea id="overrule" value={draft.why} onChange={(event) => onChange({ why: event.target.value })} />
          <button type="button" disabled={draft.why.trim() === ""} onClick={onOverrule}>
            Let it stand, with this reason
          </button>
        </div>
      )}
    </div>
  );
}

/** `winner: …` with the label that the form has for it. */
function sayProblem(problem: string, words: Record<string, string>, schema: Field | undefined): string {
  const [, name, rest] = /^(\w+)[^:\s]*: (.*)$/s.exec(problem) ?? [];
  return name === undefined ? problem : `${sayField(name, words, schema?.properties?.[name])}: ${rest}`;
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
  const { gold, blind } = detail;
  const words = {};
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
