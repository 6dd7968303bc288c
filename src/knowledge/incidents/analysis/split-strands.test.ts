import { describe, expect, test } from "vitest";
import { type ParsedLog, parseLines } from "../../logs/index.ts";
import { analyse } from "./analyse.ts";

const minute = 60_000;
const start = Date.UTC(2026, 3, 7, 2);

function writeLine(atMinute: number, program: string, message: string): string {
  const time = new Date(start + atMinute * minute).toISOString().slice(11, 19);
  return `Apr  7 ${time} vm12 ${program}[411]: ${message}`;
}

/** Two programs that work for three hours, each with trouble of its own from a minute on. */
function readTwo(second: { from: number; says: string }): Promise<ParsedLog> {
  const lines = Array.from({ length: 180 }, (_, at) => [
    writeLine(at, "backupd", `copied chunk ${at} of set nightly`),
    writeLine(at, "indexer", `indexed ${at} documents`),
    ...(at >= 90 ? [writeLine(at, "backupd", "read failed: Input/output error (/dev/sdc1)")] : []),
    ...(at >= second.from ? [writeLine(at, "indexer", second.says)] : []),
  ]).flat();
  return parseLines(lines, { name: "journal.log", budgetTokens: 40_000, nowMs: Date.UTC(2026, 11, 1) });
}

describe("trouble of several programs", () => {
  test("is separate when it begins at another time and neither names the other", async () => {
    const log = await readTwo({ from: 150, says: "error: batch dropped: KeyError: 'valid_until'" });
    const { strands, suspects } = analyse(log);
    expect(strands.list.map(({ programs }) => programs)).toEqual([["backupd"], ["indexer"]]);
    for (const { strand, explains } of suspects)
      for (const { lines } of explains) expect([strand, null]).toContain(strands.of({ lines }));
  });

  test.each([
    ["begins at the same time", { from: 91, says: "error: batch dropped: KeyError: 'valid_until'" }],
    ["names the other", { from: 150, says: "error: backupd does not answer: connection refused" }],
  ])("belongs together when one %s", async (_, second) => {
    expect(analyse(await readTwo(second)).strands.list).toHaveLength(1);
  });

  test("belongs together when a topology says that one calls the other", async () => {
    const log = await readTwo({ from: 150, says: "error: batch dropped: KeyError: 'valid_until'" });
    const known = { ...log, events: [...log.events], topology: [{ caller: "indexer", callee: "backupd" }] };
    expect(analyse(known).strands.list).toHaveLength(1);
  });
});
