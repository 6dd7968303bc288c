/** What a run of the tests found, by file: read from Vitest's report, joined with a second try, told in lines. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

export type Counts = { passed: number; failed: number; skipped: number };
type Failure = { name: string; message: string };
type FileResult = { passed: number; skipped: number; failures: Failure[] };
export type Outcome = {
  files: Record<string, FileResult>;
  /** The run ended badly though no test failed. */
  isBroken: boolean;
  /** Failed beside the others and passed alone. */
  recovered: string[];
};

type Report = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

export function readReport(from: { file: string; root: string; isGood: boolean }): Outcome {
  const files: Outcome["files"] = {};
  for (const { name, status, message, assertionResults } of parseReport(from.file).testResults) {
    const count = (kind: (status: string) => boolean): number =>
      assertionResults.filter((test) => kind(test.status)).length;
    const failures = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({ name: test.fullName, message: test.failureMessages.join("\n") }));
    if (status === "failed" && failures.length === 0) failures.push({ name: "the whole file", message });
    const passed = count((status) => status === "passed");
    const skipped = count((status) => status !== "passed" && status !== "failed");
    files[relative(from.root, name)] = { passed, skipped, failures };
  }
  const isBroken = !from.isGood && listFailedFiles({ files }).length === 0;
  return { files, isBroken, recovered: [] };
}

export function listFailedFiles({ files }: Pick<Outcome, "files">): string[] {
  return Object.keys(files).filter((file) => (files[file]?.failures.length ?? 0) > 0);
}

/** The second try replaces the first, file by file. */
export function joinTries(first: Outcome, second: Outcome): Outcome {
  const recovered = Object.keys(second.files).flatMap((file) => {
    const still = new Set(second.files[file]?.failures.map((failure) => failure.name));
    const before = first.files[file]?.failures ?? [];
    return before.filter(({ name }) => !still.has(name)).map(({ name }) => `${file}: ${name}`);
  });
  return { files: { ...first.files, ...second.files }, isBroken: second.isBroken, recovered };
}

/** A test that passes only when it is run again has failed: it is named, not forgiven. */
export function countTests({ files, isBroken, recovered }: Outcome): Counts {
  const counts: Counts = { passed: -recovered.length, failed: recovered.length + (isBroken ? 1 : 0), skipped: 0 };
  for (const { passed, skipped, failures } of Object.values(files)) {
    counts.passed += passed;
    counts.skipped += skipped;
    counts.failed += failures.length;
  }
  return counts;
}

/** What went wrong, a line each, for the end of the output. */
export function describeFailures({ files, isBroken, recovered }: Outcome): string[] {
  const failed = Object.entries(files).flatMap(([file, { failures }]) =>
    failures.map(({ name, message }) => `failed: ${file}: ${name}: ${message.trim().split("\n", 1)[0]}`),
  );
  return [
    ...recovered.map((name) => `failed beside others, passed alone: ${name}`),
    ...failed,
    ...(isBroken ? ["failed: the run ended with an error, though no test failed"] : []),
  ];
}

function parseReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return { testResults: [] };
  }
}
