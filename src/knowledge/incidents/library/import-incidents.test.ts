import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { smallLog } from "../../../../test/support/small-log.ts";
import { retrieve } from "../similar/retrieve.ts";
import { importIncidents } from "./import-incidents.ts";
import { learnIncident } from "./learn-incident.ts";
import { incidentsFileOf, mergeIncidents, printIncidents, readProjectIncidents } from "./project-incidents.ts";

const plain = { id: "a-1", title: "A", cause: "the fuse blew", category: "hardware", errors: [{ type: "FuseError" }] };

const postMortem = `---
system: billing
entities:
  - { type: service, name: invoice-worker }
---
# Invoices stuck for two hours

## Summary
- Invoices were not sent between 10:00 and 12:00
- The queue grew to 40,000 messages

## Root cause
The disk of the **invoice-worker** was full because rotated logs were never deleted.

\`\`\`
2024-02-02 10:00:01 ERROR invoice-worker-7: java.io.IOException: No space left on device
2024-02-02 10:00:02 ERROR invoice-worker-7: InvoiceRenderError: could not write /var/tmp/inv-881.pdf
\`\`\`

## Action items
1. Delete rotated logs after a week
2. [ ] Alert on disk usage
`;

describe("import", () => {
  it.each([
    ["a list in JSON", "x.json", JSON.stringify([plain])],
    ["one object in JSON", "x.json", JSON.stringify(plain)],
    ["an object with incidents", "x.json", JSON.stringify({ incidents: [plain] })],
    ["JSON lines", "x.jsonl", `${JSON.stringify(plain)}\n\n`],
    [
      "YAML",
      "x.yaml",
      "- { id: a-1, title: A, cause: the fuse blew, category: hardware, errors: [{ type: FuseError }] }",
    ],
  ])("reads %s", (_name, file, text) => {
    expect(importIncidents(file, text)).toMatchObject([{ ...plain, source: "import", confidence: 0.7 }]);
  });

  it("reads a Markdown post-mortem: headings, lists and log lines", () => {
    const [incident] = importIncidents("pm/2024-02.md", postMortem);
    expect(incident).toMatchObject({
      id: "invoices-stuck-for-two-hours",
      title: "Invoices stuck for two hours",
      system: "billing",
      category: "resource",
      cause: "The disk of the invoice-worker was full because rotated logs were never deleted.",
      resolution: ["Delete rotated logs after a week", "Alert on disk usage"],
      entities: [{ type: "service", name: "invoice-worker" }],
    });
    expect(incident?.symptoms).toHaveLength(2);
    expect(incident?.errors.map(({ type }) => type)).toEqual(["IOException", "InvoiceRenderError"]);
    expect(incident?.templates.join()).not.toMatch(/881|2024/);
  });

  it("lets an imported post-mortem be found by a log that looks like it", () => {
    const log = smallLog(
      "2025-01-01 08:00:00 ERROR invoice-worker: InvoiceRenderError: could not write /var/tmp/inv-9.pdf",
    );
    const found = retrieve(log, importIncidents("pm.md", postMortem)).similar_incidents;
    expect(found[0]?.incident_id).toBe("invoices-stuck-for-two-hours");
  });

  it.each([
    ["an empty file", "x.json", " ", /empty/],
    ["broken JSON", "x.json", "{", /not valid JSON/],
    ["a broken line", "x.jsonl", `${JSON.stringify(plain)}\n{`, /x\.jsonl:2/],
    ["an unknown category", "x.json", JSON.stringify({ ...plain, category: "magic" }), /category/],
    ["an unknown key", "x.json", JSON.stringify({ ...plain, clause: "x" }), /clause/],
    ["the same id twice", "x.json", JSON.stringify([plain, plain]), /used twice/],
    ["a post-mortem without a cause", "x.md", "# Title\n\nWe were down.\n", /no root cause/],
    [
      "a post-mortem whose kind of cause is unclear",
      "x.md",
      "# Title\n\n## Root cause\nSomebody was careless.\n",
      /category/,
    ],
  ])("says what is wrong with %s", (_name, file, text, message) => {
    expect(() => importIncidents(file, text)).toThrow(message);
  });
});

describe("the project's own incidents", () => {
  const file = incidentsFileOf(mkdtempSync(join(tmpdir(), "parley-kg-")));

  it("are kept one per line; a known id is replaced", () => {
    expect(readProjectIncidents(file)).toEqual([]);
    const [incident] = importIncidents("x.json", JSON.stringify(plain));
    if (!incident) throw new Error("no incident");
    const first = mergeIncidents([], [incident]);
    expect(first).toEqual({ incidents: [incident], added: 1, replaced: 0 });
    const second = mergeIncidents(first.incidents, [{ ...incident, cause: "the fuse was loose" }]);
    expect(second).toMatchObject({ added: 0, replaced: 1 });
    writeFileSync(file, printIncidents(second.incidents));
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(2);
    expect(readProjectIncidents(file)).toMatchObject([{ id: "a-1", cause: "the fuse was loose" }]);
  });

  it("with a broken line are an error that names it", () => {
    writeFileSync(file, "{}\n");
    expect(() => readProjectIncidents(file)).toThrow(/incidents\.jsonl:1/);
  });
});

it("an incident learned from a log is found again by a log like it, without its ids", () => {
  const text = (id: number) =>
    `2024-03-0${id} 10:00:00 ERROR Shipper: ParcelLostError: parcel P-${id}00${id} vanished between hubs`;
  const learned = learnIncident(smallLog(text(1)), {
    id: "lost-1",
    title: "Parcels vanish",
    cause: "a hub scanner was off",
    category: "hardware",
  });
  expect(learned.source).toBe("learned");
  const found = retrieve(smallLog(text(7)), [learned]).similar_incidents;
  expect(found[0]).toMatchObject({ incident_id: "lost-1", similarity: 1 });
});
