import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"],
    globalSetup: ["test/support/own-temp-folder.ts"],
    isolate: false,
    pool: "threads",
    testTimeout: 30_000,
    reporters: ["default"],
  },
});
