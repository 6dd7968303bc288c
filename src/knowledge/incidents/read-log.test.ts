import { describe, expect, it } from "vitest";
import { parseLines } from "../logs/index.ts";
import { readLog } from "./index.ts";

const time = (second: number) => new Date(Date.UTC(2026, 3, 2, 14, 0, second)).toISOString();
const range = (from: number, to: number, every: number, text: (at: number) => string) =>
  Array.from({ length: Math.ceil((to - from) / every) }, (_, index) => {
    const at = from + index * every;
    return [at, text(at)] as const;
  });
const calm = range(0, 600, 5, (at) => `INFO [checkout] served page ${at}`);
const failing = range(400, 600, 4, (at) => `ERROR [checkout] page ${at} failed`);

async function read(rows: readonly (readonly [number, string])[]) {
  const lines = rows.toSorted(([a], [b]) => a - b).map(([at, text]) => `${time(at)} ${text}`);
  return readLog(await parseLines(lines));
}

it("errors that fill the whole window are never calm", async () => {
  const ordinary = await read(calm);
  const cut = await read([...calm, ...range(0, 600, 6, (at) => `ERROR [checkout] page ${at} failed`)]);
  expect(ordinary.calm).toBeGreaterThan(0.5);
  expect(cut.calm).toBeLessThanOrEqual(0.15);
  const pages = range(0, 600, 1, (at) => `INFO [checkout] served page ${at}`);
  const mail = (level: string, says: string) => range(0, 600, 10, (at) => `${level} [mail] letter ${at} ${says}`);
  const errors = mail("ERROR", "was not sent");
  expect((await read([...pages, ...errors])).calm).toBeGreaterThan(0.5);
  expect((await read([...pages, ...mail("INFO", "sent"), ...errors])).calm).toBeLessThanOrEqual(0.15);
});

it("a few quiet lines show nothing either way", async () => {
  expect((await read(calm.slice(0, 1))).calm).toBeLessThan(0.1);
  expect((await read(calm.slice(0, 5))).calm).toBeLessThan(0.3);
});

describe("numbers are evidence", () => {
  it.each([
    ["grows without return", (at: number) => `INFO [cache] heap used ${at < 200 ? 100 : 100 + (at - 200) * 5} MB`],
    ["steps and stays", (at: number) => `INFO [store] segments merged ${at < 390 ? 16 + (at % 3) : 1450 + (at % 7)}`],
    [
      "reaches the limit of its line",
      (at: number) => `INFO [pool] connections in use ${Math.min(50, Math.floor(at / 8))} of 50`,
    ],
    ["leaves zero", (at: number) => `INFO [raid] pending sectors ${at < 300 ? 0 : at - 290}`],
    ["falls to zero", (at: number) => `INFO [broker] consumers ${at < 390 ? 4 : 0}`],
  ])("a number that %s before the errors is the first suspect", async (_name, text) => {
    const { suspects } = await read([...calm, ...failing, ...range(0, 600, 10, text)]);
    expect(suspects[0]).toMatchObject({ kind: "numbers", role: "cause" });
  });

  it("a latency that steps and stays is the first suspect, and an effect", async () => {
    const took = (at: number) => `INFO [store] query took ${at < 390 ? 16 + (at % 3) : 1450 + (at % 7)} ms`;
    const { suspects } = await read([...calm, ...failing, ...range(0, 600, 10, took)]);
    expect(suspects[0]).toMatchObject({ kind: "numbers", role: "symptom" });
  });

  it.each([
    ["a counter from the first line to the last", (at: number) => `INFO [store] wrote batch ${at / 10}`],
    ["a sequence number", (at: number) => `INFO [store] committed offset ${1000 + at}`],
    ["a zero", () => "INFO [smartd] 0 unreadable sectors on sda"],
  ])("%s is none", async (_name, text) => {
    const { suspects, calm: calmness } = await read([...calm, ...range(0, 600, 10, text)]);
    expect(suspects.filter(({ strength }) => strength >= 0.3)).toEqual([]);
    expect(calmness).toBeGreaterThan(0.55);
  });
});

describe("what a number is about", () => {
  it("of several disks in one kind of message the one whose errors rise is named", async () => {
    const disks = ["sda", "sdb", "sdc"].flatMap((disk) =>
      range(
        0,
        600,
        20,
        (at) => `INFO [smartd] device /dev/${disk} crc errors ${disk === "sdc" && at > 250 ? at - 250 : 0}`,
      ),
    );
    const [first] = (await read([...calm, ...failing, ...disks])).suspects;
    expect(first).toMatchObject({
      kind: "numbers",
      words: expect.stringMatching(/\/dev\/sdc .*crc errors rises from zero/),
    });
  });

  it("growth that ends in a restart is growth", async () => {
    const heap = range(0, 600, 10, (at) => `INFO [catalog] heap used ${at < 480 ? 100 + 3 * at : 100} MB`);
    const killed = range(480, 500, 5, (at) => `ERROR [gateway] request ${at} refused by catalog`);
    const { suspects } = await read([...calm, ...heap, ...killed]);
    expect(suspects[0]).toMatchObject({ place: "catalog", words: expect.stringContaining("before it starts over") });
  });
});

describe("order, not loudness", () => {
  it("what was new before the trouble is told with what came before it, and both are cited", async () => {
    const { suspects } = await read([
      ...calm,
      ...failing,
      [390, "INFO [bgp] neighbor 192.0.2.1 sent 1001 prefixes, closing the session"],
      [395, "INFO [zebra] default route via 192.0.2.1 removed"],
    ]);
    const [first] = suspects;
    expect(`${first?.after} ${first?.words} ${first?.follows}`).toMatch(/sent 1001 prefixes.*default route/);
    expect(first?.context.length).toBeGreaterThan(0);
  });

  it("the quiet warning that names what fails goes before what shouts", async () => {
    const { suspects } = await read([
      ...calm,
      ...failing,
      [398, "WARN [limits] quota of checkout lowered from 100 to 2"],
    ]);
    expect(suspects[0]).toMatchObject({ place: "limits" });
  });

  it("of like components the one that falls silent is named", async () => {
    const shard = (name: string, to: number) => range(0, to, 5, (at) => `INFO [${name}] lease renewed, ${at} due`);
    const rows = [...shard("north", 600), ...shard("south", 600), ...shard("east", 600), ...shard("west", 250)];
    const { suspects } = await read(rows);
    expect(suspects[0]).toMatchObject({ kind: "silence", place: "west" });
  });
});

describe("how calm a log is", () => {
  it("errors that were there from the beginning and state a cause are no routine", async () => {
    const steady = range(0, 600, 20, (at) => `ERROR [db] write ${at} failed: No space left on device`);
    const { suspects, calm: calmness } = await read([...calm, ...steady]);
    expect(suspects[0]).toMatchObject({ category: "resource", role: "cause" });
    expect(calmness).toBeLessThan(0.5);
  });

  it("an unsigned warning that runs through all of the log is", async () => {
    const steady = range(0, 600, 20, (at) => `WARN [checkout] cookie ${at} of an old session ignored`);
    expect((await read([...calm, ...steady])).calm).toBeGreaterThan(0.55);
  });
});

describe("trouble that is none", () => {
  it.each([
    ["passed long before the end", [[200, "ERROR [checkout] session 8812 closed during restart"] as const]],
    [
      "was put right each time",
      range(100, 200, 10, () => "ERROR [checkout] read from replica failed").flatMap(([at, text]) => [
        [at, text] as const,
        [at + 1, "INFO [checkout] read served by primary"] as const,
      ]),
    ],
  ])("trouble that %s", async (_name, rows) => {
    expect((await read([...calm, ...rows])).calm).toBeGreaterThan(0.55);
  });

  it("a new warning that goes on is some", async () => {
    const warned = range(300, 600, 10, (at) => `WARN [checkout] queue of checkout waits ${at % 7} s`);
    expect((await read([...calm, ...warned])).calm).toBeLessThan(0.3);
  });
});

describe("the first cause, not its echo", () => {
  const unknown = 'Failed to pull image "shop:2.9.1": manifest unknown';
  const kubernetes = (at: number, reason: string, message: string, type = "Warning") =>
    JSON.stringify({ type, reason, message, lastTimestamp: time(at), involvedObject: { kind: "Pod", name: "shop-0" } });
  const otlp = (at: number, severityNumber: number, text: string) => {
    const attributes = [{ key: "service.name", value: { stringValue: "shop" } }];
    const record = { timeUnixNano: `${Date.parse(time(at))}000000`, severityNumber, body: { stringValue: text } };
    return JSON.stringify({ resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords: [record] }] }] });
  };
  const echoes = Array.from({ length: 20 }, (_, index) => 150 + 15 * index);

  it.each([
    [
      "Kubernetes",
      [
        ...calm.map(([at]) => kubernetes(at / 5, "Pulled", "image already present", "Normal")),
        kubernetes(130, "Failed", unknown),
        ...echoes.flatMap((at) => [
          kubernetes(at, "BackOff", 'Back-off pulling image "shop:2.9.1"'),
          kubernetes(at + 1, "Failed", "Error: ImagePullBackOff"),
        ]),
      ],
    ],
    [
      "OpenTelemetry",
      [
        ...calm.map(([at]) => otlp(at / 5, 9, `added item ${at}`)),
        otlp(130, 13, unknown),
        ...echoes.map((at) => otlp(at, 17, "Error syncing pod: ImagePullBackOff")),
      ],
    ],
  ])("%s: manifest unknown goes before ImagePullBackOff", async (_name, lines) => {
    const [first] = readLog(await parseLines(lines)).suspects;
    expect(first).toMatchObject({ role: "cause", words: expect.stringContaining("manifest unknown") });
  });
});

describe("what is no fault", () => {
  const work = range(0, 600, 4, (at) => `INFO [checkout] served page ${at}`);
  const failover = [
    ...range(240, 300, 5, (at) => `ERROR [db-2] connection to db-1 refused, attempt ${at}`),
    [232, "WARN [db-2] primary db-1 lost"],
  ] as const;

  it("trouble that someone ordered, and that ends with it while the work goes on", async () => {
    const ordered = [[230, "INFO [ops] planned failover begins: db-1 will be stopped"]] as const;
    const alone = await read([...work, ...failover]);
    const drill = await read([...work, ...failover, ...ordered]);
    expect(drill.calm).toBeGreaterThan(alone.calm + 0.05);
    expect(drill.calm).toBeGreaterThan(drill.suspects[0]?.strength ?? 1);
  });

  it("ordered work after which the trouble stays is none of it", async () => {
    const lasting = range(240, 600, 5, (at) => `ERROR [db-2] connection to db-1 refused, attempt ${at}`);
    const { calm: calmness, suspects } = await read([
      ...work,
      ...lasting,
      [230, "INFO [ops] planned failover begins: db-1 will be stopped"],
    ]);
    expect(calmness).toBeLessThan(suspects[0]?.strength ?? 0);
  });

  it("what is put right each time, unless something has stopped or changed meanwhile", async () => {
    const times = [250, 260, 280, 300, 330, 350, 370, 410, 420, 450, 470, 500, 530, 560, 580];
    const limited = times.map((at) => [at, `WARN [crawler] 429 too many requests from shop, waiting`] as const);
    const fetched = times.map((at) => [at + 5, `INFO [crawler] second attempt for shop fetched`] as const);
    const mended = await read([...work, ...limited, ...fetched]);
    expect(mended.calm).toBeGreaterThan(mended.suspects[0]?.strength ?? 0);
    const failed = times.map((at) => [at, `ERROR [crawler] could not read shop, KeyError: price`] as const);
    const off = times.map((at) => [at + 5, `INFO [crawler] shop is put off`] as const);
    expect((await read([...work, ...failed, ...off])).calm).toBeLessThan(mended.calm);
    const backlog = range(
      0,
      600,
      10,
      (at) => `INFO [crawler] frontier holds ${at < 300 ? 40 : 40 + 9 * (at - 300)} pages`,
    );
    const growing = await read([...work, ...limited, ...fetched, ...backlog]);
    expect(growing.calm).toBeLessThan(mended.calm);
  });
});

it("a number that shows how long work waits gives way to one that shows why", async () => {
  const disk = range(0, 600, 10, (at) => `INFO [smartd] crc errors on sdc ${at < 300 ? 0 : at - 290}`);
  const slow = range(0, 600, 10, (at) => `INFO [store] commit took ${at < 300 ? 16 + (at % 3) : 1450 + (at % 7)} ms`);
  const { suspects } = await read([...calm, ...failing, ...disk, ...slow]);
  expect(suspects[0]).toMatchObject({ place: "smartd" });
  expect((await read([...calm, ...failing, ...slow])).suspects[0]).toMatchObject({ place: "store" });
});
