import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ReviewDetail, Reviewed } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import {
  emptyParts,
  type Field,
  findOutside,
  isNumbering,
  listMissing,
  sayProblem,
  tidyValue,
} from "../../contract/form.ts";
import { useApi } from "../data/use-api.ts";
import { NumberedContext, Passages, readSides, type Side } from "../form/numbered.tsx";
import { PartsFields, TextField } from "../form/schema-field.tsx";
import { useWho } from "../shell/session.tsx";
import { Failure } from "../text/parts.tsx";
import { showHidden, formatTime } from "../text/words.ts";
import { useRoleName } from "./case-view.tsx";

type Props = { detail: ReviewDetail; onDone: (reviewed: Reviewed) => void };

/** Answers a turn, rules on an escalated run, or decides about a spent budget: each is a form with a schema. */
export function AnswerPanel({ detail, onDone }: Props) {
  const { item, turn } = detail;
  const { id } = item.run;
  const asked = turn && `${turn.key.round}/${turn.key.step}/${turn.key.role}`;
  const queries = useQueryClient();
  const who = useWho();
  const { draft, change, forget } = useDraft(
    `${id}/${asked ?? item.why}`,
    turn ? emptyParts(turn.schema) : { why: "" },
  );
  const { reply } = draft;
  const schema = turn?.schema ?? (item.why === "budget" ? makeBudgetForm(reply) : makeRulingForm(detail, reply));
  const claim = useMutation({
    mutationFn: () => callApi("claimReview", { params: { id }, body: who.body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["listReviews"] }),
  });
  const send = useMutation({
    mutationFn: async (how: "answer" | "abstain" | "overrule") => {
      await callApi("claimReview", { params: { id }, body: who.body });
      const given = how === "abstain" ? null : tidyValue(schema, reply);
      if (!turn)
        return callApi("ruleOnReview", { params: { id }, body: { ...who.body, ...makeRuling(given as Ruling) } });
      const overrule = how === "overrule" && { overrule: draft.why };
      return callApi("answerReview", {
        params: { id },
        body: { ...who.body, turn: asked ?? undefined, reply: given, ...overrule },
      });
    },
    onSuccess: (reviewed) => {
      if (reviewed.state === "refused") return;
      forget();
      onDone(reviewed);
    },
  });
  const run = useApi("readRun", { params: { id } });
  const sides = turn && run.data ? readSides(turn.prompt, run.data) : [];
  const missing =
    who.name === "" ? "Give your name first; it is recorded with your answer." : findMissing(schema, reply, sides);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing === null) send.mutate("answer");
  };
  const role = useRoleName(detail);
  const held = item.claim?.reviewer === who.name ? item.claim : null;
  const say = (problem: string): string => showHidden(nameSides(sayProblem(problem, schema), sides));
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
          {say(problem)}
        </p>
      ))}
      <NumberedContext value={sides}>
        <PartsFields
          field={schema}
          value={reply}
          onChange={(next) => change({ reply: followChosen(schema, sides, reply, next) })}
        />
        {turn && <Passages exhibits={run.data?.story.exhibits ?? []} prompt={turn.prompt} />}
      </NumberedContext>
      {claim.isError && <Failure error={claim.error} />}
      {send.isError && <Failure error={send.error} />}
      {send.data?.state === "refused" && (
        <div className="notice bad" role="alert" ref={(alert) => alert?.scrollIntoView({ block: "center" })}>
          <p>Your answer was not accepted. Please correct this and send it again:</p>
          <ul>
            {send.data.problems.map((problem) => (
              <li key={problem}>{say(problem)}</li>
            ))}
          </ul>
          {send.data.mayOverrule && (
            <>
              <TextField label="Or let it stand as it is. Why?" value={draft.why} onChange={(why) => change({ why })} />
              <button type="button" disabled={draft.why.trim() === ""} onClick={() => send.mutate("overrule")}>
                Let it stand, with this reason
              </button>
            </>
          )}
        </div>
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
          {turn ? `Answer as ${showHidden(role)}; the debate continues` : sayNext(item.why, reply)}
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
function followChosen({ properties = {} }: Field, sides: readonly Side[], before: Reply, reply: Reply): Reply {
  const chosen = Object.entries(reply).find(
    ([key, value]) => value !== before[key] && isNumbering(properties[key] ?? {}),
  );
  const isOwn = Boolean(reply.answer) && !sides.some(({ answer }) => answer === reply.answer);
  if (!chosen || isOwn || !("answer" in properties)) return reply;
  return { ...reply, answer: sides.find(({ number }) => number === chosen[1])?.answer ?? null };
}

/** "answer 1" with whoever gave it. */
function nameSides(text: string, sides: readonly Side[]): string {
  const plain = text.replaceAll(/\bnull\b/g, "nothing");
  return sides.reduce(
    (said, { label, speaker }) => (speaker === null ? said : said.replaceAll(label, `${label} (${speaker})`)),
    plain,
  );
}

type Ruling = { verdict: "uphold" | "correct"; why?: string; gold?: unknown; calls?: number; usd?: number };

function makeRulingForm({ gold, blind }: ReviewDetail, { verdict }: Reply): Field {
  const labels = {
    ...(!blind && { uphold: "The decision stands" }),
    ...(gold && { correct: blind ? "This is the right answer" : "Something else is right" }),
  };
  const right: Record<string, Field> =
    gold && verdict === "correct" ? { gold: { ...gold, title: "The right answer" } } : {};
  const choice = { enum: Object.keys(labels), labels, title: "What is your ruling?" };
  return makeForm({ verdict: choice, ...right, why: { type: "string", title: "Why?" } });
}

function makeBudgetForm({ verdict }: Reply): Field {
  const labels = { uphold: "It ends with the current decision", correct: "It continues with a larger budget" };
  const choice = { enum: Object.keys(labels), labels, title: "What now?" };
  if (verdict !== "correct") return makeForm({ verdict: choice });
  const calls = { type: ["integer", "null"], minimum: 0, title: "Calls in all" };
  return makeForm({ verdict: choice, calls, usd: { type: ["number", "null"], minimum: 0, title: "USD in all" } });
}

function makeForm(properties: Record<string, Field>): Field {
  return { properties, required: Object.keys(properties) };
}

function makeRuling({ why, calls, usd, ...ruling }: Ruling) {
  if (why !== undefined) return { ...ruling, why };
  if (ruling.verdict === "uphold") return { ...ruling, why: "It ends here." };
  const budget = { ...(calls != null && { calls }), ...(usd != null && { usd }) };
  return { verdict: "uphold" as const, why: "It may continue.", budget };
}

/** Describes what is missing before the answer can be sent; null if nothing is. */
function findMissing(schema: Field, reply: Reply, sides: readonly Side[]): string | null {
  const missing = listMissing(schema, reply, sides.length > 0);
  const more = missing.length > 6 ? [`and ${missing.length - 5} more`] : [];
  if (missing.length > 0)
    return `Still to be filled in: ${[...missing.slice(0, more.length > 0 ? 5 : 6), ...more].join(" · ")}`;
  if (schema.properties?.usd && reply.calls == null && reply.usd == null) return "Say how many calls or USD.";
  return findOutside(schema, reply);
}

function sayNext(why: ReviewDetail["item"]["why"], { verdict }: Reply): string {
  if (verdict === undefined) return "Record your ruling";
  if (why === "budget")
    return verdict === "correct" ? "Continue with a larger budget" : "End with the current decision";
  return verdict === "correct" ? "Record what is right instead" : "Record that the decision stands";
}

/** A reviewer's draft, kept until it is sent, even across reloads; `why` lets a refused answer stand. */
type Draft = { reply: Reply; why: string };
type Reply = Record<string, unknown>;

const keyOf = (item: string): string => `parley-draft-${item}`;

function useDraft(item: string, reply: Reply) {
  const [draft, setDraft] = useState<Draft>(() => ({ reply, why: "", ...readDraft(item) }));
  const change = (changes: Partial<Draft>): void => {
    const next = { ...draft, ...changes };
    sessionStorage.setItem(keyOf(item), JSON.stringify(next));
    setDraft(next);
  };
  return { draft, change, forget: () => sessionStorage.removeItem(keyOf(item)) };
}

function readDraft(item: string): Partial<Draft> {
  try {
    return (JSON.parse(sessionStorage.getItem(keyOf(item)) ?? "{}") as Partial<Draft> | null) ?? {};
  } catch {
    return {};
  }
}
