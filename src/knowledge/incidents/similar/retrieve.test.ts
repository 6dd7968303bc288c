import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Incident, IncidentSchema } from "../schemas/incident.ts";
import { smallLog } from "../../../../test/support/small-log.ts";
import { extractWords } from "../compare/extract-words.ts";
import { retrieve } from "./retrieve.ts";

const alone = { starter: false };

const diskFull = smallLog(`
2024-03-01 10:00:00 WARN DataNode: Disk usage at 97% on volume /data/1
2024-03-01 10:00:05 ERROR DataNode: DiskFullException: Disk full while writing block blk_123
2024-03-01 10:00:09 ERROR DataNode: java.io.IOException: No space left on device
`);

describe("similar incidents", () => {
  it("finds the incident that looks alike and says what matched", () => {
    const [first] = retrieve(diskFull, []).similar_incidents;
    expect(first).toMatchObject({ incident_id: "hdfs-datanode-disk-full", category: "resource" });
    expect(first?.matched.errors.map(({ error_type }) => error_type)).toContain("DiskFullException");
    expect(first?.matched.entities).toContain("DataNode");
    expect(first?.similarity).toBeGreaterThan(0.3);
  });

  it("gives an incident that knows everything observed a similarity of 1", () => {
    const own = incident({
      errors: [
        { type: "DiskFullException", message: "Disk full while writing block" },
        { type: "IOException", message: "No space left on device" },
      ],
      templates: ["Disk usage at <*>% on volume <*>"],
      entities: [{ type: "component", name: "DataNode" }],
    });
    expect(retrieve(diskFull, [own], alone).similar_incidents).toMatchObject([{ incident_id: "own", similarity: 1 }]);
  });

  it("does not count instance ids: another block, container, date or address is the same message", () => {
    const [a, b] = ["blk_123 at 10.0.0.1:50010 on 2024-03-01", "blk_999 at 192.168.7.7:50011 on 2019-12-31"];
    expect(extractWords(`Failed to serve ${a} for attempt_12_0003_m_000001_0`)).toEqual(
      extractWords(`Failed to serve ${b} for attempt_99_0001_m_000009_1`),
    );
    const ids = smallLog("2024-03-01 10:00:00 ERROR Job: application_1445_0011 container_1445_0011_01_000002 lost");
    const own = incident({
      entities: [{ type: "id", name: "container_1445_0011_01_000002" }],
      templates: ["application_1445_0011 started"],
    });
    expect(retrieve(ids, [own], alone).similar_incidents).toEqual([]);
  });

  it("is always between 0 and 1", () => {
    const words = fc.array(fc.constantFrom("disk", "full", "lost", "node", "timeout", "route"), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(words, words, (observed, known) => {
        const log = smallLog(`2024-03-01 10:00:00 ERROR Node: ${observed.join(" ")}`);
        const own = incident({ templates: [known.join(" ")] });
        for (const { similarity } of retrieve(log, [own], alone).similar_incidents) {
          expect(similarity).toBeGreaterThan(0);
          expect(similarity).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("causal paths", () => {
  it("end in an observed error after one to five hops, with confidence and delay", () => {
    const { causal_paths } = retrieve(diskFull, []);
    expect(causal_paths.length).toBeGreaterThan(0);
    for (const path of causal_paths) {
      expect(path.hops).toBeGreaterThanOrEqual(1);
      expect(path.hops).toBeLessThanOrEqual(5);
      expect(path.steps).toHaveLength(path.hops + 1);
      expect(diskFull.error_messages.map(({ error_type }) => error_type)).toContain(path.error_type);
    }
    expect(causal_paths[0]?.steps[0]).toBe("data volume fills up");
  });

  it("multiply confidences, add delays and stop at five hops", () => {
    const chain = Array.from({ length: 7 }, (_, hop) => ({
      cause: `step ${hop}`,
      effect: hop === 6 ? "DiskFullException" : `step ${hop + 1}`,
      confidence: 0.5,
      delay_seconds: 2,
    }));
    const [path] = retrieve(
      diskFull,
      [incident({ errors: [{ type: "DiskFullException" }], chain })],
      alone,
    ).causal_paths;
    expect(path).toMatchObject({ hops: 5, confidence: 0.031, delay_seconds: 10, incident_ids: ["own"] });
  });

  it("survive a cycle of causes", () => {
    const chain = [
      { cause: "retry", effect: "overload", confidence: 0.9, delay_seconds: 1 },
      { cause: "overload", effect: "retry", confidence: 0.9, delay_seconds: 1 },
      { cause: "overload", effect: "DiskFullException", confidence: 0.9, delay_seconds: 1 },
    ];
    const paths = retrieve(
      diskFull,
      [incident({ errors: [{ type: "DiskFullException" }], chain })],
      alone,
    ).causal_paths;
    expect(paths.map(({ hops }) => hops)).toEqual([2]);
  });
});

it("entity context names the past of the observed components", () => {
  expect(Object.keys(retrieve(diskFull, []).entity_context)).toContain("DataNode");
});

it("patterns are template sequences seen at least twice before an error", () => {
  const log = smallLog(
    [1, 2, 3]
      .map(
        (n) =>
          `2024-03-01 10:0${n}:00 INFO Pool: borrow connection ${n}\n2024-03-01 10:0${n}:01 WARN Pool: slow acquire ${n} ms\n2024-03-01 10:0${n}:02 ERROR Pool: acquire timed out after ${n} s`,
      )
      .join("\n"),
  );
  const [pattern] = retrieve(log, []).patterns;
  expect(pattern?.frequency).toBe(3);
  expect(pattern?.pattern.at(-1)).toContain("acquire timed out");
});

describe("exclusions of an evaluation", () => {
  const other = incident({ errors: [{ type: "DiskFullException" }], context: { cluster: "a", day: "2024-03-01" } });
  const found = (patch: Record<string, unknown>) =>
    retrieve(diskFull, [other], { starter: false, ...patch }).similar_incidents.length;

  it("leave out incidents by id", () => {
    expect(found({})).toBe(1);
    expect(found({ exclude_ids: ["own"] })).toBe(0);
  });

  it("leave out incidents of the same cluster and day, and only those", () => {
    expect(found({ exclude_context: [{ cluster: "a", day: "2024-03-01" }] })).toBe(0);
    expect(found({ exclude_context: [{ cluster: "a", day: "2024-03-02" }] })).toBe(1);
    expect(found({ exclude_context: [{}] })).toBe(1);
  });

  it("hide ids, job names and dates from the matching", () => {
    const job = smallLog("2024-03-01 10:00:00 ERROR Job: WordCount stage pageout stalled on 2024-03-01");
    const own = incident({ templates: ["WordCount pageout 2024-03-01"] });
    expect(retrieve(job, [own], alone).similar_incidents).toHaveLength(1);
    const hidden = { starter: false, hide: ["wordcount", "pageout"] };
    expect(retrieve(job, [own], hidden).similar_incidents).toEqual([]);
  });

  it("leave nothing of an excluded incident in paths, context or patterns", () => {
    const excluded = { starter: false, exclude_ids: ["own"] };
    const full = incident({
      errors: [{ type: "DiskFullException" }],
      entities: [{ type: "component", name: "DataNode" }],
      chain: [{ cause: "secret", effect: "DiskFullException", confidence: 1, delay_seconds: 0 }],
    });
    expect(JSON.stringify(retrieve(diskFull, [full], alone))).toContain("secret");
    expect(JSON.stringify(retrieve(diskFull, [full], excluded))).not.toMatch(/secret|"own"/);
  });
});

function incident(fields: Record<string, unknown>): Incident {
  return IncidentSchema.parse({ id: "own", title: "Own incident", cause: "because", category: "resource", ...fields });
}
