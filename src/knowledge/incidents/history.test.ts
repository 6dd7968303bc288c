import { describe, expect, it } from "vitest";
import { parseLines } from "../logs/index.ts";
import { askHistory, importIncidents, type Incident, learnIncident } from "./index.ts";

const options = { starter: false, similar: 5, paths: 5, patterns: 5, exclude_ids: [], exclude_context: [], hide: [] };
const time = (second: number) => new Date(Date.UTC(2026, 3, 2, 14, 0, second)).toISOString();

/** Ordinary talk, then these messages again and again. */
function write(messages: readonly string[]) {
  const calm = Array.from({ length: 20 }, (_, at) => `${time(at)} INFO [orders] stored order ${at}`);
  const trouble = Array.from(
    { length: 12 },
    (_, at) => `${time(30 + at)} ERROR [orders] ${messages[at % messages.length]}`,
  );
  return parseLines([...calm, ...trouble]);
}

const timeouts = [
  "no reply from the ledger within 30 s",
  "order rolled back: lease not confirmed",
  "queue of leases stalls",
];

async function learn(id: string, cause: string, messages: readonly string[], more: Partial<Incident> = {}) {
  return learnIncident(await write(messages), { id, title: cause, cause, category: "software", ...more });
}

async function ask(messages: readonly string[], known: Incident[]) {
  return askHistory(await write(messages), known, options).similar_incidents;
}

describe("history by what discriminates", () => {
  it("a log that shows nearly all that an incident showed, and nothing else, is of its cause", async () => {
    const [first] = await ask(timeouts, [await learn("a", "the broker was stopped", timeouts)]);
    expect(first).toMatchObject({ incident_id: "a", proven: true, covered: 1, next_cause: 0 });
  });

  it("the same symptoms with another cause that a line states are not told the learned cause", async () => {
    const known = [await learn("a", "the broker was stopped", timeouts)];
    const [first] = await ask([...timeouts, "write failed: No space left on device"], known);
    expect(first).toMatchObject({ incident_id: "a", proven: false });
  });

  it("a cause whose proof is not seen again is not proven, however alike the effects are", async () => {
    const cause = "the certificate of the ledger had expired";
    const known = [await learn("a", cause, [...timeouts, "the certificate of the ledger has expired"])];
    expect((await ask(timeouts, known))[0]).toMatchObject({ incident_id: "a", proven: false });
    expect((await ask([timeouts[0] ?? "", "the certificate of the ledger has expired"], known))[0]?.proven).toBe(true);
  });

  it("one cause in the words of two people is no rival of itself; another category is", async () => {
    const [one, two] = [
      await learn("a", "the broker was stopped", timeouts),
      await learn("b", "nobody ran rabbit", timeouts),
    ];
    expect((await ask(timeouts, [one, two]))[0]?.next_cause).toBe(0);
    const other = await learn("b", "a switch lost its power", timeouts, { category: "hardware" });
    expect((await ask(timeouts, [one, other]))[0]?.next_cause).toBeGreaterThan(0.5);
  });

  it("two proven causes stay two, though they share their effects", async () => {
    const disk = await learn("a", "the backup filled the disk", [...timeouts, "backup of the disk fills volume 7"]);
    const lock = await learn("b", "the migration held a table lock", [
      ...timeouts,
      "migration holds a lock on the table",
    ]);
    const [first] = await ask([...timeouts, "backup of the disk fills volume 9"], [disk, lock]);
    expect(first).toMatchObject({ incident_id: "a", proven: true });
    expect(first?.next_cause).toBeGreaterThan(0);
  });

  it("an imported post-mortem is recalled like a learned incident, with a chain that ends in an error of the log", async () => {
    const text = `---\ncategory: software\nauthor: Ana\n---\n# Ledger\n\n## Root cause\nThe lease table was locked by a migration.\n\n## What we did\n1. Set lock_timeout\n\n\`\`\`\nERROR migration locked the lease table\nLeaseError: order rolled back\n\`\`\`\n`;
    const known = await importIncidents("ledger.md", text);
    expect(known).toMatchObject([{ id: "ledger", resolution: ["Set lock_timeout"], errors: [{ type: "LeaseError" }] }]);
    const log = await write(["migration locked the lease table", "LeaseError: order rolled back"]);
    const { similar_incidents, causal_paths } = askHistory(log, known, options);
    expect(similar_incidents[0]).toMatchObject({ proven: true, source: "import" });
    expect(causal_paths[0]).toMatchObject({
      steps: ["The lease table was locked by a migration.", "LeaseError"],
      hops: 1,
      error_type: "LeaseError",
    });
  });

  it("what is excluded or hidden plays no part", async () => {
    const known = [await learn("a", "the broker was stopped", timeouts, { context: { cluster: "x" } })];
    const log = await write(timeouts);
    const count = (more: object) => askHistory(log, known, { ...options, ...more }).similar_incidents.length;
    expect([count({}), count({ exclude_ids: ["a"] }), count({ exclude_context: [{ cluster: "x" }] })]).toEqual([
      1, 0, 0,
    ]);
  });
});
