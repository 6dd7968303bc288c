import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { writeLibraryPage } from "./library-page.ts";

it("docs/library.md is what the doc comments say, of every export", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/library.md"), "utf8");
  expect(page, "write it again: node scripts/library-page.ts").toBe(writeLibraryPage());
  for (const name of ["runDebate", "definePack", "sqliteStore", "exportHtml"]) expect(page).toContain(`| \`${name}(`);
});
