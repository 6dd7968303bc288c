import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "../../../test/support/cli.ts";
import {
  openTestServer,
  reviewerTokens,
  runToEnd,
  type TestServer,
  type TestServerOptions,
  until,
} from "../../../test/support/server.ts";
import { packs } from "../../packs/registry.ts";
import { startRun } from "../../runs/start.ts";
import { castOfStrings } from "../../runs/cast.ts";
import { sqliteStore } from "../../store/sqlite.ts";

const docs = [{ id: "sale.md", text: "Ida Holm sold the mill because the railway took away its trade." }];
const cast = "expert,judge=person";
const court = {
  pack: "question",
  input: { question: "Why did Ida Holm sell the mill?", docs },
  config: { protocol: "courtroom" },
  cast,
};
const good = { answer: "The railway.", winner: 1, reasoning: "The letter says so.", confidence: 0.9 };
const supervised = "expert,sup=person";
const open = (options: TestServerOptions = {}): TestServer =>
  openTestServer({ ...options, rules: { casts: ["expert", cast, supervised], ...options.rules } });

/** A law run whose supervisor, a person, says what the expert says and asks for a human review. */
async function escalate(server: TestServer): Promise<string> {
  const input = (await packs.law()).examples[0]?.input;
  const { json: shown } = await server.get(`/api/runs/${await runToEnd(server, { pack: "law", input })}`);
  const { reply } = shown.turns.findLast((turn: { key: { role: string } }) => turn.key.role === "sup");
  const id = await runToEnd(server, { pack: "law", input, cast: supervised, caseId: "case-7" });
  const { json } = await server.post(`/api/reviews/${id}/answer`, {
    reviewer: "Ana",
    reply: { ...reply, needs_human_review: true },
  });
  expect(json, JSON.stringify(json)).toMatchObject({ state: "resumed" });
  expect((await server.store.get(id))?.outcome).toBe("escalated");
  return id;
}

describe("a turn that waits for a person", () => {
  it("is in the inbox with its prompt and the schema of its reply, and its answer lets the run go on", async () => {
    const server = open();
    const id = await runToEnd(server, court);
    const { json: inbox } = await server.get("/api/reviews");
    expect(inbox.items).toMatchObject([{ why: "turn", run: { id, status: "waiting" }, claim: null }]);
    const { json: item } = await server.get(`/api/reviews/${id}`);
    expect(item.turn.key).toEqual({ round: 3, step: "judge", role: "judge" });
    expect(item.turn.prompt.join("\n")).toContain("railway");
    expect(item.turn.schema.required).toContain("reasoning");
    const { json: done } = await server.post(`/api/reviews/${id}/answer`, { reviewer: "Ana", reply: good });
    expect(done).toEqual({ id, state: "resumed", problems: [], agreed: null });
    const { json: run } = await server.get(`/api/runs/${id}`);
    expect(run.result).toMatchObject({ outcome: "decided", decision: { answer: expect.stringContaining("railway") } });
    expect((await server.get("/api/reviews")).json.items).toEqual([]);
  });

  it("gives back an answer of the wrong shape with what is wrong, and nothing is lost by it", async () => {
    const server = open();
    const id = await runToEnd(server, court);
    const before = await server.store.get(id);
    for (const reply of [{ answer: 1 }, "yes", [], { ...good, extra: true }, { ...good, winner: "first" }]) {
      const { json } = await server.post(`/api/reviews/${id}/answer`, { reviewer: "Ana", reply });
      expect(json.state).toBe("refused");
      expect(json.problems.length).toBeGreaterThan(0);
    }
    expect(await server.store.get(id)).toEqual(before);
    expect((await server.post(`/api/reviews/${id}/answer`, { reviewer: "Ana", reply: good })).json.state).toBe(
      "resumed",
    );
  });

  it("is taken by one reviewer at a time, and an abandoned claim returns", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const server = open({ now: () => now });
    const id = await runToEnd(server, court);
    const as = (name: "Ana" | "Budi") => ({ token: reviewerTokens[name] });
    const claim = (name: "Ana" | "Budi") => server.post(`/api/reviews/${id}/claim`, { leaseMs: 60_000 }, as(name));
    const both = await Promise.all([claim("Ana"), claim("Budi")]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(both[1].json.message).toContain("Ana is reviewing");
    expect((await claim("Ana")).json.claim).toEqual({ reviewer: "Ana", until: "2026-01-01T00:01:00.000Z" });
    expect((await server.post(`/api/reviews/${id}/answer`, { reply: good }, as("Budi"))).status).toBe(409);
    for (const caller of [as("Budi"), {}]) {
      expect((await server.post(`/api/reviews/${id}/answer`, { reviewer: "Ana", reply: good }, caller)).status).toBe(
        409,
      );
    }
    now = new Date("2026-01-01T00:01:00Z");
    expect((await claim("Budi")).status).toBe(200);
    expect((await server.post(`/api/reviews/${id}/answer`, { reply: good }, as("Budi"))).json.state).toBe("resumed");
  });

  it("is not answered by a form that was made for an earlier turn", async () => {
    const server = open();
    const id = await runToEnd(server, court);
    const answer = (turn: string) => server.post(`/api/reviews/${id}/answer`, { turn, reply: good });
    const old = await answer("2/judge/judge");
    expect([old.status, old.json.message]).toEqual([409, expect.stringContaining("3/judge/judge waits by now")]);
    expect((await answer("3/judge/judge")).json.state).toBe("resumed");
  });

  it("is not kept by a claim that a wrong clock made for years", async () => {
    let now = new Date("2031-01-01T00:00:00Z");
    const server = open({ now: () => now });
    const id = await runToEnd(server, court);
    const claim = (name: "Ana" | "Budi") =>
      server.post(`/api/reviews/${id}/claim`, {}, { token: reviewerTokens[name] });
    expect((await claim("Ana")).status).toBe(200);
    now = new Date("2026-01-01T00:00:00Z");
    expect((await server.get("/api/reviews")).json.items).toMatchObject([{ claim: null }]);
    expect((await claim("Budi")).status).toBe(200);
  });

  it.each(["\u200b", "\u2060\u3164", "…!"])("is not overruled by a reason that says nothing: %j", async (nothing) => {
    const server = open();
    const id = await runToEnd(server, court);
    const body = { reply: { ...good, answer: "The moon." }, overrule: nothing };
    expect((await server.post(`/api/reviews/${id}/answer`, body)).json.message).toContain("give a reason in words");
    const named = await server.post(`/api/reviews/${id}/answer`, { reply: good, reviewer: "\u3164" });
    expect(named.json.message).toContain("not a readable name");
    expect((await server.store.get(id))?.status).toBe("waiting");
  });

  it.each<[string, { token?: string; name?: string }, string]>([
    ["a reviewer's token", { token: reviewerTokens.Ana }, "Ana"],
    ["a reviewer's token and another's name in the body", { token: reviewerTokens.Ana, name: "Budi" }, "Ana"],
    ["the operator's token", {}, "operator"],
    ["the operator's token and a reviewer's name in the body", { name: "Ana" }, "Ana (operator)"],
  ])("answered with %s bears the name that the token stands for", async (_, { token, name }, said) => {
    const server = open();
    const id = await runToEnd(server, court);
    const body = { reply: { ...good, winner: 99 }, overrule: "the number is mine", ...(name && { reviewer: name }) };
    const refused = await server.post(`/api/reviews/${id}/answer`, { ...body, overrule: undefined }, { token });
    expect(refused.json.state).toBe("refused");
    const { json } = await server.post(`/api/reviews/${id}/answer`, { ...body, reply: good }, { token });
    expect(json.state).toBe("resumed");
    const { json: run } = await server.get(`/api/runs/${id}`);
    expect(run.turns.at(-1)).toMatchObject({ key: { role: "judge" }, player: `person/${said}` });
    const markdown = await (await server.send("GET", `/api/runs/${id}/export?format=md`)).text();
    expect(markdown).toContain(`(${said.replaceAll(/[()]/g, "\\$&")})`.replaceAll("\\", ""));
  });

  it("whose budget is spent is not the reviewers' to lengthen", async () => {
    const server = open();
    const id = await runToEnd(server, { ...court, cast: "expert", budget: { wallMs: 0 } });
    const ruling = { verdict: "uphold", why: "go on", budget: { wallMs: 600_000 } };
    const { json } = await server.post(`/api/reviews/${id}/uphold`, ruling, { token: reviewerTokens.Ana });
    expect(json.code).toBe("forbidden");
  });

  it("of a cast that may not be started here is answered all the same; the run is not resumed or started anew", async () => {
    const server = openTestServer();
    const pack = await packs.question();
    const request = { pack, input: court.input, config: court.config, cast };
    await startRun({ store: server.store, castOf: castOfStrings(server.store) }, request).catch(() => null);
    const [id] = await server.store.ids();
    expect((await server.post(`/api/runs/${id}/resume`)).json.code).toBe("bad_cast");
    expect((await server.post("/api/runs", { ...court, cast })).json.code).toBe("bad_cast");
    const { json } = await server.post(`/api/reviews/${id}/answer`, { reviewer: "Ana", reply: good });
    expect(json).toMatchObject({ state: "resumed", problems: [] });
    expect(await server.store.get(String(id))).toMatchObject({ status: "finished", outcome: "decided" });
  });
});

describe("an escalated run", () => {
  it("is upheld by a reviewer: settled, noted, and a labelled case that a study takes", async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, ".parley"));
    const store = sqliteStore(join(cwd, ".parley", "parley.db"));
    const server = open({ store });
    const id = await escalate(server);
    const { json: item } = await server.get(`/api/reviews/${id}`);
    expect(item.item.reasons.length).toBeGreaterThan(0);
    expect(item.gold.properties).toHaveProperty("positions");
    const { json } = await server.post(`/api/reviews/${id}/uphold`, {
      reviewer: "Ana",
      verdict: "uphold",
      why: "Both sources say so.",
    });
    expect(json.state).toBe("settled");
    const { json: run } = await server.get(`/api/runs/${id}`);
    expect(run.result.notes.at(-1)).toMatchObject({
      type: "review",
      data: { verdict: "upheld", reviewer: "Ana (operator)" },
    });
    await server.close(0);
    await store.close();
    expect((await runCli(["verify", id], { cwd })).code).toBe(0);
    const exported = await runCli(["review", "export", "--pack", "law"], { cwd });
    const row = JSON.parse(exported.out) as { id: string; gold: { positions: string[] } };
    expect(row).toMatchObject({ id: "case-7", gold: { positions: [run.result.decision.position] } });
    writeFileSync(join(cwd, "labelled.jsonl"), exported.out);
    writeFileSync(
      join(cwd, "again.yaml"),
      "study: again\npack: law\ndataset: {path: labelled.jsonl}\narms: [{name: debate}]\ncontrols: []\n",
    );
    const studied = await runCli(["study", "run", "again.yaml", "--json"], { cwd });
    expect(studied.code, studied.err).toBe(0);
    expect((await runCli(["review", "export", "--pack", "sentiment"], { cwd })).out).toBe("");
    expect((await runCli(["review", "export", "--pack", "nothing"], { cwd })).code).toBe(2);
  });

  it("is corrected with gold, which is checked first", async () => {
    const server = open();
    const id = await escalate(server);
    const say = (body: object) =>
      server.post(`/api/reviews/${id}/uphold`, { reviewer: "Ana", verdict: "correct", why: "No.", ...body });
    expect((await say({ gold: { positions: ["Z"] } })).json.code).toBe("bad_input");
    expect((await say({ why: " " })).status).toBe(400);
    expect((await server.post(`/api/reviews/${id}/answer`, { reviewer: "Ana", reply: {} })).json.code).toBe(
      "bad_input",
    );
    expect((await server.store.get(id))?.outcome).toBe("escalated");
    expect((await say({ gold: { positions: ["C"] } })).json.state).toBe("settled");
    expect((await say({ gold: { positions: ["C"] } })).json.code).toBe("bad_input");
    const { json: run } = await server.get(`/api/runs/${id}`);
    expect(run.result.notes.at(-1).data).toMatchObject({ verdict: "replaced", gold: { positions: ["C"] } });
  });

  it("reviewed blind shows no verdict anywhere until it is answered, and agreement is counted", async () => {
    const server = open({ rules: { blind: true } });
    const id = await escalate(server);
    const stored = await server.store.journal(id);
    const end = stored.entries.at(-1)?.body as { result: { decision: { position: string; answer: string } } };
    const { position } = end.result.decision;
    const { json: run } = await server.get(`/api/runs/${id}`);
    expect(run).toMatchObject({ withheld: true, result: null, sections: [], turns: [], headline: {} });
    const events = await (await server.send("GET", `/api/runs/${id}/events`)).text();
    expect(events).toContain("event: end\n");
    expect(events, "events say that something was said, never what").not.toContain(position);
    expect(events).not.toMatch(/"(?:result|reply|text|note)"/);
    for (const path of ["/export?format=json", "/why", "/turns/x"])
      expect((await server.get(`/api/runs/${id}${path}`)).status).toBe(400);
    expect((await server.get(`/api/reviews/${id}`)).json.item.reasons).toEqual([]);
    const say = (body: object) =>
      server.post(`/api/reviews/${id}/uphold`, { reviewer: "Ana", why: "I read it.", ...body });
    expect((await say({ verdict: "uphold" })).json.message).toContain("hidden");
    expect((await say({ verdict: "correct", gold: { positions: [position] } })).json).toMatchObject({
      state: "settled",
      agreed: true,
    });
    expect((await server.get("/api/reviews")).json.agreement).toEqual({ blind: 1, agreed: 1 });
    expect((await server.get(`/api/runs/${id}`)).json.result.outcome).toBe("decided");
  });
});

it("a run over its budget asks whether to go on: with a new one it does, else it is closed", async () => {
  const server = open();
  const start = async (): Promise<string> => runToEnd(server, { ...court, budget: { wallMs: 0 } });
  const id = await start();
  expect((await server.get("/api/reviews")).json.items).toMatchObject([{ why: "budget", run: { id } }]);
  const rule = (run: string, body: object) =>
    server.post(`/api/reviews/${run}/uphold`, { reviewer: "Ana", verdict: "uphold", why: "I looked at it.", ...body });
  expect((await rule(id, { budget: { wallMs: 600_000 } })).json.state).toBe("resumed");
  await until(() => !server.server.live.has(id));
  expect((await server.store.get(id))?.status).toBe("waiting");
  const other = await start();
  expect((await rule(other, {})).json.state).toBe("closed");
  const { json } = await server.get("/api/reviews");
  expect(json.items.map((item: { run: { id: string } }) => item.run.id)).toEqual([id]);
});

it.each(Object.entries(packs))("gold made of a decision of the %s pack calls that decision right", async (_, load) => {
  const pack = await load();
  const server = openTestServer();
  for (const example of pack.examples as { input: unknown; config?: object }[]) {
    const id = await runToEnd(server, {
      pack: pack.name,
      input: example.input,
      ...(example.config && { config: example.config }),
    });
    const { json } = await server.get(`/api/runs/${id}`);
    const { measure } = pack;
    const gold: unknown = json.result.decision === null ? null : measure?.goldOf?.(json.result.decision as never);
    if (gold === null || gold === undefined) continue;
    const score = measure?.score(json.result.decision as never, measure.gold.parse(gold) as never);
    expect(score?.[measure?.primary ?? ""]).toBe(1);
  }
});
