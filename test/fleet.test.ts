import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { budgetOfBatch, withBudgets } from "../src/runs/budgets.ts";
import { dayBudget } from "../src/store/store.ts";
import { migrateFleet, type Fleet, openFleet } from "../src/fleet/fleet.ts";
import { runWorker } from "../src/fleet/run-worker.ts";
import { loadPack } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { prepareRun } from "../src/runs/start.ts";
import { cliCommand, newFolder, runCli } from "./support/cli.ts";
import { postgresPrograms, sayWithoutPostgres, startPostgres, type TestPostgres } from "./support/postgres.ts";
import { openTestServer, until } from "./support/server.ts";

if (postgresPrograms === null) sayWithoutPostgres();

const sentence = { text: "The food was great but the service was slow." };

describe.skipIf(postgresPrograms === null)("a fleet", () => {
  let server: TestPostgres;
  let address: string;
  let fleet: Fleet;
  beforeAll(async () => {
    server = await startPostgres();
    address = await server.newDatabase();
    await migrateFleet(address);
    fleet = await openFleet(address, { supervise: true });
  });
  afterAll(async () => {
    await fleet.close();
    await server.stop();
  });

  /** Works until it is told to stop; tells in which order runs were played. */
  const startWorker = (concurrency = 2) => {
    const stop = new AbortController();
    const played: string[] = [];
    const { store, queue, budgets } = fleet;
    const done = runWorker({
      store,
      queue,
      castFor: ({ batch }) =>
        withBudgets(castOfStrings(store), [budgets.level([dayBudget, budgetOfBatch(batch ?? "")])]),
      packs: ["sentiment", "question"],
      concurrency,
      signal: stop.signal,
      graceMs: 100,
      onEvent: (event, run) => void (event.type === "ended" && played.push(run.id)),
    });
    const end = async (): Promise<void> => {
      stop.abort();
      await done;
    };
    return { end, played };
  };
  const prepare = async (text: string, cast = "expert", batch: string | null = null) =>
    prepareRun(
      { store: fleet.store, castOf: castOfStrings(fleet.store) },
      { pack: await loadPack("sentiment"), input: { text }, cast, batch },
    );
  const enqueue = async (text: string, options = {}) => {
    const id = await prepare(text);
    await fleet.queue.enqueue({ id, pack: "sentiment" }, options);
    return id;
  };
  const ended = (id: string) => until(async () => (await fleet.store.get(id))?.status === "finished");

  it("delivers a run once, however often it is put into the queue, and hears of its end", async () => {
    const worker = startWorker();
    const id = await prepare("Good coffee.");
    const { play } = fleet.workers();
    const both = await Promise.all([play(id, {}), play(id, {})]).catch((error: unknown) => [error]);
    expect(both[0]).toMatchObject({ runId: id, finished: { result: { outcome: "decided" } } });
    await worker.end();
    expect(worker.played).toEqual([id]);
  });

  it("gives up what no worker can play, with the reason, and queues it again when it is told to", async () => {
    const worker = startWorker();
    const id = await prepare("Good coffee.", "expert");
    await fleet.database.query(
      'UPDATE run SET manifest = replace(manifest, \'"cast":"expert"\', \'"cast":"nobody/x"\') WHERE id = $1',
      [id],
    );
    await expect(fleet.workers().play(id, {})).rejects.toMatchObject({
      message: expect.stringContaining("given up"),
    });
    expect(await fleet.queue.listDead([id])).toMatchObject([{ run: id, pack: "sentiment" }]);
    await fleet.database.query("UPDATE run SET manifest = replace(manifest, 'nobody/x', 'expert') WHERE id = $1", [id]);
    const ran = await runCli(["store", "fleet", "retry", "--store", address]);
    expect(ran.out).toBe("1 run put into the queue.\n");
    await ended(id);
    expect(await fleet.queue.listDead()).toEqual([]);
    await worker.end();
  });

  it("takes a run out of the queue when it is cancelled", async () => {
    const id = await enqueue("Cancelled.");
    const ran = await runCli(["store", "fleet", "cancel", id, "--store", address]);
    expect(ran.out).toContain("1 run taken out");
    expect((await runCli(["store", "fleet", "cancel", id, "--store", address])).code).toBe(2);
    const worker = startWorker();
    await ended(await enqueue("After it."));
    await worker.end();
    expect((await fleet.store.get(id))?.status).toBe("running");
  });

  it("says of a run that was cancelled that it was, to whoever waits for it and to a batch", async () => {
    const id = await prepare("Cancelled while somebody waits.");
    const waiting = fleet.workers().play(id, {});
    await until(async () => (await fleet.queue.cancel([{ id, pack: "sentiment" }])).length > 0);
    await expect(waiting).rejects.toMatchObject({
      code: "cancelled",
      message: `run ${id} was cancelled before it ended; parley store fleet retry ${id} queues it again`,
    });
    const cwd = newFolder();
    writeFileSync(join(cwd, "cases.jsonl"), `${JSON.stringify({ id: "c", text: "Cancelled in a batch." })}\n`);
    const args = ["run", "sentiment", "--input", "cases.jsonl", "--batch", "stopped", "--fleet", "--quiet"];
    const batch = runCli(args, { cwd, env: { PARLEY_STORE: address } });
    await until(async () => (await runCli(["store", "fleet", "cancel", "stopped", "--store", address])).code === 0);
    expect((await batch).out).toContain("was cancelled before it ended");
  });

  it("takes an answer of the terminal and leaves the rest to a worker", async () => {
    const cast = "expert,validator=person";
    const worker = startWorker();
    const id = await prepare("The soup was cold and the bread was warm.", cast);
    await expect(fleet.workers().play(id, {})).rejects.toMatchObject({ code: "parked" });
    expect((await runCli(["review", "--store", address])).out).toContain(id);
    const claim = { reviewer: "ada", leaseMs: 60_000 };
    expect(await fleet.store.inbox.claim(id, claim, "")).not.toBeNull();
    const args = ["review", id, "--answer", "null", "--store", address];
    expect((await runCli([...args, "--reviewer", "ben"])).err).toContain("ada is reviewing");
    for (let turns = 0; turns < 5 && (await fleet.store.get(id))?.status === "waiting"; turns += 1) {
      const ran = await runCli([...args, "--reviewer", "ada"]);
      expect(ran.out + ran.err).toMatch(/continues with a worker|waits for/);
      await until(async () => (await fleet.queue.listOpen([id])).size === 0);
    }
    expect((await fleet.store.get(id))?.status).toBe("finished");
    expect(worker.played).toContain(id);
    await worker.end();
  });

  it("holds nothing while a person thinks, and goes on with a worker when the answer is there", async () => {
    const cast = "expert,validator=person";
    const web = openTestServer({ store: fleet.store, fleet, folder: newFolder(), rules: { casts: ["expert", cast] } });
    const worker = startWorker();
    const started = await web.post("/api/runs", { pack: "sentiment", input: sentence, cast });
    expect(started.status).toBe(202);
    const { id } = started.json;
    const settled = () => until(async () => (await fleet.queue.listOpen([id])).size === 0);
    await until(async () => (await fleet.store.get(id))?.status === "waiting");
    await settled();
    expect(await fleet.store.held()).toEqual([]);
    for (let turns = 0; turns < 5 && (await fleet.store.get(id))?.status === "waiting"; turns += 1) {
      const said = await web.post(`/api/reviews/${id}/answer`, { reviewer: "Ana", reply: null });
      expect(said.json).toMatchObject({ state: "resumed" });
      await settled();
    }
    expect((await fleet.store.get(id))?.status).toBe("finished");
    expect(worker.played).toContain(id);
    await worker.end();
    await web.close(0);
  });

  it("shows its state", async () => {
    const web = openTestServer({ store: fleet.store, fleet, folder: newFolder() });
    const id = await enqueue("Waiting.");
    const state = JSON.parse((await runCli(["store", "fleet", "--json", "--store", address])).out);
    expect(state).toMatchObject({
      workers: [],
      deadCount: 0,
      queues: [{ pack: "sentiment", ready: 1, playing: 0 }],
    });
    const shown = await runCli(["store", "fleet", "--store", address]);
    expect(shown.out).toContain("No worker is active; 1 waiting");
    expect((await web.post(`/api/runs/${id}/cancel`)).json).toEqual({ done: true });
    await web.close(0);
  });

  it("runs a study as one machine does, inside its budget", async () => {
    const folder = newFolder();
    const data = Array.from({ length: 6 }, (_, n) => JSON.stringify({ id: `c${n}`, ...sentence, gold: [] }));
    writeFileSync(join(folder, "data.jsonl"), data.join("\n"));
    const worker = startWorker(4);
    const args = ["study", "run", "abl_no_debate", "--limit", "4", "--json", "--quiet"];
    const env = { PARLEY_STORE: address };
    const shared = await runCli([...args, "--fleet", "--out", join(folder, "a")], { env, cwd: folder });
    const alone = await runCli([...args, "--out", join(folder, "b")], { cwd: folder });
    await worker.end();
    expect(shared.code, shared.err).toBe(alone.code);
    expect(JSON.parse(shared.out).verdict).toEqual(JSON.parse(alone.out).verdict);
  });

  it("that is given no shared store, or one that is not laid out, says what to do", async () => {
    const none = await runCli(["worker"]);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("--store postgres://") });
    const bare = await runCli(["store", "fleet", "--store", await server.newDatabase()]);
    expect(bare.err).toContain("parley store init");
  });
});

it("nothing of PostgreSQL is loaded for a run without it", () => {
  const [node = "", ...args] = cliCommand;
  const { stderr, status } = spawnSync(node, [...args, "sentiment", "Good food.", "--quiet", "--store", newFolder()], {
    env: { ...process.env, NODE_DEBUG: "esm,module" },
    maxBuffer: 2 ** 28,
  });
  expect(status).toBe(0);
  const loaded = new Set(stderr.toString().match(/node_modules\/[\w@.-]+/g));
  expect(stderr.toString()).toMatch(/\/(?:src\/cli\/main\.ts|dist\/cli\.js)/);
  expect([...loaded].filter((name) => /\/(pg|pg-boss)$/.test(name))).toEqual([]);
});
