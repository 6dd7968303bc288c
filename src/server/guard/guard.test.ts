import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Ask,
  host,
  openTestServer,
  operatorToken,
  readerToken,
  reviewerTokens,
  runToEnd,
  until,
} from "../../../test/support/server.ts";
import { type AccessRole, routes } from "../../contract/api/index.ts";
import { requireSafeAddress } from "../start-server.ts";
import { memoryStore } from "../../store/sqlite.ts";
import { createAccess } from "./access.ts";
import { isLoopback, limitBudget, listOwnHosts, RateLimit } from "./guard.ts";

const everyAddress = ["/", "/assets/app.js", "/healthz", "/readyz", "/api/runs", "/api/openapi.json", "/enter/x"];
const run = "0000000-000000";
const none = { operator: undefined, reader: undefined };

describe("where a server listens", () => {
  it("is loopback, unless the owner chose a token", () => {
    for (const address of ["127.0.0.1", "::1", "localhost", "127.8.9.1"]) {
      expect(isLoopback(address)).toBe(true);
      expect(() => requireSafeAddress(address, none)).not.toThrow();
    }
    for (const address of ["0.0.0.0", "::", "192.168.1.5", "127.0.0.1.example.org", "example.org"]) {
      expect(isLoopback(address)).toBe(false);
      expect(() => requireSafeAddress(address, none)).toThrow(/needs a token: set PARLEY_TOKEN/);
      expect(() => requireSafeAddress(address, { ...none, operator: "a-token-of-the-owner" })).not.toThrow();
    }
    for (const short of [{ operator: "fifteen-letters" }, { operator: "a-token-of-the-owner", reader: "abc" }])
      expect(() => requireSafeAddress("127.0.0.1", { ...none, ...short })).toThrow(/too short/);
  });

  it("decides by which names it may be called", () => {
    expect([...listOwnHosts("127.0.0.1", 4180)]).toEqual(["127.0.0.1:4180", "localhost:4180", "[::1]:4180"]);
    expect([...listOwnHosts("10.0.0.5", 80, ["parley.example.org"])]).toEqual([
      "10.0.0.5:80",
      "10.0.0.5",
      "parley.example.org",
    ]);
  });
});

describe("the host", () => {
  it.each(everyAddress)("of %s must be this server's: a name that was rebound to it is not", async (path) => {
    const { send } = openTestServer();
    for (const wrong of [
      "evil.example",
      "evil.example:4180",
      "localhost:4181",
      "127.0.0.1",
      "",
      "127.0.0.1:4180.evil.example",
    ])
      expect((await send("GET", path, { headers: { host: wrong } })).status, wrong).toBe(421);
  });

  it("of event streams and of what acts is checked too", async () => {
    const { send } = openTestServer();
    for (const path of [`/api/runs/${run}/events`, `/api/runs/${run}/export`, "/api/packs"])
      expect((await send("GET", path, { headers: { host: "evil.example" } })).status).toBe(421);
    expect((await send("POST", "/api/runs", { headers: { host: "evil.example" } })).status).toBe(421);
  });

  it("in the request line counts as well", async () => {
    const { app } = openTestServer();
    expect((await app.request("http://evil.example/healthz", { headers: { host } })).status).toBe(421);
  });
});

describe("a token", () => {
  const all = Object.values(routes).map(
    (route) => [route.method.toUpperCase(), route.path.replaceAll(":id", run)] as const,
  );

  it.each(all)("is needed on loopback too: %s %s", async (method, path) => {
    const { ask } = openTestServer();
    expect((await ask(method, path, { token: null })).json.code).toBe("unauthorized");
    expect((await ask(method, path, { token: "wrong" })).json.code).toBe("unauthorized");
  });

  it("decides, for every route and every kind of caller, who is let in and who is not", async () => {
    const server = openTestServer();
    const id = await runToEnd(server, { pack: "question", text: "Is it?" });
    const cookie = `parley-4180=${await server.access.openSession({ role: "reader", reviewer: null })}`;
    const reviewing = `parley-4180=${await server.access.openSession({ role: "reviewer", reviewer: "Ana" })}`;
    const lookers = { reader: null, reviewer: "forbidden", operator: "forbidden" };
    const reviewers = { reader: null, reviewer: null, operator: "forbidden" };
    const callers: [string, Ask, Record<AccessRole, string | null>][] = [
      ["nobody", { token: null }, { reader: "unauthorized", reviewer: "unauthorized", operator: "unauthorized" }],
      ["a reader", { token: readerToken }, lookers],
      ["a reader's session", { token: null, headers: { cookie } }, lookers],
      ["a reviewer", { token: reviewerTokens.Ana }, reviewers],
      ["a reviewer's session", { token: null, headers: { cookie: reviewing } }, reviewers],
      ["an operator", {}, { reader: null, reviewer: null, operator: null }],
    ];
    const listed = new Map<string, AccessRole | null>([
      ...Object.values(routes).map(({ method, path, access }) => [`${method.toUpperCase()} ${path}`, access] as const),
      ["GET /api/openapi.json", "reader"],
      ["ALL /api/*", "reader"],
      ["POST /mcp", "operator"],
      // These tell and do nothing without a token: whether the server lives, the viewer's files, and what MCP is asked with.
      ...["GET /healthz", "GET /readyz", "GET /enter/:code", "ALL /mcp", "GET /*"].map((one) => [one, null] as const),
    ]);
    // As the app has them, so that a route that is added later cannot be forgotten here.
    const registered = server.app.routes.filter(({ method, path }) => `${method} ${path}` !== "ALL /*");
    expect(new Set(registered.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set(listed.keys()));
    for (const { method, path } of registered) {
      const access = listed.get(`${method} ${path}`);
      if (!access) continue;
      for (const [who, given, refused] of callers) {
        const place = path.replaceAll(":id", id).replaceAll(":name", "x").replaceAll(":turn", "x");
        // Whoever is refused is soon kept out altogether, so each of them meets a server of their own.
        const asked = who === "nobody" ? openTestServer() : server;
        const response = await asked.send(method === "ALL" ? "POST" : method, place, given);
        const isRefused = [401, 403, 429].includes(response.status);
        const code = isRefused ? ((await response.json()) as { code: string }).code : null;
        await response.body?.cancel().catch(() => undefined);
        expect(code, `${who}: ${method} ${path}`).toBe(refused[access]);
      }
    }
  });

  it("is asked for by every route that acts; what is open to readers changes nothing", () => {
    const open = Object.entries(routes).map(([name, { access, method }]) => ({ name, access, method }));
    const namesFor = (role: AccessRole) => open.filter(({ access }) => access === role).map(({ name }) => name);
    expect(namesFor("operator")).toEqual(["startRun", "cancelRun", "resumeRun", "branchRun"]);
    expect(namesFor("reviewer")).toEqual(["contestRun", "claimReview", "answerReview", "ruleOnReview"]);
    const posts = open.filter(({ access, method }) => access === "reader" && method !== "get");
    expect(posts.map(({ name }) => name)).toEqual(["openSession", "redecideRun"]);
  });

  it("in a query string is none", async () => {
    const { get } = openTestServer();
    for (const name of ["token", "access_token", "key"])
      expect((await get(`/api/runs?${name}=operator-token-of-the-tests`, { token: null })).status).toBe(401);
  });

  it("of a reader looks", async () => {
    const server = openTestServer();
    expect((await server.get("/api/runs", { token: readerToken })).status).toBe(200);
    expect((await server.get("/api/session", { token: readerToken })).json).toEqual({ role: "reader", reviewer: null });
  });

  it("that is guessed is slowed down", async () => {
    const { get } = openTestServer();
    const codes: string[] = [];
    for (let n = 0; n < 60; n += 1) codes.push((await get("/api/runs", { token: `guess-${n}` })).json.code);
    expect(codes.filter((code) => code === "unauthorized")).toHaveLength(10);
    expect(codes.at(-1)).toBe("too_many");
    expect((await get("/api/runs")).status, "a right token among wrong ones tells nothing").toBe(429);
  });

  it("that is guessed from many addresses is slowed down for all of them", async () => {
    const { app } = openTestServer();
    const guess = async (remoteAddress: string, token = "a-guess"): Promise<number> => {
      const headers = { host, authorization: `Bearer ${token}` };
      const env = { incoming: { socket: { remoteAddress } } };
      return (await app.request(`http://${host}/api/runs`, { headers }, env)).status;
    };
    const statuses: number[] = [];
    for (let n = 0; n < 150; n += 1) statuses.push(await guess(`10.0.0.${n}`));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(102);
    expect(statuses.at(-1)).toBe(429);
    expect(await guess("10.0.1.1", operatorToken), "a right one among them tells nothing").toBe(429);
  });

  it("appears in no answer or log line", async () => {
    const server = openTestServer();
    const seen: string[] = [];
    for (const path of everyAddress) seen.push(await (await server.send("GET", path)).text());
    seen.push(...server.lines);
    expect(seen.join("\n")).not.toContain("operator-token");
  });
});

describe("a session", () => {
  it("is opened by the printed link in the few browsers of one person, with a cookie that scripts cannot read and other sites do not send", async () => {
    const { access, send } = openTestServer();
    const code = access.createCode();
    const looked = await send("HEAD", `/enter/${code}`, { token: null });
    expect([looked.status, looked.headers.get("set-cookie")]).toEqual([200, null]);
    const opened = await send("GET", `/enter/${code}`, { token: null });
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
    const cookie = opened.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^parley-4180=\S+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    const [pair = ""] = cookie.split(";");
    expect((await send("GET", "/api/runs", { token: null, headers: { cookie: pair } })).status).toBe(200);
    for (const status of [303, 303, 303, 303, 403])
      expect((await send("GET", `/enter/${code}`, { token: null })).status).toBe(status);
  });

  it("is not opened by a code that nobody made, or that is too old", () => {
    let nowMs = 0;
    const access = createAccess({ operator: "x".repeat(20), reader: null }, { nowMs: () => nowMs });
    expect(access.takeCode("made-up")).toBe(false);
    const code = access.createCode();
    nowMs = 13 * 3_600_000;
    expect(access.takeCode(code)).toBe(false);
  });

  it("has the role of the token it was traded for, and its cookie is not the token", async () => {
    const { post, send } = openTestServer();
    const { headers, json } = await post("/api/session", {}, { token: readerToken });
    expect(json).toEqual({ role: "reader", reviewer: null });
    const [pair = ""] = (headers.get("set-cookie") ?? "").split(";");
    expect(pair).not.toContain(readerToken);
    const given: Ask = { token: null, headers: { cookie: pair } };
    expect((await send("GET", "/api/runs", given)).status).toBe(200);
    expect((await send("POST", "/api/runs", given)).status).toBe(403);
  });

  it("outlives its server when it is kept, holds no secret there, and is over when the owner changes the token", async () => {
    const book = memoryStore().sessions;
    const open = (bind: string) => createAccess({ operator: bind.padEnd(20, "x"), reader: null, bind }, { book });
    const cookie = await open("first").openSession({ role: "operator", reviewer: null });
    expect((await open("first").identify(undefined, cookie))?.role).toBe("operator");
    expect(await open("second").identify(undefined, cookie)).toBeNull();
    expect(await book.find(cookie)).toBeNull();
  });

  it("ends", async () => {
    let nowMs = 0;
    const access = createAccess({ operator: "x".repeat(20), reader: null }, { nowMs: () => nowMs });
    const cookie = await access.openSession({ role: "operator", reviewer: null });
    expect((await access.identify(undefined, cookie))?.role).toBe("operator");
    expect(await access.identify("Basic abc", cookie)).toBeNull();
    nowMs = 31 * 24 * 3_600_000;
    expect(await access.identify(undefined, cookie)).toBeNull();
  });
});

describe("another site's page", () => {
  it.each([
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ origin: "https://evil.example" }],
    [{ origin: "null" }],
    [{ origin: "http://127.0.0.1:3000" }],
    [{ origin: `http://${host}.evil.example` }],
  ] as Record<string, string>[][])("is not obeyed: %j", async (headers) => {
    const { ask, store } = openTestServer();
    const body = { pack: "question", text: "Is it?" };
    expect((await ask("POST", "/api/runs", { body, headers })).json.code).toBe("wrong_origin");
    expect((await ask("GET", "/api/runs", { headers })).json.code).toBe("wrong_origin");
    expect(await store.ids()).toEqual([]);
  });

  it("its own page, and programs, are", async () => {
    const { ask } = openTestServer();
    const own: Record<string, string>[] = [
      { "sec-fetch-site": "same-origin", origin: `http://${host}` },
      { "sec-fetch-site": "none" },
      {},
    ];
    for (const headers of own) expect((await ask("GET", "/api/runs", { headers })).status).toBe(200);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])(
    "cannot act with a form: content type %j is refused",
    async (type) => {
      const { ask } = openTestServer();
      const body = { pack: "question", text: "Is it?" };
      expect((await ask("POST", "/api/runs", { body, headers: { "content-type": type } })).json.code).toBe(
        "wrong_type",
      );
    },
  );

  it("is told of no leave to ask: there are no CORS headers", async () => {
    const { send } = openTestServer();
    for (const method of ["OPTIONS", "GET", "POST"]) {
      const { headers } = await send(method, "/api/runs", { headers: { origin: "https://evil.example" } });
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("every answer", () => {
  it.each([...everyAddress, "/api/nothing", "/no/such.file"])(
    "of %s forbids inline scripts and styles, frames and guesses about types",
    async (path) => {
      const { send } = openTestServer();
      for (const given of [{}, { token: null }, { headers: { host: "evil.example" } }] as Ask[]) {
        const { headers } = await send("GET", path, given);
        const policy = headers.get("content-security-policy") ?? "";
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain("unsafe");
        expect(headers.get("x-content-type-options")).toBe("nosniff");
      }
    },
  );
});

describe("limits", () => {
  it("a body that is too large is refused, also when it does not say how large it is", async () => {
    const { ask, store } = openTestServer({ rules: { maxBodyBytes: 1_000 } });
    const raw = JSON.stringify({ pack: "question", text: "x".repeat(2_000) });
    expect((await ask("POST", "/api/runs", { raw })).json.code).toBe("too_large");
    expect((await ask("POST", "/api/runs", { raw, headers: { "content-length": "5000000" } })).status).toBe(413);
    expect(await store.ids()).toEqual([]);
  });

  it("so many requests are taken and no more, and it is said when to come back", () => {
    let nowMs = 0;
    const limits = new RateLimit({ burst: 2, perSecond: 1 }, () => nowMs);
    const limit = (name: string): void => limits.take(name);
    limit("a");
    limit("a");
    limit("b");
    expect(() => limit("a")).toThrow(/try again in 1 s/);
    nowMs = 1_000;
    expect(() => limit("a")).not.toThrow();
  });

  it("callers are forgotten, the oldest first, before they fill the memory", () => {
    const limits = new RateLimit({ burst: 1, perSecond: 0.001 }, () => 0);
    for (const name of ["a", "b"]) limits.take(name);
    for (let n = 0; n < 9_999; n += 1) limits.take(`other ${n}`);
    expect(() => limits.take("a")).not.toThrow();
    expect(() => limits.take("other 9998")).toThrow(/too many/);
  });

  it("a body that is not text is refused", async () => {
    const { app } = openTestServer();
    const headers = { host, "content-type": "application/json", authorization: `Bearer ${operatorToken}` };
    const body = Buffer.concat([
      Buffer.from('{"pack":"question","text":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const response = await app.request(`http://${host}/api/runs`, { method: "POST", headers, body });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "bad_input" }]);
  });

  it("so many runs wait and no more", async () => {
    const server = openTestServer({ rules: { maxRuns: 1, maxQueued: 1 } });
    const body = { pack: "sentiment", text: "Cold coffee, kind barista." };
    const answers = await Promise.all([1, 2, 3, 4].map(() => server.post("/api/runs", body)));
    const codes = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(codes.filter((code) => code === 202).length).toBeLessThanOrEqual(3);
    expect(codes).toContain(429);
    const ids = answers.flatMap(({ json }) => (json.id as string | undefined) ?? []);
    await until(() => ids.every((id) => !server.server.live.has(id)));
  });

  it("a request may lower the owner's budget limit by limit, and more than that is refused", async () => {
    const config = { budget: { calls: 3, usd: 1 } };
    const server = openTestServer({ config });
    const budgetOf = async (body: object) => {
      const id = await runToEnd(server, { pack: "sentiment", text: "Cold coffee.", ...body });
      return (await server.store.get(id))?.manifest.budget;
    };
    expect(await budgetOf({})).toEqual({ calls: 3, usd: 1 });
    expect(await budgetOf({ budget: { usd: 0.5, tokens: 70 } })).toEqual({ calls: 3, usd: 0.5, tokens: 70 });
    const id = await runToEnd(server, { pack: "sentiment", text: "Cold coffee." });
    await server.store.setStatus(id, { from: "finished", to: "finished", outcome: "budget_exhausted" });
    const ruling = { verdict: "uphold", reviewer: "ada", why: "go on" };
    for (const [path, more] of [
      ["/api/runs", { pack: "sentiment", text: "Cold coffee." }],
      [`/api/runs/${id}/resume`, {}],
      [`/api/reviews/${id}/uphold`, ruling],
    ] as const) {
      const { json } = await server.post(path, { budget: { usd: 2 }, ...more });
      expect(json.message, path).toContain("budget.usd: 2 is more than the 1 that the owner allows here");
    }
  });

  it("as much as the owner's budget may be asked for", () => {
    expect(limitBudget({ usd: 1, calls: 5 }, { usd: 1 })).toEqual({ usd: 1, calls: 5 });
  });

  it("no file is read that a client names and the owner has not", async () => {
    const file = "/etc/hostname";
    const server = openTestServer({ config: { sentiment: { learnt: { ko: file } } } as never });
    const start = (config: object) => server.post("/api/runs", { pack: "sentiment", text: "Cold coffee.", config });
    const run = await runToEnd(server, { pack: "sentiment", text: "Cold coffee." });
    const branch = { from: "1", cast: "expert", set: [`learnt.en=${file}x`] };
    for (const asked of [
      start({ learnt: { en: "/dev/zero" } }),
      start({ learnt: { en: file, ko: `${file}#0123456789abcdef` } }),
      start({ pipeline: { learnt: { en: `${file}x` } } }),
      server.post(`/api/runs/${run}/branch`, branch),
    ])
      expect((await asked).json).toMatchObject({
        code: "bad_config",
        message: expect.stringMatching(/only the owner|unknown key "pipeline"/),
      });
    for (const learnt of [{ en: "off" }, { ko: file }]) expect((await start({ learnt })).status).toBe(202);
    await until(() => !server.server.live.has(run));
  });

  it("only the owner's casts are played, by whatever door", async () => {
    const { post, store } = openTestServer();
    for (const cast of [
      "openai/gpt-5-mini",
      "person",
      "expert,judge=person",
      "recording/0000000-000000",
      "expert, expert",
    ]) {
      const { json } = await post("/api/runs", { pack: "question", text: "Is it?", cast });
      expect(json.code).toBe("bad_cast");
      expect(json.message).toContain("--allow-cast");
    }
    expect(await store.ids()).toEqual([]);
  });
});

describe("files", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-web-"));
  mkdirSync(join(folder, "web", "assets"), { recursive: true });
  writeFileSync(join(folder, "web", "index.html"), "<!doctype html><title>viewer</title>");
  writeFileSync(join(folder, "web", "assets", "app.js"), "export {};");
  writeFileSync(join(folder, "secret.txt"), "secret");
  const viewer = join(folder, "web");

  it("of the viewer are served, and its own addresses show its page", async () => {
    const { send } = openTestServer({ viewer });
    expect(await (await send("GET", "/", { token: null })).text()).toContain("viewer");
    expect(await (await send("GET", "/runs/0000000-000000")).text()).toContain("viewer");
    const script = await send("GET", "/assets/app.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  });

  it.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/assets/app.js%00.html",
    "/.env",
  ])("no address reaches another file: %s", async (path) => {
    const { send } = openTestServer({ viewer });
    const answer = await send("GET", path);
    expect(await answer.text()).not.toContain("secret\n");
    expect([200, 404]).toContain(answer.status);
    expect((await (await send("GET", path)).text()).includes("secret") && answer.status === 200).toBe(false);
  });
});

describe("keys", () => {
  it("never leave the process: not in an answer, not in the log", async () => {
    const env = { OPENAI_API_KEY: "sk-very-secret-key" };
    const server = openTestServer({ env, rules: { casts: ["openai/gpt-5-mini", "expert"] } });
    const texts: string[] = [];
    for (const path of ["/api/packs"]) texts.push(await (await server.send("GET", path)).text());
    expect([...texts, ...server.lines].join("\n")).not.toContain("sk-very-secret");
  });

  it("the log has no text of a case", async () => {
    const server = openTestServer();
    await runToEnd(server, { pack: "question", text: "Why did Zebulon vanish?" });
    await server.get("/api/runs?text=Zebulon");
    await server.post("/api/runs", { pack: "question", input: { question: "Zebulon", nonsense: 1 } });
    expect(server.lines.join("")).toContain('"event":"run ended"');
    expect(server.lines.join("")).not.toContain("Zebulon");
  });
});
