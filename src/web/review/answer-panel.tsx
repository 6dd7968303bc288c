import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ReviewDetail, Reviewed } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { useApi } from "../data/use-api.ts";
import {
  emptyParts,
  type Field,
  findOutside,
  isNumbering,
  kindOf,
  listMissing,
  sayField,
  tidyValue,
} from "../../contract/form.ts";
import { NumberField, PartsFields, SchemaField, TextField } from "../form/schema-field.tsx";
import { NumberedContext, Passages, readSides, type Side } from "../form/numbered.tsx";
import { useWho } from "../shell/session.tsx";
import { Failure } from "../text/parts.tsx";
import { showHidden, formatTime } from "../text/words.ts";
import { useRoleName } from "./case-view.tsx";

type Props = { detail: ReviewDetail; onDone: (reviewed: Reviewed) => void };

export function AnswerPanel({ detail, onDone }: Props) {
  const { item, turn } = detail;
  const { id } = item.run;
  const queries = useQueryClient();
  const who = useWho();
  const { draft, change, forget } = useDraft(id, { reply: turn ? emptyParts(turn.schema) : {} });
  const claim = useMutation({
    mutationFn: () => callApi("claimReview", { params: { id }, body: who.body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["listReviews"] }),
  });
  const send = useMutation({
    mutationFn: async (how: "answer" | "abstain" | "overrule") => {
      await callApi("claimReview", { params: { id }, body: who.body });
      if (!turn)
        return callApi("ruleOnReview", { params: { id }, body: { ...who.body, ...makeRuling(detail, draft) } });
      const reply = how === "abstain" ? null : tidyValue(turn.schema, draft.reply);
      const overrule = how === "overrule" && { overrule: draft.why };
      return callApi("answerReview", { params: { id }, body: { ...who.body, reply, ...overrule } });
    },
    onSuccess: (reviewed) => {
      if (reviewed.state === "refused") return;
      forget();
      onDone(reviewed);
    },
  });
  const missing =
    who.name === "" ? "Give your name first; it is recorded with your answer." : findMissing(detail, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing === null) send.mutate("answer");
  };
  const run = useApi("readRun", { params: { id } });
  const numbered = turn && run.data ? readSides(turn.prompt, run.data) : [];
  const role = useRoleName(detail);
  const held = item.claim?.reviewer === who.name ? item.claim : null;
  return (
    <form className="form inbox-answer" aria-label="Answer" onSubmit={submit}>
      <div className="field">
        {who.field}
        <div className="row">
          <button type="button" disabled={who.name === "" || held !== null} onClick={() => claim.mutate()}>
            {held ? `Yours until ${formatTime(held.until)}` : "Claim it, so that nobody else answers it meanwhile"}
          </button>
        </div>
      </div>
      {turn?.problems.map((problem) => (
        <p key={problem} className="bad">
          {showHidden(sayProblem(problem, turn.schema, numbered))}
        </p>
      ))}
      {turn ? (
        <NumberedContext value={numbered}>
          <PartsFields
            field={turn.schema}
            value={draft.reply}
            onChange={(reply) => change({ reply: followChosen(turn.schema, numbered, draft.reply, reply) })}
          />
          <Passages exhibits={run.data?.story.exhibits ?? []} prompt={turn.prompt} />
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
          numbered={numbered}
          draft={draft}
          onChange={change}
          onOverrule={() => send.mutate("overrule")}
        />
      )}
      <div className="row">
        {missing !== null && (
          <p className="secondary" id="missing">
            {missing}
          </p>
        )}
        <button
          className="primary"
          disabled={missing !== null || send.isPending}
          aria-describedby={missing === null ? undefined : "missing"}
        >
          {sayNext(detail, draft, role)}
        </button>
        {turn && (
          <button type="button" disabled={who.name === "" || send.isPending} onClick={() => send.mutate("abstain")}>
            Abstain
          </button>
        )}
      </div>
    </form>
  );
}

/** Copies the words of the numbered answer that was chosen, unless the reviewer wrote their own. */
function followChosen(
  { properties = {} }: Field,
  numbered: readonly Side[],
  before: Draft["reply"],
  reply: Draft["reply"],
): Draft["reply"] {
  const chosen = Object.entries(reply).find(
    ([key, value]) => value !== before[key] && isNumbering(properties[key] ?? {}),
  );
  const isOwn = Boolean(reply.answer) && !numbered.some(({ answer }) => answer === reply.answer);
  if (!chosen || isOwn || !("answer" in properties)) return reply;
  return { ...reply, answer: numbered.find(({ number }) => number === chosen[1])?.answer ?? null };
}

function makeRuling({ item, gold }: ReviewDetail, { verdict, why, calls, usd, ...draft }: Draft) {
  if (item.why === "budget") {
    const budget = { ...(calls !== "" && { calls: Number(calls) }), ...(usd !== "" && { usd: Number(usd) }) };
    if (verdict === "uphold") return { verdict, why: "It ends here." };
    return { verdict: "uphold" as const, why: "It may continue.", budget };
  }
  const isCorrect = verdict === "correct";
  return {
    verdict: isCorrect ? verdict : ("uphold" as const),
    why,
    ...(isCorrect && { gold: tidyValue(gold ?? {}, draft.gold ?? {}) }),
  };
}

/** Describes what is missing before the answer can be sent; null if nothing is. */
function findMissing({ turn, item }: ReviewDetail, draft: Draft): string | null {
  if (turn) {
    const missing = listMissing(turn.schema, draft.reply);
    if (missing.length > 0) return `Still to be filled in: ${missing.join(" · ")}`;
    return findOutside(turn.schema, draft.reply);
  }
  if (draft.verdict === null) return "Choose one of the answers first.";
  if (item.why === "budget")
    return draft.verdict === "uphold" || draft.calls !== "" || draft.usd !== "" ? null : "Say how many calls or USD.";
  return draft.why.trim() === "" ? "Give a reason; it is recorded with the decision." : null;
}

function sayNext({ turn, item }: ReviewDetail, { verdict }: Draft, role: string): string {
  if (turn) return `Answer as ${showHidden(role)}; the debate continues`;
  if (item.why === "budget")
    return verdict === "correct" ? "Continue with a larger budget" : "End with the current decision";
  return verdict === "correct" ? "Record what is right instead" : "Record that the decision stands";
}

type Change = (changes: Partial<Draft>) => void;
type RefusedProps = PartProps & {
  reviewed: Reviewed;
  schema: Field | undefined;
  numbered: readonly Side[];
  onOverrule: () => void;
};

function Refused({ reviewed: { problems, mayOverrule }, schema, numbered, draft, onChange, onOverrule }: RefusedProps) {
  return (
    <div className="notice bad" role="alert" ref={(alert) => alert?.scrollIntoView({ block: "center" })}>
      <p>Your answer was not accepted. Please correct this and send it again:</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{showHidden(sayProblem(problem, schema, numbered))}</li>
        ))}
      </ul>
      {mayOverrule && (
        <>
          <TextField label="Or let it stand as it is. Why?" value={draft.why} onChange={(why) => onChange({ why })} />
          <button type="button" disabled={draft.why.trim() === ""} onClick={onOverrule}>
            Let it stand, with this reason
          </button>
        </>
      )}
    </div>
  );
}

/** `winner: …` with the form's label, and speakers instead of numbers. */
function sayProblem(problem: string, schema: Field | undefined, numbered: readonly Side[]): string {
  const [, name, rest = problem] = /^(\w+)[^:\s]*: (.*)$/s.exec(problem) ?? [];
  const said = numbered.reduce(
    (text, { label, speaker }) => (speaker === null ? text : text.replaceAll(label, `${label} (${speaker})`)),
    rest.replaceAll(/\bnull\b/g, "nothing"),
  );
  return name === undefined ? said : `${sayField(name, schema?.properties?.[name])}: ${said}`;
}

type PartProps = { draft: Draft; onChange: Change };

function VerdictField({ name, labels, draft, onChange }: PartProps & { name: string; labels: Record<string, string> }) {
  return (
    <SchemaField
      name={name}
      field={{ enum: Object.keys(labels), labels }}
      value={draft.verdict}
      isRequired
      onChange={(verdict) => onChange({ verdict: verdict as Draft["verdict"] })}
    />
  );
}

function RulingFields({ detail: { gold, blind }, draft, onChange }: PartProps & { detail: ReviewDetail }) {
  const labels = {
    ...(!blind && { uphold: "The decision stands" }),
    ...(gold && { correct: blind ? "This is the right answer" : "Something else is right" }),
  };
  const setGold = (value: unknown) => onChange({ gold: value });
  return (
    <>
      <VerdictField name="What is your ruling?" labels={labels} draft={draft} onChange={onChange} />
      {gold &&
        draft.verdict === "correct" &&
        (kindOf(gold) === "parts" ? (
          <PartsFields
            field={gold}
            value={(draft.gold ?? emptyParts(gold)) as Record<string, unknown>}
            onChange={setGold}
          />
        ) : (
          <SchemaField name="What is right" field={gold} value={draft.gold} onChange={setGold} />
        ))}
      <TextField label="Why?" value={draft.why} onChange={(why) => onChange({ why })} />
    </>
  );
}

function BudgetFields({ draft, onChange }: PartProps) {
  const labels = { uphold: "It ends with the current decision", correct: "It continues with a larger budget" };
  return (
    <>
      <VerdictField name="What now?" labels={labels} draft={draft} onChange={onChange} />
      {draft.verdict === "correct" &&
        (["calls", "usd"] as const).map((limit) => (
          <NumberField
            key={limit}
            label={limit === "calls" ? "Calls in all" : "USD in all"}
            min={0}
            step={limit === "calls" ? 1 : 0.01}
            value={draft[limit]}
            onChange={(value) => onChange({ [limit]: value })}
          />
        ))}
    </>
  );
}

/** A reviewer's draft, kept until it is sent, even across reloads. */
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
  const change: Change = (changes) => {
    const next = { ...draft, ...changes };
    sessionStorage.setItem(keyOf(run), JSON.stringify(next));
    setDraft(next);
  };
  return { draft, change, forget: () => sessionStorage.removeItem(keyOf(run)) };
}

function readDraft(run: string): Partial<Draft> {
  try {
    return (JSON.parse(sessionStorage.getItem(keyOf(run)) ?? "{}") as Partial<Draft> | null) ?? {};
  } catch {
    return {};
  }
}
