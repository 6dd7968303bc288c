import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { writeNotices } from "./scripts/write-notices.ts";

/** The viewer: built beside the library, so that `parley serve` finds it in dist/web. */
export default defineConfig({
  root: "src/web",
  base: "/",
  plugins: [react(), writeNotices("notices.txt")],
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
