import { expect, it } from "vitest";
import { ParleyError } from "../contract/error.ts";
import { emptyParts } from "../contract/form.ts";
import { law } from "../packs/law/pack.ts";
import { question } from "../packs/question/pack.ts";
import { rootCause } from "../packs/root-cause/pack.ts";
import { memoryStore } from "../store/sqlite.ts";
import { readRun } from "./read-run.ts";
import { castOfStrings } from "./cast.ts";
import { continueRun, startRun } from "./start.ts";
import { verifyRun } from "./verify.ts";
import { answerOnce, findWaitingTurn } from "./review.ts";

const docs = [{ id: "sale.md", text: "Ida Holm sold the mill because the railway took away its trade." }];
const reply = { reasoning: "I know the family.", winner: null, answer: "Her brother asked her to.", confidence: 0.9 };

/** A run whose judge is a person, and how it ends with their reply. */
async function judge(given: unknown, overrule?: { by: string; why: string }) {
  const store = memoryStore();
  const request = {
    pack: question,
    input: { question: "Why did Ida Holm sell the mill?", docs },
    config: { protocol: "courtroom" },
    cast: "expert,judge=person",
  };
  await startRun({ store, castOf: castOfStrings(store) }, request).catch(() => null);
  const [run] = (await store.page({ limit: 1 })).runs;
  const waiting = await findWaitingTurn(question, await readRun(store, run?.id ?? ""), {});
  const person = answerOnce(given, { overrule });
  const castOf = castOfStrings(store, { person });
  const id = run?.id ?? "";
  const ended = await continueRun({ store, castOf }, question, id).catch(() => null);
  return { waiting, ended, turn: (await readRun(store, id)).turns.at(-1), findings: () => verifyRun(store, id) };
}

it("what is wrong with a person's reply is said before it is taken", async () => {
  const { waiting } = await judge(reply);
  expect(waiting?.check(reply)).toMatchObject({ isReadable: true, problems: [{ code: "unfollowed_answer" }] });
  const followed = { ...reply, winner: 1, answer: "The railway took away its trade." };
  expect(waiting?.check(followed).problems).toEqual([]);
  expect(waiting?.check({ winner: 1 }).isReadable).toBe(false);
  expect(waiting?.check(null).problems).toEqual([]);
});

it("a reply that breaks a rule stands with a person's reason, and the run verifies", async () => {
  const { ended, turn, findings } = await judge(reply, { by: "Budi", why: "I asked her." });
  expect(ended?.finished.result.outcome).toBe("decided");
  expect(turn).toMatchObject({ status: "answered", attempts: [{ overruled: { by: "Budi", why: "I asked her." } }] });
  expect((await findings()).filter(({ ok }) => !ok)).toEqual([]);
});

it("a reply of the wrong shape does not stand, whatever the reason", async () => {
  const { turn } = await judge({ winner: "first" }, { by: "Budi", why: "I asked her." });
  expect(turn?.attempts.some(({ overruled }) => overruled !== undefined) ?? false).toBe(false);
});

it("a turn stays in the inbox while its person is asked, and leaves it with the answer", async () => {
  const store = memoryStore();
  const input = { question: "Why did Ida Holm sell the mill?", docs };
  const request = { pack: question, input, config: { protocol: "courtroom" }, cast: "expert,judge=person" };
  await startRun({ store, castOf: castOfStrings(store) }, request).catch(() => null);
  const id = (await store.page({ limit: 1 })).runs[0]?.id ?? "";
  const answer = answerOnce({ ...reply, winner: 1, answer: "The railway took away its trade." });
  let whileAsked: string | undefined;
  const person: typeof answer = {
    ...answer,
    async answer(form) {
      whileAsked = (await store.get(id))?.status;
      return answer.answer(form);
    },
  };
  const leave = { answer: () => Promise.reject(new ParleyError("interrupted", "Ctrl-C")) };
  const left = continueRun({ store, castOf: castOfStrings(store, { person: leave }) }, question, id);
  await expect(left).rejects.toMatchObject({ code: "interrupted" });
  expect((await store.get(id))?.status, "after whoever was asked has left").toBe("waiting");
  await continueRun({ store, castOf: castOfStrings(store, { person }) }, question, id);
  expect([whileAsked, (await store.get(id))?.status]).toEqual(["waiting", "finished"]);
});

it("a judge of hypotheses finds a row for each in the form, and the form as filled in is accepted", async () => {
  const store = memoryStore();
  const { input } = rootCause.examples[0] ?? { input: null };
  const request = { pack: rootCause, input, cast: "expert,judge=person" };
  await startRun({ store, castOf: castOfStrings(store) }, request).catch(() => null);
  const id = (await store.page({ limit: 1 })).runs[0]?.id ?? "";
  const waiting = await findWaitingTurn(rootCause, await readRun(store, id), {});
  const draft = emptyParts(waiting?.schema ?? {}) as { scores: { label: string }[] };
  const points = { evidence_quality: 9, reasoning_strength: 9, confidence_calibration: 9, completeness: 9 };
  const scores = draft.scores.map((row) => ({ ...row, ...points, consistency: 9, feedback: "Say why." }));
  expect(scores.length).toBeGreaterThan(1);
  expect(waiting?.check({ ...draft, scores }).problems).toEqual([]);
});

it("a person is not asked what is known beforehand, and it is in their reply", async () => {
  const store = memoryStore();
  const input = { query: "Apa hukuman pembunuhan berencana menurut KUHP?" };
  await startRun({ store, castOf: castOfStrings(store) }, { pack: law, input, cast: "expert,nla=person" }).catch(
    () => null,
  );
  const { id = "" } = (await store.page({ limit: 1 })).runs[0] ?? {};
  const waiting = await findWaitingTurn(law, await readRun(store, id), {});
  expect(Object.keys(waiting?.schema.properties ?? {})).toEqual(waiting?.schema.required);
  expect(waiting?.schema.required).not.toEqual(expect.arrayContaining(["round"]));
  expect(waiting?.schema.properties?.claims?.items?.properties?.statement?.title).toBe("What it says");
  const given = { responses: [], claims: [], uncertainties: [], open_questions: [], answer: "Itu tidak ada di sini." };
  expect(waiting?.check(given)).toMatchObject({ isReadable: true, problems: [] });
  expect(waiting?.check({ ...given, agent: "ALA" }).problems).toMatchObject([{ code: "wrong_agent" }]);
  const castOf = castOfStrings(store, { person: answerOnce(given) });
  await continueRun({ store, castOf }, law, id).catch(() => null);
  const { turns } = await readRun(store, id);
  expect(turns.find(({ key }) => key.role === "nla")?.reply).toMatchObject({ ...given, agent: "NLA", round: 1 });
});
