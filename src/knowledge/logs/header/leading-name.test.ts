import { describe, expect, test } from "vitest";
import { parseLines } from "../index.ts";

const time = (second: number) => new Date(Date.UTC(2026, 3, 2, 14, 0, second)).toISOString();

async function listComponents(messages: string[]): Promise<(string | null)[]> {
  const lines = Array.from({ length: 60 }, (_, at) => `${time(at)} INFO  ${messages[at % messages.length]} ${at}`);
  const { templates } = await parseLines(lines);
  return [...new Set(templates.map(({ component }) => component))].toSorted((a, b) => (a ?? "").localeCompare(b ?? ""));
}

describe("a name that nothing marks", () => {
  test("is the component where nearly every line begins with one of a few", async () => {
    const messages = [
      "ingress-nginx GET /api took",
      "kubelet pulled image",
      "ingress-nginx reload done in",
      "catalog-db ready in",
    ];
    expect(await listComponents(messages)).toEqual(["catalog-db", "ingress-nginx", "kubelet"]);
  });

  test("is a word of the message where sentences begin the lines", async () => {
    expect(await listComponents(["order stored", "request finished in", "cache cleared, entries"])).toEqual([null]);
    expect(await listComponents(["Started container", "Received a request of", "Sent a reply of"])).toEqual([null]);
  });
});
