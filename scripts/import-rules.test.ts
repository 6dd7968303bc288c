import { expect, it } from "vitest";
import { problemOf } from "./import-rules.ts";

it.each([
  ["engine/ask.ts", "contract/turn.ts"],
  ["packs/law/protocol.ts", "engine/role.ts"],
  ["packs/registry.ts", "packs/law/pack.ts"],
  ["cli/main.ts", "runs/run.ts"],
  ["engine/ask.test.ts", "players/expert.ts"],
])("%s may import %s", (file, target) => expect(problemOf(file, target)).toBeNull());

it.each([
  ["contract/turn.ts", "engine/ask.ts"],
  ["engine/ask.ts", "players/expert.ts"],
  ["packs/law/protocol.ts", "packs/sentiment/gate.ts"],
  ["packs/law/protocol.ts", "store/sqlite.ts"],
  ["web/app.ts", "engine/role.ts"],
  ["runs/run.ts", "cli/main.ts"],
  ["engine/ask.ts", "engine/ask.test.ts"],
  ["engine/ask.ts", "../test/support/server.ts"],
])("%s may not import %s", (file, target) => expect(problemOf(file, target)).not.toBeNull());
