import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  openTestServer,
  readEvents,
  runToEnd,
  type SentEvent,
  type TestServer,
  until,
} from "../../../test/support/server.ts";
import { StreamEventSchema } from "../../contract/api/index.ts";
import { loadPack } from "../../packs/registry.ts";
import { castOfStrings } from "../../runs/cast.ts";
import { prepareRun, startRun } from "../../runs/start.ts";
import { fileUpkeep, sqliteStore } from "../../store/sqlite.ts";
import type { Store } from "../../store/store.ts";
import { RunTails } from "./run-tails.ts";

const text = "The coffee was cold but the barista was kind.";
const newFile = (): string => join(mkdtempSync(join(tmpdir(), "parley-events-")), "parley.db");
const follow = (server: TestServer, id: string, last?: string): Promise<Response> =>
  server.send("GET", `/api/runs/${id}/events`, last === undefined ? {} : { headers: { "last-event-id": last } });
const idsOf = (events: SentEvent[]): number[] => events.filter(({ id }) => id !== null).map(({ id }) => Number(id));
const isEnd = ({ event, data }: SentEvent): boolean => event === "status" && data.status === "finished";

/** A run that is stored and has not gone on yet. */
async function prepare(store: Store): Promise<string> {
  const pack = await loadPack("sentiment");
  return prepareRun({ store, castOf: castOfStrings(store) }, { pack, input: text, cast: "expert" });
}

describe("events", () => {
  it("that are durable have the journal's numbers, those that pass have none, and all have their shape", async () => {
    const server = openTestServer();
    const id = await prepare(server.store);
    const following = readEvents(await follow(server, id), isEnd);
    await server.post(`/api/runs/${id}/resume`);
    const events = await following;
    for (const { data } of events) expect(StreamEventSchema.safeParse(data).error?.issues).toBeUndefined();
    const { entryCount } = (await server.store.get(id)) ?? { entryCount: 0 };
    expect(idsOf(events)).toEqual(Array.from({ length: entryCount }, (_, n) => n));
    const passing = new Set(events.filter((one) => one.id === null).map(({ event }) => event));
    expect([...passing]).toEqual(expect.arrayContaining(["turn_started", "status"]));
    expect(events.filter(({ event }) => event === "end")).toHaveLength(1);
    expect(events.at(-1)?.data).toMatchObject({ type: "status", status: "finished", outcome: "decided", live: false });
  });

  it("of a run that was erased say so, one for each entry, and the stream ends", async () => {
    const file = newFile();
    const first = openTestServer({ store: sqliteStore(file) });
    const id = await runToEnd(first, { pack: "sentiment", text });
    const before = idsOf(await readEvents(await follow(first, id)));
    await first.close(0);
    await first.store.close();
    const upkeep = fileUpkeep(file);
    await upkeep.erase([id], "2026-11-15").finally(() => upkeep.close());
    const second = openTestServer({ store: sqliteStore(file) });
    const events = await readEvents(await follow(second, id));
    for (const { data } of events) expect(StreamEventSchema.safeParse(data).error?.issues).toBeUndefined();
    expect(idsOf(events)).toEqual(before);
    expect(new Set(events.filter((one) => one.id !== null).map(({ event }) => event))).toEqual(new Set(["erased"]));
    expect(JSON.stringify(events)).not.toContain("barista");
    await second.close(0);
    await second.store.close();
  });

  it("come once each to several followers, wherever they stopped, also after the server was started anew", async () => {
    const file = newFile();
    const first = openTestServer({ store: sqliteStore(file) });
    const id = await runToEnd(first, { pack: "sentiment", text });
    const all = idsOf(await readEvents(await follow(first, id)));
    await first.close(0);
    await first.store.close();
    const second = openTestServer({ store: sqliteStore(file) });
    await fc.assert(
      fc.asyncProperty(fc.nat(all.length - 2), async (last) => {
        const rest = idsOf(await readEvents(await follow(second, id, String(last))));
        expect([...all.slice(0, last + 1), ...rest]).toEqual(all);
      }),
      { numRuns: 20 },
    );
    await second.close(0);
  });

  it("reach a follower who comes and goes while the run goes on, without loss or repetition", async () => {
    const server = openTestServer();
    const id = await prepare(server.store);
    const seen: number[] = [];
    await server.post(`/api/runs/${id}/resume`);
    for (;;) {
      const response = await follow(server, id, seen.length === 0 ? undefined : String(seen.at(-1)));
      if (response.status === 204) break;
      seen.push(...idsOf(await readEvents(response, (event) => event.id !== null || isEnd(event))));
    }
    expect(seen).toEqual(seen.map((_, n) => n));
    expect(seen.length).toBe((await server.store.get(id))?.entryCount);
  });

  it("of one run never show another's: an id means nothing outside its run", async () => {
    const server = openTestServer();
    const a = await runToEnd(server, { pack: "sentiment", text });
    const b = await runToEnd(server, { pack: "question", text: "Is Zebulon here?" });
    const events = await readEvents(await follow(server, b, "0"));
    expect(JSON.stringify(events)).not.toContain("barista");
    const { entryCount } = (await server.store.get(a)) ?? { entryCount: 0 };
    for (const wrong of [String(entryCount), "-1", "1e1", "0x1", `${a}/1`, "abc"])
      expect((await follow(server, b, wrong)).status, wrong).toBe(400);
    expect((await server.send("GET", `/api/runs/${a}/events`, { token: null })).status).toBe(401);
  });

  it("of a run that another process plays are seen too", async () => {
    const store = sqliteStore(newFile());
    const server = openTestServer({ store });
    const id = await prepare(store);
    const following = readEvents(await follow(server, id), isEnd);
    const pack = await loadPack("sentiment");
    const { continueRun } = await import("../../runs/start.ts");
    await continueRun({ store, castOf: castOfStrings(store) }, pack, id);
    await server.tick();
    expect(idsOf(await following).length).toBe((await store.get(id))?.entryCount);
  });

  it("keep a connection awake, and end with a word when the server goes down", async () => {
    const server = openTestServer();
    const id = await prepare(server.store);
    const response = await follow(server, id);
    const reader = response.clone().body?.pipeThrough(new TextDecoderStream()).getReader();
    await until(() => server.server.tails.count() === 1);
    server.beat();
    let seen = "";
    while (!seen.includes(": still here")) seen += (await reader?.read())?.value ?? "";
    const following = readEvents(response);
    await server.close(0);
    expect((await following).at(-1)).toMatchObject({ event: "closing" });
  });

  it("are not kept for someone who does not read: what was said meanwhile comes in one piece", async () => {
    const store = sqliteStore(newFile());
    const id = await prepare(store);
    const tails = new RunTails({ store, isLive: () => true, blind: false });
    const key = { round: 1, step: "opening", role: "analyst" };
    tails.hear(id, { type: "turn_started", key, player: "expert" });
    const seen: SentEvent[] = [];
    const follower = await tails.follow(id, -1);
    const readUntil = async (type: string): Promise<void> => {
      while (seen.at(-1)?.event !== type) {
        const [, event = "", data = "null"] =
          /event: (.*)\ndata: (.*)/.exec(String((await follower.next()).value)) ?? [];
        seen.push({ id: null, event, data: JSON.parse(data) });
      }
    };
    await readUntil("status");
    for (let n = 0; n < 1_000; n += 1) tails.hear(id, { type: "text", key, text: `${n} ` });
    await readUntil("text");
    const texts = seen.filter(({ event }) => event === "text").map(({ data }) => String(data.text));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(/^0 1 2 .* 999 $/);
    tails.close();
    await readUntil("closing");
    expect(await follower.next()).toEqual({ done: true, value: undefined });
    expect(tails.count()).toBe(0);
  });

  it("come all, however few the store gives at a time, and the last before the stream ends", async () => {
    const kept = sqliteStore(newFile());
    const entriesAfter: Store["entriesAfter"] = (run, seq) => kept.entriesAfter(run, seq, 3);
    const server = openTestServer({ store: { ...kept, entriesAfter } });
    const id = await runToEnd(server, { pack: "sentiment", text });
    const { entryCount } = (await kept.get(id)) ?? { entryCount: 0 };
    expect(entryCount).toBeGreaterThan(3);
    expect(idsOf(await readEvents(await follow(server, id)))).toEqual(Array.from({ length: entryCount }, (_, n) => n));
    await server.close(0);
  });

  it("that come while a follower is busy are sent before its stream ends", async () => {
    const store = sqliteStore(newFile());
    const id = await prepare(store);
    const tails = new RunTails({ store, isLive: () => false, blind: false });
    const follower = await tails.follow(id, -1);
    let seen = "";
    while (!seen.includes("event: status")) seen += String((await follower.next()).value);
    const { continueRun } = await import("../../runs/start.ts");
    await continueRun({ store, castOf: castOfStrings(store) }, await loadPack("sentiment"), id);
    await tails.tell(id);
    for await (const part of follower) seen += part;
    expect(seen.match(/^id: /gm)).toHaveLength((await store.get(id))?.entryCount ?? -1);
    expect(seen).toContain('"status":"finished"');
  });

  it("of a blind review say who speaks, and nothing of what is said", async () => {
    const store = sqliteStore(newFile());
    const id = await prepare(store);
    const tails = new RunTails({ store, isLive: () => true, blind: true });
    const key = { round: 1, step: "opening", role: "analyst" };
    tails.hear(id, { type: "turn_started", key, player: "expert" });
    tails.hear(id, { type: "text", key, text: "guilty" });
    const follower = await tails.follow(id, -1);
    tails.close();
    let seen = "";
    for await (const part of follower) seen += part;
    expect(seen).toContain("event: turn_started");
    expect(seen).not.toContain("guilty");
  });

  it("are followed by so many and no more", async () => {
    const server = openTestServer({ rules: { maxFollowers: 2 } });
    const id = await prepare(server.store);
    for (const status of [200, 200, 429]) expect((await follow(server, id)).status).toBe(status);
    await server.close(0);
  });
});

describe("a run", () => {
  it("can be stopped and goes on when it is told to", async () => {
    const server = openTestServer({ rules: { maxRuns: 1 } });
    const body = { pack: "sentiment", text };
    const [first, second] = await Promise.all([server.post("/api/runs", body), server.post("/api/runs", body)]);
    expect((await server.post(`/api/runs/${second.json.id}/cancel`)).json).toEqual({ done: true });
    await until(() => !server.server.live.has(second.json.id) && !server.server.live.has(first.json.id));
    expect((await server.store.get(second.json.id))?.outcome).toBeNull();
    expect((await server.post(`/api/runs/${second.json.id}/cancel`)).status).toBe(409);
    expect((await server.post(`/api/runs/${second.json.id}/resume`)).status).toBe(202);
    await until(() => !server.server.live.has(second.json.id));
    expect((await server.store.get(second.json.id))?.outcome).toBe("decided");
    expect((await server.post(`/api/runs/${second.json.id}/resume`)).json.code).toBe("conflict");
  });

  it("of a server that died goes on in the next one, unless it brings servers down", async () => {
    const store = sqliteStore(newFile());
    const [good, bad, foreign] = [await prepare(store), await prepare(store), await prepare(store)];
    await store.recovery.note(good);
    for (let n = 0; n < 3; n += 1) await store.recovery.note(bad);
    const server = openTestServer({ store });
    expect(await server.resumeInterrupted(100)).toBe(1);
    await until(() => !server.server.live.has(good));
    expect((await store.get(good))?.outcome).toBe("decided");
    for (const id of [bad, foreign]) expect((await store.get(id))?.outcome).toBeNull();
    expect(await server.resumeInterrupted(100)).toBe(0);
    await server.close(0);
  });

  it("that another process still holds is tried again until its lease is over", async () => {
    const store = sqliteStore(newFile());
    const [id, other] = [await prepare(store), await prepare(store)];
    await store.recovery.note(id);
    const lease = await store.lock(id);
    const server = openTestServer({ store });
    expect(await server.resumeInterrupted(100)).toBe(1);
    await until(() => !server.server.live.has(id));
    expect((await store.get(id))?.outcome).toBeNull();
    // What is written before this is durable by then.
    await store.recovery.note(other);
    await store.recovery.forget(other);
    const noted = (await store.recovery.list()).map(({ run }) => run);
    expect(noted, "if this server dies too, the next one finds it").toEqual([id]);
    await lease.release();
    await until(async () => (await store.get(id))?.outcome === "decided");
    await server.close(0);
    expect(await store.recovery.list()).toEqual([]);
  });

  it("that is tried again when every place is taken waits for a place, and the server lives", async () => {
    const kept = sqliteStore(newFile());
    const [held, slow] = [await prepare(kept), await prepare(kept)];
    await kept.recovery.note(held);
    const lease = await kept.lock(held);
    const { promise: turn, resolve: letGo } = Promise.withResolvers<void>();
    const lock: Store["lock"] = (id, ...how) =>
      (id === slow ? turn : Promise.resolve()).then(() => kept.lock(id, ...how));
    const server = openTestServer({ store: { ...kept, lock }, rules: { maxRuns: 1, maxQueued: 0 } });
    await server.resumeInterrupted(100);
    await until(() => !server.server.live.has(held));
    expect((await server.post(`/api/runs/${slow}/resume`)).status).toBe(202);
    await lease.release();
    const retried = vi.spyOn(server.server.live, "resume");
    await until(() => retried.mock.results.some(({ type }) => type === "throw"));
    letGo();
    await until(async () => (await kept.get(held))?.outcome === "decided");
    await server.close(0);
  });

  it("that a server stops on its way down is parked, and taken up by the next", async () => {
    const store = sqliteStore(newFile());
    const server = openTestServer({ store, rules: { maxRuns: 1 } });
    const { json } = await server.post("/api/runs", { pack: "sentiment", text });
    await server.close(0);
    expect((await server.post("/api/runs", { pack: "sentiment", text })).json.code).toBe("shutting_down");
    const next = openTestServer({ store });
    const resumed = await next.resumeInterrupted(10);
    await until(() => !next.server.live.has(json.id));
    const run = await store.get(json.id);
    expect([run?.outcome, resumed <= 1]).toEqual(["decided", true]);
    await next.close(0);
  });

  it("that was started on the command line is in the list", async () => {
    const store = sqliteStore(newFile());
    const pack = await loadPack("question");
    const { runId } = await startRun(
      { store, castOf: castOfStrings(store) },
      { pack, input: { question: "Is it?" }, cast: "expert" },
    );
    const server = openTestServer({ store });
    expect((await server.get("/api/runs")).json.runs[0].id).toBe(runId);
    await server.close(0);
  });
});

describe("health", () => {
  it("is told to anyone; readiness ends before the server does", async () => {
    const server = openTestServer();
    expect((await server.send("GET", "/healthz", { token: null })).status).toBe(200);
    expect((await server.send("GET", "/readyz", { token: null })).status).toBe(200);
    server.setReady(false);
    expect((await server.send("GET", "/readyz", { token: null })).status).toBe(503);
  });
});
