import { describe, expect, it } from "vitest";
import { startModelServer } from "../../../test/support/model-server.ts";
import { openTestServer, readEvents } from "../../../test/support/server.ts";

const question = { pack: "question", text: "Is water wet?" };
const priced = { prices: { "compatible/m": { input: 2, output: 8 } } };
const model = { rules: { casts: ["expert", "compatible/m"] }, env: { PARLEY_BASE_URL: "http://127.0.0.1:9/v1" } };

describe("before a run is started", () => {
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
