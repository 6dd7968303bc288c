import { describe, expect, it } from "vitest";
import { makeDocx, makePdf } from "../../../test/support/make-document.ts";
import { startModelServer } from "../../../test/support/model-server.ts";
import { openTestServer, readerToken, readEvents, runToEnd } from "../../../test/support/server.ts";

const question = { pack: "question", text: "Is water wet?" };
const priced = { prices: { "compatible/m": { input: 2, output: 8 } } };
const model = { rules: { casts: ["expert", "compatible/m"] }, env: { PARLEY_BASE_URL: "http://127.0.0.1:9/v1" } };

describe("before a run is started", () => {
  it("what it would cost is told by role, and nothing is called or stored", async () => {
    const server = openTestServer({ ...model, config: priced });
    const { json, status } = await server.post("/api/estimate", { ...question, cast: "compatible/m" });
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json.roles.length).toBeGreaterThan(0);
    expect(json.expected.usd).toBeGreaterThan(0);
    expect(json.most.usd).toBeGreaterThan(json.expected.usd);
    expect((await server.store.page({ limit: 1 })).total.count).toBe(0);
  });

  it("a cast of programs is free, and a budget that would stop the run is named", async () => {
    const server = openTestServer({ ...model, config: priced });
    const { json: free } = await server.post("/api/estimate", question);
    expect(free).toMatchObject({ roles: [], expected: { calls: 0, usd: 0 }, notes: [] });
    const body = { ...question, cast: "compatible/m", budget: { calls: 1 } };
    expect((await server.post("/api/estimate", body)).json.notes).toEqual(["The budget of calls=1 would stop it."]);
  });

  it("each pack says which casts fit it, who plays and at what price", async () => {
    const rules = { casts: ["expert", "compatible/m", "expert,sup=person"] };
    const server = openTestServer({ ...model, rules, config: priced });
    const { json } = await server.get("/api/packs");
    const castsOf = (name: string) => json.packs.find((pack: { name: string }) => pack.name === name).casts;
    expect(castsOf("law").map(({ cast }: { cast: string }) => cast)).toEqual(rules.casts);
    expect(castsOf("question").map(({ cast }: { cast: string }) => cast)).toEqual(["expert", "compatible/m"]);
    expect(castsOf("question")[1].players).toMatchObject([{ player: "compatible/m", price: { input: 2, output: 8 } }]);
  });
});

describe("a document that is handed in", () => {
  const hand = (name: string, content: string | Buffer) => ({ name, bytes: Buffer.from(content).toString("base64") });

  it.each([
    ["page.html", "<title>Mill</title><p>It burned.</p><script>alert(1)</script>", "# Mill\n\nIt burned."],
    ["prices.csv", "thing,price\nbread,2\n", "thing: bread; price: 2."],
    ["note.txt", "It is.", "It is."],
    ["sky.pdf", makePdf("The observatory opens at 21:15."), "The observatory opens at 21:15."],
    ["boats.docx", makeDocx("Boats", "Canoes are back by 19:30."), "# Boats\n\nCanoes are back by 19:30."],
  ])("%s comes back as its text, and nothing of it is kept", async (name, content, text) => {
    const server = openTestServer();
    const { json, status } = await server.post("/api/documents", hand(name, content));
    expect({ status, text: json.text?.trim() ?? json }).toEqual({ status: 200, text });
    expect((await server.store.page({ limit: 1 })).total.count).toBe(0);
  });

  it.each([
    ["broken.pdf", "%PDF-1.4 nonsense", /broken\.pdf: not a PDF/],
    ["photo.png", Buffer.from([137, 80, 0, 0]), /photo\.png: that is a binary file/],
    ["bomb.docx", makeDocx("a", "b", 3_000_000_000), /bomb\.docx: it unpacks to \d+ MB/],
    ["latin.txt", Buffer.from([0xe9, 0x20, 0xe8]), /latin\.txt: the text is not in UTF-8/],
  ])("%s is refused with what is wrong, and the server goes on", async (name, content, why) => {
    const server = openTestServer();
    const { json, status } = await server.post("/api/documents", hand(name, content));
    expect({ status, code: json.code }).toEqual({ status: 400, code: "bad_input" });
    expect(json.message).toMatch(why);
  });

  it("needs an operator", async () => {
    const { ask } = openTestServer();
    const body = hand("a.txt", "a");
    expect((await ask("POST", "/api/documents", { body, token: readerToken })).status).toBe(403);
  });
});

describe("groups of runs", () => {
  it("by outcome have counts, their newest runs and a filter that lists them all", async () => {
    const server = openTestServer();
    const id = await runToEnd(server, { pack: "sentiment", text: "The tea was cold." });
    await runToEnd(server, { pack: "question", text: "Is it?" });
    const { json } = await server.get("/api/run-groups?by=outcome");
    expect(json.groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(2);
    const decided = json.groups.find(({ name }: { name: string }) => name === "decided");
    expect(decided.newest.map((run: { id: string }) => run.id)).toContain(id);
    const { json: listed } = await server.get(`/api/runs?${new URLSearchParams(decided.query)}`);
    expect(listed.total.count).toBe(decided.count);
    expect((await server.get("/api/run-groups?by=outcome&pack=law")).json.groups).toEqual([]);
  });

  it("by reason name why no decision was made, and find those runs", async () => {
    const server = openTestServer();
    const id = await runToEnd(server, { pack: "question", text: "Is it?" });
    const { json: run } = await server.get(`/api/runs/${id}`);
    const { json } = await server.get("/api/run-groups?by=reason");
    expect(json.groups.length).toBe(run.run.outcome === "decided" ? 0 : 1);
    for (const { query, count } of json.groups)
      expect((await server.get(`/api/runs?${new URLSearchParams(query)}`)).json.total.count).toBe(count);
  });
});

describe("words as they come", () => {
  const play = async (blind: boolean) => {
    const models = await startModelServer();
    const server = openTestServer({
      rules: { casts: ["compatible/m"], blind },
      env: { PARLEY_BASE_URL: models.baseUrl },
    });
    const { json } = await server.post("/api/runs", { ...question, cast: "compatible/m" });
    const events = await readEvents(await server.send("GET", `/api/runs/${json.id}/events`));
    await models.close();
    return events.map(({ event }) => event);
  };

  it("reach a follower while a model still speaks", async () => {
    expect(await play(false)).toContain("text");
  });

  it("are kept back where reviews are blind, and so is what rules decide", async () => {
    const events = await play(true);
    expect(events).toContain("turn_started");
    expect(events).not.toContain("text");
    expect(events).not.toContain("note");
  });
});

it("a caller who asks too often is told when to come back, and others are not held up", async () => {
  const server = openTestServer();
  const first = await server.post("/api/session");
  const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
  const asked = await Promise.all(Array.from({ length: 400 }, () => server.get("/api/session")));
  const refused = asked.map(({ response }) => response).find(({ status }) => status === 429);
  expect(refused?.status).toBe(429);
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused?.json()).toMatchObject({ code: "too_many" });
  expect((await server.get("/api/session", { token: null, headers: { cookie } })).status).toBe(200);
});
