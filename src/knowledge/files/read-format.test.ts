import { expect, it } from "vitest";
import { readFormat } from "./read-format.ts";
import { readHtml } from "./read-html.ts";

it.each([
  ["png", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0", "latin1"), "PNG image"],
  ["", Buffer.from("\xff\xd8\xff\xe0\0\x10JFIF", "latin1"), "JPEG image"],
  ["bin", Buffer.from([0, 1, 2, 3, 4, 5]), "binary file of an unknown type"],
  ["txt", Buffer.from("caf\xe9 au lait", "latin1"), "not in UTF-8"],
])("a file that holds no text is called what it is (.%s)", async (ending, bytes, message) => {
  await expect(readFormat(ending, bytes)).rejects.toThrow(message);
});

it("a Word table, which marks no head, keeps the names of its columns", () => {
  const html = "<table><tr><td>Room</td><td>Seats</td></tr><tr><td>Birke</td><td>12</td></tr></table>";
  expect(readHtml(html)).toContain("| Room | Seats |\n|---|---|\n| Birke | 12 |");
});
