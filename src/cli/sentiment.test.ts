import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../../test/support/cli.ts";
import { isFileName } from "./sentiment.ts";

const cwd = newFolder();
writeFileSync(join(cwd, "reviews.csv"), "text\n");
writeFileSync(join(cwd, "my reviews.csv"), "text\n");
writeFileSync(join(cwd, "page.pdf"), "");
mkdirSync(join(cwd, "folder"));

it.each(["reviews.csv", "my reviews.csv", "./reviews.csv"])("%s is a file", (words) => {
  expect(isFileName(cwd, words)).toBe(true);
});

it.each(["Great.", "The food was great.", "좋아요", "10/10", "Great coffee, see reviews.pdf for more", "ok", ""])(
  "%j is a text",
  (words) => {
    expect(isFileName(cwd, words)).toBe(false);
  },
);

it.each([
  ["revews.csv", /there is no such file/],
  ["no such.csv", /there is no such file/],
  ["reviews.xlsx", /there is no such file/],
  ["./folder/missing", /there is no such file/],
  ["folder", /that is a folder/],
  ["page.pdf", /ends in \.csv/],
])("%s is an error, never a sentence", (words, message) => {
  expect(() => isFileName(cwd, words)).toThrow(message);
});
