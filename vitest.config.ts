import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const every = ["src/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"];
const onlyLong = "**/*.long.test.ts";
const which = process.env.PARLEY_TESTS;

/** The test files that the long run is for, and those that do more in it than in `npm test`. */
const listLong = (): string[] => [
  onlyLong,
  ...globSync(every, { cwd: import.meta.dirname }).filter((file) =>
    readFileSync(`${import.meta.dirname}/${file}`, "utf8").includes('support/share.ts"'),
  ),
];

/** Long tests begin first, then those of the whole program, so that no worker is left with one at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      if (moduleId.endsWith(".long.test.ts")) return 0;
      return moduleId.startsWith(`${import.meta.dirname}/test/`) ? 1 : 2;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: which === "long" ? listLong() : every,
    exclude: which === undefined ? [onlyLong] : [],
    sequence: { sequencer: LongFirst },
    globalSetup: ["test/support/own-temp-folder.ts"],
    setupFiles: ["test/support/seed.ts"],
    isolate: false,
    pool: "threads",
    // One more than there are cores: tests that wait for a process, a page or the disk leave theirs to others.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A test waits for what happens; a busy machine takes its time.
    expect: { poll: { timeout: 120_000 } },
    reporters: ["default"],
  },
});
