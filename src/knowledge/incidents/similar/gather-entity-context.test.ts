import { expect, test } from "vitest";
import { parseLines } from "../../logs/index.ts";
import { buildQuery } from "../compare/build-query.ts";
import { readStarterIncidents } from "../library/read-starter-incidents.ts";
import { gatherEntityContext } from "./gather-entity-context.ts";

test("a component of a log meets the incidents that name it differently", async () => {
  const log = await parseLines([
    "260304 090000 80 INFO dfs.DataNode$PacketResponder: Received block blk_711 of size 67108864",
    "260304 090002 91 WARN dfs.DataNode$DataXceiver: writeBlock blk_711 received exception java.io.IOException: No space left on device",
  ]);
  const context = gatherEntityContext(readStarterIncidents(), buildQuery(log));
  expect(Object.keys(context).some((name) => name.startsWith("dfs.DataNode"))).toBe(true);
});
