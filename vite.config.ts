import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { writeNotices } from "./scripts/write-notices.ts";

/**
 * The viewer, built beside the library: for a browser into dist/web, where `parley serve` finds it, and with
 * `--ssr page.tsx` its components for pages that stand alone into dist/page, React included.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root: "src/web",
  base: "/",
  publicDir: isSsrBuild ? false : "public",
  plugins: [react(), writeNotices("notices.txt")],
  ssr: { noExternal: true },
  define: isSsrBuild ? { "process.env.NODE_ENV": JSON.stringify("production") } : {},
  build: {
    outDir: isSsrBuild ? "../../dist/page" : "../../dist/web",
    emptyOutDir: true,
    target: isSsrBuild ? "node22" : "es2022",
    minify: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
}));
