import { describe, expect, it } from "vitest";
import { smallLog } from "../../../../test/support/small-log.ts";
import { categories } from "../schemas/incident.ts";
import { analyse } from "./analyse.ts";
import { findHost } from "../clues/find-host.ts";
import { readSigns, matchSigns } from "../clues/match-signs.ts";

describe("signs", () => {
  it.each([
    ["write failed: No space left on device", "disk_full"],
    ["java.lang.OutOfMemoryError: Java heap space", "out_of_memory"],
    ["Container released on a *lost* node", "host_lost"],
    ["blk_update_request: I/O error, dev sda, sector 100", "disk_failing"],
    ["java.net.NoRouteToHostException: No route to host", "no_route"],
    ["eth0: NIC Link is Down", "link_down"],
    ["{inconsistent_database, running_partitioned_network, rabbit@mq2}", "link_down"],
    ["Proxy fe_main reached process FD limit (maxsock=1021)", "handles_exhausted"],
    ["/etc/ssh/host_key is world-readable, refusing to start", "too_open"],
    ["Permissions 0644 for 'id_rsa' are too open", "too_open"],
    ["x509: certificate has expired or is not yet valid", "certificate"],
    ["bind() to 0.0.0.0:80 failed (98: Address already in use)", "port_in_use"],
    ["java.lang.NullPointerException: null", "null_dereference"],
    ["deadlock detected while waiting for ShareLock", "deadlock"],
    ["Container killed by the ApplicationMaster.", "attempt_killed_by_master"],
    ["Job 12 completed successfully", "ended_well"],
    ["waits for LCK_M_IX on dbo.Orders, held by spid 58", "deadlock"],
    ["GC(812) Pause Full (G1 Compaction Pause) 4090M->4060M(4096M) 4812.201ms", "stop_the_world"],
    ["SSL certificate problem: unable to get local issuer certificate", "certificate"],
    ["Timed out waiting for device /dev/disk/by-uuid/6c1f.", "missing_file"],
  ])("%s is %s", (text, sign) => expect(matchSigns(text).map(({ id }) => id)).toContain(sign));

  it("in an everyday line are none", () => {
    for (const text of [
      "handled request 503 in 12 ms",
      "GET /orders 200 in 4 ms",
      "Intel machine check architecture supported.",
      "user 500 logged in",
    ])
      expect(matchSigns(text), text).toEqual([]);
  });

  it("have unique ids, a category that fits their role, and effects that exist", () => {
    const ids = readSigns().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, category, role, leads_to } of readSigns()) {
      expect(categories).toContain(category);
      expect(category === "none", id).toBe(role === "routine" || role === "recovery");
      for (const effect of leads_to) expect(ids, id).toContain(effect);
    }
  });
});

it.each([
  ["No Route to Host from  HOST-A/10.0.0.1 to node-41:9000 failed; see: http://wiki.example.org/NoRoute", "node-41"],
  ["Error Recovery in pipeline 10.0.0.1:50010, 10.0.0.2:50010: bad datanode 10.0.0.2:50010", "10.0.0.2"],
  ["connect to db-1.prod.internal:5432 failed", "db-1.prod.internal"],
  ["at shop.stock.Dao.reserve(Dao.java:81)", null],
])("the host in %s is %s", (text, host) => expect(findHost(text, true)).toBe(host));

describe("suspects", () => {
  const top = (text: string) => analyse(smallLog(text)).suspects[0];

  it("a named cause outranks the louder symptoms that follow from it", () => {
    const symptoms = Array.from(
      { length: 20 },
      (_, n) => `2024-03-01 10:01:${String(n + 10)} ERROR Api: request ${n} failed: 500 Internal Server Error`,
    );
    const first = top(
      ["2024-03-01 10:00:00 ERROR Disk: write failed: No space left on device", ...symptoms].join("\n"),
    );
    expect(first).toMatchObject({ category: "resource", place: "Disk" });
    expect(first?.explains.length).toBeGreaterThan(1);
  });

  it("a leak explains the exhausted pool that is seen before it", () => {
    const first = top(
      "2024-03-01 10:00:00 ERROR Pool: Timeout waiting for connection from pool\n2024-03-01 10:01:00 WARN Pool: connection was not returned for 60 s, possible leak",
    );
    expect(first).toMatchObject({ category: "software" });
    expect(first?.explains.map(({ sign }) => sign)).toContain("pool_exhausted");
  });

  it("a peer that fails in separate episodes over minutes is a network suspect, a single failure is not", () => {
    const failure = (minute: string) =>
      `2024-03-01 10:${minute}:00 WARN Client: Error Recovery in pipeline 10.0.0.1:50010: bad datanode 10.0.0.9:50010`;
    const end = "2024-03-01 11:00:00 INFO Job: job 3 completed successfully";
    expect(top([failure("01"), failure("05"), failure("09"), end].join("\n"))).toMatchObject({
      category: "network",
      place: "10.0.0.9",
    });
    const once = analyse(smallLog([failure("01"), end].join("\n")));
    expect(once.noFault.score).toBeGreaterThan(once.suspects[0]?.score ?? 1);
  });

  it("against a healthy reference, an error that is new there beats one that is usual there", () => {
    const usual = Array.from(
      { length: 30 },
      (_, n) => `2024-03-01 10:00:${String(n + 10)} ERROR food: store list is empty for trip ${n}`,
    );
    const fresh = Array.from(
      { length: 5 },
      (_, n) => `2024-03-01 10:01:${String(n + 10)} ERROR contacts: nothing stored under contact ${n}`,
    );
    const log = smallLog([...usual, ...fresh].join("\n"), { "store list is empty for trip <*>": 30 });
    expect(analyse(log).suspects[0]).toMatchObject({ category: "software", place: "contacts" });
  });

  it("an error that every failing component prints points to none of them", () => {
    const handler = ["a", "b", "c"].flatMap((name) =>
      [1, 2, 3, 4].map((n) => `2024-03-01 10:00:${n}0 ERROR ${name}: dispatcher caught a problem while serving ${n}`),
    );
    const own = "2024-03-01 10:00:15 ERROR d: lookup of fare table came back empty";
    expect(analyse(smallLog([...handler, own].join("\n"), {})).suspects[0]).toMatchObject({ place: "d" });
  });

  it("without any trouble, no fault stands clear", () => {
    const { suspects, noFault } = analyse(
      smallLog("2024-03-01 10:00:00 INFO Api: started\n2024-03-01 10:00:01 INFO Api: ready"),
    );
    expect(suspects).toEqual([]);
    expect(noFault.score).toBeGreaterThan(0.5);
  });
});

describe("traces", () => {
  const hop = (trace: number, start: number, delay: number) => {
    const at = (ms: number) =>
      new Date(Date.UTC(2024, 2, 1, 10, 0, 0, start + ms)).toISOString().replace("T", " ").replace("Z", "");
    const id = `traceid=abcdef00${trace}`;
    return [
      `${at(0)} INFO web: call stock ${id}`,
      `${at(delay)} INFO stock: got call ${id}`,
      `${at(delay + 1)} INFO stock: done ${id}`,
      `${at(2 * delay + 1)} INFO web: stock answered ${id}`,
      `${at(2 * delay + 3)} INFO price: got call ${id}`,
      `${at(2 * delay + 5)} INFO web: price answered ${id}`,
    ];
  };

  it("a service whose calls take long on the way is a network suspect", () => {
    const log = smallLog([1, 2, 3, 4].flatMap((n) => hop(n, n * 5000, 900)).join("\n"));
    expect(analyse(log).suspects[0]).toMatchObject({ category: "network", place: "stock" });
  });

  it("calls that are all fast make none", () => {
    const log = smallLog([1, 2, 3, 4].flatMap((n) => hop(n, n * 5000, 2)).join("\n"));
    expect(analyse(log).suspects.filter(({ category }) => category === "network")).toEqual([]);
  });
});

it("a caller that reports a failed call is not the suspect: whom it called is", () => {
  const quiet = "2024-03-01 10:00:00 INFO paymentservice: charge request received";
  const errors = [1, 2, 3].map(
    (n) =>
      `2024-03-01 10:00:0${n} ERROR checkoutservice: could not charge via payment ${n}: rpc error: code = Internal desc = oops`,
  );
  expect(analyse(smallLog([quiet, ...errors].join("\n"), {})).suspects[0]).toMatchObject({ place: "paymentservice" });
  const own = [1, 2, 3].map((n) => `2024-03-01 10:00:0${n} ERROR checkoutservice: payment table lookup ${n} failed`);
  expect(analyse(smallLog([quiet, ...own].join("\n"), {})).suspects[0]).toMatchObject({ place: "checkoutservice" });
});
