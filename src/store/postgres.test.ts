import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describePages } from "../../test/support/describe-pages.ts";
import { describeStore } from "../../test/support/describe-store.ts";
import { createRun } from "../../test/support/stored-run.ts";
import {
  postgresPrograms,
  runOn,
  sayWithoutPostgres,
  startPostgres,
  type TestPostgres,
} from "../../test/support/postgres.ts";
import { describeUpkeep } from "../../test/support/describe-upkeep.ts";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import { ParleyError } from "../contract/error.ts";
import type { Run } from "../contract/run.ts";
import { runDebate } from "../engine/run-debate.ts";
import { copyRun } from "../runs/proof.ts";
import { pickSealedFacts } from "../runs/start.ts";
import { leaseMs } from "./lease.ts";
import { memoryStore } from "./sqlite.ts";
import { sqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";
import { createUpkeep } from "./sql-upkeep.ts";
import { migrateStore, openPostgres, openStoreOn, postgresStore } from "./postgres.ts";
import { readAddress } from "./store.ts";
import { layoutVersion } from "./tables.ts";

if (postgresPrograms === null) sayWithoutPostgres();

describe.skipIf(postgresPrograms === null)("PostgreSQL", () => {
  let server: TestPostgres;
  let shared: string;
  const opened = new Map<Store, string>();
  const elsewhere = { pid: 7, started: "1", host: "elsewhere", place: "another boot" };

  const openAt = async (address: string, options = {}): Promise<Store> => {
    const store = await postgresStore(address, { waitMs: 120_000, ...options });
    opened.set(store, address);
    return store;
  };
  /** An empty store; one that was opened before is emptied, since that is quicker than laying out another. */
  const open = async (): Promise<Store> => {
    const { connection, schema } = readAddress(shared);
    const tables = ["run", "lease", "entry", "search", "block", "inbox", "session", "spend", "vector"].map(
      (name) => `${schema}.${name}`,
    );
    await runOn(connection, `TRUNCATE ${tables.join(", ")} RESTART IDENTITY`);
    return openAt(shared, { leaseMs });
  };
  const addressOf = (store: Store): string => opened.get(store) ?? "";

  beforeAll(async () => {
    server = await startPostgres();
    shared = server.newSchema();
    await migrateStore(shared);
  });
  afterAll(async () => {
    for (const store of opened.keys()) await store.close().catch(() => undefined);
    await server.stop();
  });

  describeStore("PostgreSQL", {
    open,
    async join(store, laterMs) {
      const address = addressOf(store);
      const { connection, schema } = readAddress(address);
      await runOn(connection, `UPDATE ${schema}.lease SET free_at = free_at - ${laterMs}`);
      await runOn(connection, `UPDATE ${schema}.inbox SET until = until - ${laterMs}`);
      return openAt(address, { self: elsewhere, leaseMs });
    },
  });

  describePages("PostgreSQL", open);

  describeUpkeep("a store in PostgreSQL", async () => {
    const store = await open();
    const { connection, schema } = readAddress(shared);
    const tables = ["run", "lease", "entry", "search", "inbox", "block"];
    return {
      use: (work) => work(store),
      upkeep: createUpkeep(openPostgres(shared, { waitMs: 120_000 })),
      readAll: async () => {
        const rows = await Promise.all(
          tables.map((name) => runOn(connection, `SELECT t::text FROM ${schema}.${name} t`)),
        );
        return JSON.stringify(rows);
      },
    };
  });

  it("a run that was erased or removed takes nothing more from whoever had it", async () => {
    const store = await open();
    const upkeep = createUpkeep(openPostgres(shared, { waitMs: 120_000 }));
    for (const id of ["r1", "r2"]) await store.create(createRun(id));
    const journals = await Promise.all(["r1", "r2"].map(async (id) => store.journal(id, await store.lock(id))));
    const { connection, schema } = readAddress(shared);
    await runOn(connection, `UPDATE ${schema}.lease SET free_at = free_at - 3600000`);
    await upkeep.erase(["r1"], "2026-11-15");
    await upkeep.remove(["r2"]);
    for (const journal of journals)
      await expect(journal.append({ kind: "begin", version: 1, manifestHash: "" }, [])).rejects.toMatchObject({
        code: "lost_lease",
      });
    await upkeep.close();
  });

  it("copies runs from and to another store, hash for hash, and leaves out what was changed", async () => {
    const [sqlite, postgres, memory] = [sqliteStore(":memory:"), await open(), memoryStore()];
    for (const id of ["r1", "r2"]) {
      await sqlite.create(createRun(id));
      const journal = await sqlite.journal(id, await sqlite.lock(id));
      const cast = () => playerOf(() => ({ value: 1 }), 3);
      const config = { rounds: 2, speakers: ["a", "b"] };
      const manifest = pickSealedFacts((await sqlite.get(id)) as Run);
      await runDebate({ pack: toyPack, input: { question: `안녕 ${id}?` }, config, cast, journal, manifest });
    }
    const copy = (from: Store, to: Store, id: string) => copyRun(from, to, id, new Set());
    expect(await copy(sqlite, postgres, "r1")).toBe("copied");
    expect(await copy(sqlite, postgres, "r1")).toBe("there already");
    expect(await copy(postgres, memory, "r1")).toBe("copied");
    expect(await memory.get("r1")).toEqual(await sqlite.get("r1"));
    const { entries } = await sqlite.journal("r1");
    expect((await memory.journal("r1")).entries).toEqual(entries);
    const asked = entries.map(({ body }) => body).find((body) => body.kind === "attempt");
    const prompt = async (store: Store) => (await store.journal("r1")).prompt(asked?.promptHash ?? "");
    expect(await prompt(memory)).toEqual(await prompt(sqlite));
    const { connection, schema } = readAddress(addressOf(postgres));
    await runOn(
      connection,
      `UPDATE ${schema}.entry SET body = replace(body, '"round":1', '"round":2') WHERE run = 'r1'`,
    );
    await expect(copy(postgres, memoryStore(), "r1")).rejects.toMatchObject({ code: "corrupt_store" });
    expect(await copyRun(sqlite, postgres, "r2", new Set(["r2"]))).toBe("being run");
    expect(await postgres.get("r2")).toBeNull();
  });

  it("opens again with what was committed", async () => {
    const first = await open();
    await first.create(createRun("r1"));
    await first.close();
    expect(await (await openAt(addressOf(first))).get("r1")).toMatchObject({ id: "r1" });
  });

  it("is refused as long as it is not laid out, and laid out once", async () => {
    const address = server.newSchema();
    await expect(openAt(address)).rejects.toMatchObject({
      code: "store_failed",
      message: expect.stringContaining("parley store init"),
    });
    const both = await Promise.all([migrateStore(address), migrateStore(address)]);
    expect(new Set(both.map(({ from }) => from))).toEqual(new Set([0, layoutVersion]));
    await expect(openAt(address)).resolves.toBeDefined();
  });

  it("of a newer Parley is refused", async () => {
    const address = server.newSchema();
    await migrateStore(address);
    const { connection, schema } = readAddress(address);
    await runOn(connection, `INSERT INTO ${schema}.layout (version) VALUES (99)`);
    await expect(openAt(address)).rejects.toMatchObject({ code: "corrupt_store" });
    await expect(migrateStore(address)).rejects.toMatchObject({ code: "corrupt_store" });
  });

  it("what was committed and not confirmed is not written again", async () => {
    await open();
    const database = openPostgres(shared, { waitMs: 120_000 });
    const { transaction } = database;
    let isLost = false;
    database.transaction = async (work) => {
      const value = await transaction.call(database, work);
      isLost = !isLost;
      if (isLost) throw new ParleyError("store_failed", "the connection was lost", { details: { mayPass: true } });
      return value as never;
    };
    const store = await openStoreOn(database);
    await store.create(createRun("r1"));
    await (await store.journal("r1")).append({ kind: "begin", version: 1, manifestHash: "" }, []);
    expect(await store.get("r1")).toMatchObject({ id: "r1", entryCount: 1 });
    await store.close();
  });

  it("waits while the server restarts, and neither loses nor repeats an entry", async () => {
    const store = await open();
    await store.create(createRun("r1"));
    const journal = await store.journal("r1", await store.lock("r1"));
    const appended: Promise<void>[] = [];
    const append = (n: number): void => {
      appended.push(journal.append({ kind: "begin", version: 1, manifestHash: `${n}` }, []));
    };
    for (let n = 0; n < 50; n += 1) append(n);
    const restarted = server.restart();
    for (let n = 50; n < 200; n += 1) {
      append(n);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([restarted, ...appended]);
    const { entries } = await store.journal("r1");
    expect(entries.map(({ body }) => body.kind === "begin" && body.manifestHash)).toEqual(
      Array.from({ length: 200 }, (_, n) => `${n}`),
    );
  });

  it("says what to do when there is nobody, no database or no right", async () => {
    const rejects = (address: string) => expect(openAt(address).then(() => "opened")).rejects;
    const { connection } = readAddress(server.newSchema());
    const away = new URL(connection);
    away.port = "1";
    await expect(postgresStore(away.href, { waitMs: 0 })).rejects.toMatchObject({
      code: "store_failed",
      details: { mayPass: true },
    });
    await rejects(connection.replace(/\/postgres$/, "/nowhere")).toMatchObject({ code: "bad_config" });
    await rejects("postgres://host").toMatchObject({ code: "bad_config" });
    await rejects("postgres://u:secret@host/db?schema=No;").toMatchObject({
      message: expect.not.stringContaining("secret"),
    });
  });

  it("keeps every character, and says so of the one that it cannot keep", async () => {
    const store = await open();
    const odd = "\u0000 \u{1F600} \uD800 ' \\ \n";
    const input = { question: odd };
    await store.create(createRun("r1", { manifest: { ...createRun("x").manifest, input } }));
    expect((await store.get("r1"))?.manifest.input).toEqual(input);
    await expect(store.create(createRun("r2", { caseId: "a\u0000b" }))).rejects.toMatchObject({ code: "store_failed" });
  });
});
