import { defineConfig } from "tsdown";

/** Mirrors src/ into dist/ file by file, so that prompts and data keep their relative places. */
export default defineConfig({
  entry: ["src/**/*.ts", "!src/**/*.test.ts", "!src/web/**"],
  unbundle: true,
  platform: "node",
  format: "esm",
  dts: true,
  copy: [{ from: "src/**/*.md", to: "dist", flatten: false }],
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
});
