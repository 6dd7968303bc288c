import { expect, it } from "vitest";
import { escapeMarkdown } from "./layout.ts";

it.each([
  [
    "@everyone see https://evil.example and www.evil.example",
    "&#64;everyone see https&#58;//evil.example and www&#46;evil.example",
  ],
  ["# not a heading", "\\# not a heading"],
  ["=== not an underline", "\\=== not an underline"],
  ["- not an item", "\\- not an item"],
  ["1. not an item", "1\\. not an item"],
  ["  2) not an item", "2\\) not an item"],
  ["0.95", "0.95"],
  ["a\tb", "a b"],
  ["a | b $x$ ~~c~~ &lt;", "a \\| b \\$x\\$ \\~\\~c\\~\\~ &amp;lt;"],
])("Markdown text %j is inert", (text, expected) => expect(escapeMarkdown(text)).toBe(expected));
