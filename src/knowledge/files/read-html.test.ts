import { expect, it } from "vitest";
import { readHtml } from "./read-html.ts";

it.each([
  [
    "a table with names is written by rows, a cell on one line",
    "<table><tr><th>Room</th><th>Seats</th></tr><tr><td>Birke</td><td><p>12</p><p>or 14</p></td></tr></table>after",
    "| Room | Seats |\n|---|---|\n| Birke | 12 or 14 |\n\nafter",
  ],
  ["a bar in a cell does not end it", "<table><tr><th>a|b</th></tr></table>", "| a/b |\n|---|"],
  [
    "a table that lays a page out keeps apart what stands apart",
    "<table><tr><td><h2>Title</h2><p>Some text.</p><p>More.</p></td></tr></table>",
    "## Title\n\nSome text.\n\nMore.",
  ],
  [
    "a table in a table is part of its cell",
    "<table><tr><td>left <table><tr><td>in</td><td>ner</td></tr></table></td><td>right</td></tr></table>",
    "left\n\nin ner\n\nright",
  ],
  [
    "cells without a table, and a table without an end, are read",
    "<tr><td>stray</td></tr><table><tr><td>open",
    "stray\n\nopen",
  ],
  ["what is hidden stays hidden", "<table hidden><tr><td>no</td></tr></table>yes", "yes"],
])("%s", (_, html, text) => expect(readHtml(html)).toBe(text));

it("a page whose tags are never closed is refused at once", () => {
  expect(() => readHtml("<div>".repeat(400_000))).toThrow(/nested more than 5000 deep/);
  expect(readHtml(`${"<div>".repeat(4_000)}deep${"</div>".repeat(4_000)}<p>after`)).toBe("deep\n\nafter");
});
