import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { openTestServer, runToEnd } from "../../test/support/server.ts";
import { packs } from "../packs/registry.ts";
import { callApi } from "../contract/api/index.ts";
import { describeApi } from "./pages/pages.ts";

const question = { pack: "question", input: { question: "Is it?" } };

describe("the description of the API", () => {
  it("is valid OpenAPI 3.1", async () => {
    const checked = await new Validator().validate(describeApi());
    expect(checked.errors ?? []).toEqual([]);
    expect(checked.valid).toBe(true);
  });

  it("is served to those who may look", async () => {
    const server = openTestServer();
    expect((await server.get("/api/openapi.json")).json.openapi).toBe("3.1.0");
    expect((await server.get("/api/openapi.json", { token: null })).status).toBe(401);
  });
});

describe("runs over the API", () => {
  it("are ordinary runs: started, listed, found by their words, read with light turns", async () => {
    const server = openTestServer();
    const id = await runToEnd(server, { pack: "sentiment", text: "The coffee was cold but the barista was kind." });
    const { json: page } = await server.get("/api/runs?pack=sentiment&text=barista");
    expect(page.runs.map((run: { id: string }) => run.id)).toEqual([id]);
    expect(page.runs[0].subject).toContain("coffee");
    const { json: run } = await server.get(`/api/runs/${id}`);
    expect(run.result.outcome).toBe("decided");
    expect(run.sections.length).toBeGreaterThan(0);
    expect(JSON.stringify(run.turns)).not.toContain('"raw"');
    const turn = run.turns[0].id as string;
    const { json: whole } = await server.get(`/api/runs/${id}/turns/${encodeURIComponent(turn)}`);
    expect(whole.prompt.join("\n")).toContain("barista");
    expect(whole.attempts[0].raw.length).toBeGreaterThan(0);
    expect((await server.store.get(id))?.status).toBe("finished");
  });

  it.each(Object.keys(packs))("run the examples of the %s pack", async (pack) => {
    const server = openTestServer();
    const { json } = await server.get("/api/packs");
    const example = json.packs.find((one: { name: string }) => one.name === pack).examples[0];
    const id = await runToEnd(server, {
      pack,
      input: example.input,
      ...(example.config && { config: example.config }),
    });
    const { json: run } = await server.get(`/api/runs/${id}`);
    expect(run.result).not.toBeNull();
    expect(run.sections.map(({ kind }: { kind: string }) => kind)).toContain("steps");
    for (const format of ["json", ...(pack === "sentiment" ? ["md", "html"] : [])]) {
      const file = await server.send("GET", `/api/runs/${id}/export?format=${format}`);
      expect(file.status).toBe(200);
      expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
      expect((await file.text()).length).toBeGreaterThan(100);
    }
    if (pack === "sentiment") {
      expect((await server.get(`/api/runs/${id}/why`)).status).toBe(200);
    }
    expect((await server.post(`/api/runs/${id}/redecide`, { set: [] })).json.outcome.before).toBe(run.result.outcome);
    expect((await server.get(`/api/compare?a=${id}&b=${id}`)).json.same).toBe(true);
  });

  it("branch into runs that share turns", async () => {
    const server = openTestServer();
    const id = await runToEnd(server, { pack: "sentiment", text: "Cold coffee, kind barista." });
    const { json: run } = await server.get(`/api/runs/${id}`);
    const step = run.turns.at(-1).id as string;
    const { json, status } = await server.post(`/api/runs/${id}/branch`, { from: step });
    expect(status, JSON.stringify(json)).toBe(202);
    const { json: branch } = await server.get(`/api/runs/${json.id}`);
    expect(branch.run.parent).toEqual({ run: id, from: step });
  });

  it("say what is wrong with a request in the command line's words, and store nothing", async () => {
    const server = openTestServer();
    const wrong: [object, string, RegExp][] = [
      [{ pack: "sentimnt", text: "x" }, "bad_input", /unknown pack "sentimnt"/],
      [{ pack: "law" }, "bad_input", /give the case as input, or as plain text/],
      [{ pack: "law", text: "x", input: {} }, "bad_input", /not both/],
      [{ pack: "law", input: { qery: "x" } }, "bad_input", /qery/],
      [{ pack: "law", text: "x", config: { no_such: 1 } }, "bad_config", /no_such/],
      [{ pack: "law", text: "x", extra: 1 }, "bad_input", /extra/],
      [{ pack: "law", text: "x", budget: { usd: -1 } }, "bad_input", /usd/],
      [{ pack: "law", text: "x", seed: 0.5 }, "bad_input", /seed/],
    ];
    for (const [body, code, message] of wrong) {
      const { status, json } = await server.post("/api/runs", body);
      expect([status, json.code]).toEqual([400, code]);
      expect(json.message).toMatch(message);
    }
    for (const raw of [
      "{",
      "",
      "[]",
      "null",
      `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
      '{"__proto__": {"pack": "law"}}',
    ])
      expect((await server.ask("POST", "/api/runs", { raw })).json.code, raw.slice(0, 20)).toBe("bad_input");
    expect(await server.store.ids()).toEqual([]);
  });

  it.each([
    ["GET", "/api/runs/nothing", 400],
    ["GET", "/api/runs/0000000-000000", 404],
    ["GET", "/api/runs/..%2F..%2Fetc%2Fpasswd", 400],
    ["GET", "/api/runs?limit=0", 400],
    ["GET", "/api/runs?limit=1000000", 400],
    ["GET", "/api/runs?from=yesterday", 400],
    ["GET", "/api/runs?after=%27%20OR%201%3D1", 400],
    ["GET", "/api/runs?nonsense=1", 400],
    ["GET", "/api/compare?a=0000000-000000", 400],
    ["GET", "/api/studies/..%2F..%2Fx", 400],
    ["GET", "/api/studies/never_ran", 404],
    ["GET", "/api/nothing", 404],
    ["POST", "/api/runs/0000000-000000/cancel", 404],
    ["POST", "/api/packs", 404],
    ["GET", "/api/reviews/0000000-000000", 404],
  ])("%s %s is refused with %i", async (method, path, status) => {
    expect((await openTestServer().ask(method, path)).status).toBe(status);
  });

  it("are paged without loss while runs are added", async () => {
    const server = openTestServer();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await runToEnd(server, question));
    const first = (await server.get("/api/runs?limit=2")).json;
    await runToEnd(server, question);
    const second = (await server.get(`/api/runs?limit=10&after=${first.next}`)).json;
    const seen = [...first.runs, ...second.runs].map((run: { id: string }) => run.id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(ids.toSorted().toReversed().slice(0, 2)).toEqual(seen.slice(0, 2));
  });

  it("can be called with the typed client", async () => {
    const { app } = openTestServer();
    const options = {
      base: "http://127.0.0.1:4180",
      token: "operator-token-of-the-tests",
      fetch: (async (url: string, init: RequestInit) =>
        app.request(url, {
          ...init,
          headers: { ...(init.headers as object), host: "127.0.0.1:4180" },
        })) as typeof fetch,
    };
    const { id } = await callApi("startRun", { body: { pack: "question", text: "Is it?" } }, options);
    expect((await callApi("readRun", { params: { id } }, options)).run.id).toBe(id);
    await expect(callApi("readRun", { params: { id: "0000000-000000" } }, options)).rejects.toMatchObject({
      code: "unknown_run",
      status: 404,
    });
  });
});
