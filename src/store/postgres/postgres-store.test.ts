import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRun, describeStore } from "../../../test/support/describe-store.ts";
import {
  postgresPrograms,
  runOn,
  sayWithoutPostgres,
  startPostgres,
  type TestPostgres,
} from "../../../test/support/postgres.ts";
import { leaseMs } from "../lease.ts";
import type { Store } from "../store.ts";
import { readAddress } from "./address.ts";
import { type Database, openDatabase } from "./database.ts";
import { layoutVersion, migrateStore } from "./layout.ts";
import { postgresStore } from "./postgres-store.ts";

if (postgresPrograms === null) sayWithoutPostgres();

describe.skipIf(postgresPrograms === null)("PostgreSQL", () => {
  let server: TestPostgres;
  const opened = new Map<Store, { address: string; database: Database }>();
  const elsewhere = { pid: 7, started: "1", host: "elsewhere", place: "another boot" };

  const openAt = async (address: string, options = {}): Promise<Store> => {
    const database = openDatabase(address, { waitMs: 5_000 });
    const store = await postgresStore(database, options);
    opened.set(store, { address, database });
    return store;
  };
  const open = async (): Promise<Store> => {
    const address = server.newSchema();
    await migrateStore(address);
    return openAt(address, { leaseMs });
  };
  const addressOf = (store: Store): string => opened.get(store)?.address ?? "";

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    for (const [store, { database }] of opened) {
      await store.close().catch(() => undefined);
      await database.close().catch(() => undefined);
    }
    await server.stop();
  });

  describeStore("PostgreSQL", {
    open,
    async join(store, laterMs) {
      const address = addressOf(store);
      const { connection, schema } = readAddress(address);
      await runOn(connection, `UPDATE ${schema}.holders SET until = until - interval '${laterMs} milliseconds'`);
      return openAt(address, { self: elsewhere });
    },
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
      message: expect.stringContaining("parley store migrate"),
    });
    const both = await Promise.all([migrateStore(address), migrateStore(address)]);
    expect(both.map(({ from }) => from).toSorted()).toEqual([0, layoutVersion]);
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
    const impatient = openDatabase(away.href, { waitMs: 0 });
    await expect(postgresStore(impatient)).rejects.toMatchObject({ code: "store_failed", details: { mayPass: true } });
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
