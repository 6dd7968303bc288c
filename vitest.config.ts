import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const every = ["src/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"];

/** The test files that do more in the long run than in `npm test`. */
const withShares = (): string[] =>
  globSync(every, { cwd: import.meta.dirname }).filter((file) =>
    readFileSync(`${import.meta.dirname}/${file}`, "utf8").includes('support/share.ts"'),
  );

export default defineConfig({
  test: {
    include: process.env.PARLEY_TESTS === "long" ? withShares() : every,
    globalSetup: ["test/support/own-temp-folder.ts"],
    setupFiles: ["test/support/seed.ts"],
    isolate: false,
    pool: "threads",
    maxWorkers: "100%",
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A test waits for what happens; a busy machine takes its time.
    expect: { poll: { timeout: 120_000 } },
    reporters: ["default"],
  },
});
