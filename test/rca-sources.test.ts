import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const examples = new URL("../examples/incidents/", import.meta.url);
const time = (at: number) => new Date(Date.UTC(2026, 2, 4, 9, 0, at)).toISOString();
type Printed = {
  final_hypothesis: { hypothesis: string; category: string; affected_components: string[]; certainty: string };
  rounds: unknown[];
};

async function decide(cwd: string, ...args: string[]): Promise<Printed["final_hypothesis"]> {
  const { code, out, err } = await runCli(["rca", ...args, "--json", "--quiet"], { cwd });
  expect([code, err]).toEqual([0, ""]);
  return (JSON.parse(out) as Printed).final_hypothesis;
}

describe("traces", () => {
  it("traces among the inputs name the service that became slow, and its span is the evidence", async () => {
    const cwd = newFolder();
    for (const name of ["store.jsonl", "traces.json"])
      copyFileSync(new URL(`fifth/w06-traces/${name}`, examples), join(cwd, name));
    const { hypothesis, affected_components } = await decide(cwd, "store.jsonl", "traces.json");
    expect(affected_components[0]).toBe("geo");
    expect(hypothesis).toMatch(/has become slow: calls from delivery take 4\d{3} ms, \d+ ms before/);
  });
});

it("--reference shows what no line says: a message that a healthy run prints and this one lacks", async () => {
  const cwd = newFolder();
  const write = (stores: boolean) =>
    Array.from({ length: 200 }, (_, at) => [
      `${time(at)} INFO [orders] accepted order ${at}`,
      `${time(at)} INFO [orders] reserved stock for order ${at}`,
      ...(stores ? [`${time(at)} INFO [orders] stored order ${at}`] : []),
    ]).flat();
  writeFileSync(join(cwd, "good.log"), write(true).join("\n"));
  writeFileSync(join(cwd, "bad.log"), write(false).join("\n"));
  expect((await decide(cwd, "bad.log")).category).toBe("none");
  const compared = await decide(cwd, "bad.log", "--reference", "good.log");
  expect(compared.hypothesis).toContain("stored order <*>");
});

it("a line of JSON is quoted by what it says, and each record of an OTLP export by its own text", async () => {
  const cwd = newFolder();
  const nano = (at: number) => `${Date.UTC(2026, 2, 4, 9, 0, at)}000000`;
  const record = (at: number, severityNumber: number, text: string) => ({
    timeUnixNano: nano(at),
    severityNumber,
    body: { stringValue: text },
  });
  const logRecords = [
    ...Array.from({ length: 30 }, (_, at) => record(at, 9, `synced pod web-${at}`)),
    record(40, 17, "pull of registry.example/cart:2.4.1 failed: manifest unknown"),
    ...Array.from({ length: 20 }, (_, at) => record(45 + 5 * at, 17, "cart-7d9f-x1: ImagePullBackOff")),
  ];
  const resource = { attributes: [{ key: "service.name", value: { stringValue: "kubelet" } }] };
  const whole = { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] };
  writeFileSync(join(cwd, "line.json"), JSON.stringify(whole));
  writeFileSync(join(cwd, "pretty.json"), JSON.stringify(whole, null, 2));
  for (const name of ["line.json", "pretty.json"])
    expect(await decide(cwd, name), name).toMatchObject({
      certainty: "confirmed",
      evidence: expect.arrayContaining([
        expect.objectContaining({ quote: "pull of registry.example/cart:2.4.1 failed: manifest unknown" }),
      ]),
    });
});
