import * as z from "zod";
import type { Budget } from "../../contract/budget.ts";
import type { Reviewed, ReviewItem } from "../../contract/api/index.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import { describeProblem, turnIdOf } from "../../contract/turn.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { buildContestSections, contestRun } from "../../runs/contest.ts";
import { readRun, requireRun } from "../../runs/read-run.ts";
import {
  answerOnce,
  claimItem,
  countAgreement,
  findInboxItem,
  findWaitingTurn,
  type InboxItem,
  type Judgement,
  listInbox,
  makeRuling,
  ruleOnRun,
} from "../../runs/review.ts";
import type { Caller } from "../guard/access.ts";
import { limitBudget, requireCast } from "../guard/guard.ts";
import { RequestError } from "../http/request.ts";
import type { Handlers, Server } from "../setting/server.ts";
import { isWithheld, makeRunItem, refuseWithheld } from "./read-runs.ts";

type Names = "contestRun" | "listReviews" | "readReview" | "claimReview" | "answerReview" | "ruleOnReview";

export function createReviewRoutes(server: Server): Pick<Handlers, Names> {
  const { store, rules } = server;
  const find = (id: string): Promise<InboxItem> => findInboxItem(store, id, server.now());
  return {
    async listReviews() {
      const items = await listInbox(store, server.now());
      return {
        items: await Promise.all(items.map((item) => describeItem(server, item))),
        agreement: await countAgreement(store),
      };
    },
    readReview: async ({ params }) => describeDetail(server, await find(params.id)),
    async claimReview({ params, body }, caller) {
      await find(params.id);
      const reviewer = nameReviewer(caller, body.reviewer);
      await claimItem(store, params.id, { reviewer, leaseMs: body.leaseMs }, server.now());
      return describeItem(server, await find(params.id));
    },
    answerReview: ({ params, body }, caller) =>
      answerTurn(server, params.id, { ...body, reviewer: nameReviewer(caller, body.reviewer) }),
    async ruleOnReview({ params, body }, caller) {
      const item = await find(params.id);
      const reviewer = nameReviewer(caller, body.reviewer);
      requireFree(item, reviewer);
      if (item.why === "turn") throw new ParleyError("bad_input", `a turn of run ${params.id} waits for an answer`);
      if (item.why === "escalated") return rule(server, params.id, { ...body, reviewer });
      if (caller.role !== "operator") throw new RequestError("forbidden", "only an operator may raise a budget");
      return decideOnBudget(server, item, body.budget);
    },
    async contestRun({ params, body }, caller) {
      refuseWithheld(server, await requireRun(store, params.id));
      const stored = await readRun(store, params.id);
      const pack = await loadPackOf(stored.run.manifest);
      // A person costs nothing, so only the other players need permission.
      requireCast(rules.casts, stored.run.manifest.cast.replaceAll(/,[^,=]+=\s*person\s*(?=,|$)/g, ""));
      const contest = { ...body, by: nameReviewer(caller, body.by) };
      const castOf = server.castWith(null);
      const play = (branch: string) => server.live.resume(branch, server.fleet ? {} : { castOf }).done;
      const contested = await contestRun({ store, castOf }, pack, stored, contest, play);
      return { ...contested, sections: buildContestSections(contested) };
    },
  };
}

/** Reviewers are named by their token; a name given by an operator is not an identity. */
function nameReviewer({ reviewer }: Caller, given: string | undefined): string {
  return reviewer ?? (given === undefined ? "operator" : `${given} (operator)`);
}

function requireFree({ claim, run }: InboxItem, reviewer: string): void {
  if (claim !== null && claim.reviewer !== reviewer)
    throw new RequestError("conflict", `${claim.reviewer} is reviewing run ${run.id} until ${claim.until}`);
}

async function describeItem(server: Server, item: InboxItem): Promise<ReviewItem> {
  const { run, ...rest } = item;
  const withheld = isWithheld(server, run);
  const reasons = item.why === "turn" || withheld ? [] : ((await readRun(server.store, run.id)).result?.reasons ?? []);
  return { run: await makeRunItem(server, run), ...rest, reasons };
}

async function describeDetail(server: Server, item: InboxItem) {
  const stored = await readRun(server.store, item.run.id);
  const pack = await loadPackOf(stored.run.manifest);
  const waiting = item.why === "turn" ? await findWaitingTurn(pack, stored, server.config) : null;
  const gold = item.why === "escalated" ? (pack.measure?.gold ?? null) : null;
  return {
    item: await describeItem(server, item),
    input: stored.run.manifest.input,
    turn: waiting && { key: waiting.key, prompt: waiting.prompt, schema: waiting.schema, problems: waiting.problems },
    gold: gold && z.toJSONSchema(gold, { io: "input", unrepresentable: "any" }),
    blind: isWithheld(server, item.run),
  };
}

type Answer = { reviewer: string; turn?: string; reply?: unknown; overrule?: string };

/** Answers a waiting turn; a reply that breaks a rule is sent back without touching the run, unless it is overruled. */
async function answerTurn(
  server: Server,
  id: string,
  { reviewer: by, turn, reply, overrule: why }: Answer,
): Promise<Reviewed> {
  const { store, live } = server;
  const item = await findInboxItem(store, id, server.now());
  if (item.why !== "turn")
    throw new ParleyError("bad_input", `run ${id} waits for a ruling, not for the answer to a turn`);
  requireFree(item, by);
  const stored = await readRun(store, id);
  const waiting = await findWaitingTurn(await loadPackOf(stored.run.manifest), stored, server.config);
  if (!waiting) throw new ParleyError("bad_input", `no turn of run ${id} waits for an answer`);
  const asked = turnIdOf(waiting.key);
  if (turn !== undefined && turn !== asked)
    throw new RequestError(
      "conflict",
      `this answer was written for ${turn}, but ${asked} waits by now; look at it again`,
    );
  const { problems, isReadable: mayOverrule } = waiting.check(reply);
  if (problems.length > 0 && !(why !== undefined && mayOverrule))
    return { id, state: "refused", problems: problems.map(describeProblem), mayOverrule, agreed: null };
  const person = answerOnce(reply, { by, ...(why === undefined ? {} : { overrule: { by, why } }) });
  await store.inbox.settle(id, false);
  const { done } = live.resume(id, { castOf: server.castWith(person) });
  await done.catch((error: unknown) => {
    // With workers, taking the answer ends the work here.
    if (!hasCode(error, "parked") && !(server.fleet && hasCode(error, "interrupted"))) throw error;
  });
  return { id, state: "resumed", problems: [], agreed: null };
}

async function rule(server: Server, id: string, judgement: Judgement): Promise<Reviewed> {
  const { store } = server;
  const stored = await readRun(store, id);
  if (!stored.result) throw new ParleyError("bad_input", `run ${id} has not ended`);
  const blind = isWithheld(server, stored.run);
  const ruling = makeRuling(await loadPackOf(stored.run.manifest), stored.result, judgement, blind);
  await ruleOnRun(store, id, ruling);
  await store.inbox.settle(id, false);
  return { id, state: "settled", problems: [], agreed: ruling.agreed ?? null };
}

async function decideOnBudget(
  { store, live, rules, config }: Server,
  { run }: InboxItem,
  budget?: Budget,
): Promise<Reviewed> {
  if (budget === undefined) {
    await store.inbox.settle(run.id, true);
    return { id: run.id, state: "closed", problems: [], agreed: null };
  }
  requireCast(rules.casts, run.manifest.cast);
  live.resume(run.id, { budget: limitBudget(config.budget, budget) });
  await store.inbox.settle(run.id, false);
  return { id: run.id, state: "resumed", problems: [], agreed: null };
}
