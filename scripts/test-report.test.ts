import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countTests, joinTries, listFailedFiles, type Outcome, readReport, describeFailures } from "./test-report.ts";

type Results = Record<string, string>;

/** A report as Vitest writes it, of files with tests and how each ended. */
function report(files: Record<string, Results>, isGood: boolean): Outcome {
  const file = join(mkdtempSync(join(tmpdir(), "parley-report-")), "tests.json");
  const testResults = Object.entries(files).map(([name, results]) => ({
    name: `/root/${name}`,
    status: Object.values(results).includes("failed") || Object.keys(results).length === 0 ? "failed" : "passed",
    message: "no such module",
    assertionResults: Object.entries(results).map(([fullName, status]) => ({
      fullName,
      status,
      failureMessages: status === "failed" ? ["expected 1 to be 2\n    at line 7"] : [],
    })),
  }));
  writeFileSync(file, JSON.stringify({ testResults }));
  return readReport({ file, root: "/root", isGood });
}

describe("what a run of the tests found", () => {
  it("counts, and names each failure with the first line of its message", () => {
    const outcome = report({ "a.test.ts": { one: "passed", two: "failed", three: "pending" } }, false);
    expect(countTests(outcome)).toEqual({ passed: 1, failed: 1, skipped: 1 });
    expect(describeFailures(outcome)).toEqual(["failed: a.test.ts: two: expected 1 to be 2"]);
  });

  it("takes a file that cannot be read for a failure", () => {
    const outcome = report({ "a.test.ts": {} }, false);
    expect(countTests(outcome).failed).toBe(1);
    expect(describeFailures(outcome)).toEqual(["failed: a.test.ts: the whole file: no such module"]);
  });

  it("takes a run that ends badly without a failed test, or without a report, for a failure", () => {
    expect(countTests(report({ "a.test.ts": { one: "passed" } }, false))).toMatchObject({ passed: 1, failed: 1 });
    expect(countTests(readReport({ file: "/nowhere", root: "/", isGood: false })).failed).toBe(1);
  });

  it("counts what passes only alone as failed, and names it", () => {
    const first = report({ "a.test.ts": { one: "failed", two: "failed" }, "b.test.ts": { three: "passed" } }, false);
    expect(listFailedFiles(first)).toEqual(["a.test.ts"]);
    const both = joinTries(first, report({ "a.test.ts": { one: "passed", two: "failed" } }, false));
    expect(countTests(both)).toEqual({ passed: 1, failed: 2, skipped: 0 });
    expect(describeFailures(both)).toEqual([
      "failed beside others, passed alone: a.test.ts: one",
      "failed: a.test.ts: two: expected 1 to be 2",
    ]);
  });

  it("lets nothing through when the second try itself breaks", () => {
    const first = report({ "a.test.ts": { one: "failed" } }, false);
    const broken = readReport({ file: "/nowhere", root: "/root", isGood: false });
    expect(countTests(joinTries(first, broken)).failed).toBeGreaterThan(0);
  });
});
