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

describe("numbers are evidence", () => {
  it.each([
    ["grows without return", (at: number) => `INFO [cache] heap used ${at < 200 ? 100 : 100 + (at - 200) * 5} MB`],
    ["steps and stays", (at: number) => `INFO [store] query took ${at < 390 ? 16 + (at % 3) : 1450 + (at % 7)} ms`],
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

  it.each([
    ["a counter from the first line to the last", (at: number) => `INFO [store] wrote batch ${at / 10}`],
    ["a sequence number", (at: number) => `INFO [store] committed offset ${1000 + at}`],
    ["a zero", () => "INFO [smartd] 0 unreadable sectors on sda"],
  ])("%s is none", async (_name, text) => {
    const { suspects, calm: calmness } = await read([...calm, ...range(0, 600, 10, text)]);
    expect(suspects.filter(({ strength }) => strength >= 0.3)).toEqual([]);
    expect(calmness).toBeGreaterThan(0.7);
  });
});

describe("order, not loudness", () => {
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
    expect((await read([...calm, ...steady])).calm).toBeGreaterThan(0.7);
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
