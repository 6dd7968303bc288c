import { describe, expect, it } from "vitest";
import { problemOf, sharedKnowledge } from "./import-rules.ts";

describe("layers", () => {
  it.each([
    ["src/engine/ask.ts", "src/contract/turn.ts"],
    ["src/engine/ask.ts", "src/engine/role.ts"],
    ["src/packs/law/protocol.ts", "src/engine/role.ts"],
    ["src/knowledge/logs/read.ts", "src/contract/error.ts"],
    ["src/knowledge/incidents/find.ts", "src/knowledge/logs/index.ts"],
    ["src/print/terminal.ts", "src/contract/view.ts"],
    ["src/cli/main.ts", "src/runs/run.ts"],
    ["src/index.ts", "src/runs/run.ts"],
    ["src/runs/settings/version.ts", "package.json"],
    ["src/engine/ask.test.ts", "src/players/expert.ts"],
    ["src/engine/ask.test.ts", "test/support/toy.ts"],
    ["bench/law.ts", "src/cli/main.ts"],
  ])("%s may import %s", (file, target) => expect(problemOf(file, target)).toBeNull());

  it.each([
    ["src/contract/turn.ts", "src/engine/ask.ts", "contract may not import engine"],
    ["src/text/wrap.ts", "src/contract/error.ts", "text may not import contract"],
    ["src/engine/ask.ts", "src/players/expert.ts", "engine may not import players"],
    ["src/knowledge/law/rules.ts", "src/contract/turn.ts", "knowledge may not import contract"],
    ["src/knowledge/law/rules.ts", "src/engine/role.ts", "knowledge may not import engine"],
    ["src/knowledge/law/rules.ts", "src/knowledge/logs/index.ts", "knowledge/law may not import knowledge/logs"],
    ["src/knowledge/logs/read.ts", "src/knowledge/incidents/index.ts", "knowledge/logs may not import"],
    ["src/packs/law/rules/position.ts", "src/knowledge/law/index.ts", "only a pack's prepare.ts and experts may"],
    ["src/packs/law/protocol.ts", "src/store/sqlite.ts", "packs may not import store"],
    ["src/packs/law/protocol.ts", "src/packs/sentiment/index.ts", "the law pack may not import the sentiment pack"],
    ["src/print/html.ts", "src/engine/pack.ts", "print may not import engine"],
    ["src/web/app.ts", "src/engine/role.ts", "web may not import engine"],
    ["src/runs/run.ts", "src/cli/main.ts", "runs may not import cli"],
    ["src/attic/old.ts", "src/text/wrap.ts", 'unknown layer "attic"'],
    ["src/engine/ask.ts", "src/engine/ask.test.ts", "imports a test"],
    ["src/engine/ask.ts", "test/support/server.ts", "leaves src/"],
  ])("%s may not import %s", (file, target, why) => expect(problemOf(file, target)).toContain(why));

  it("gives each knowledge to one pack; what is outside the packs may use any", () => {
    const law = { from: "src/packs/law/case.ts", to: "src/knowledge/law/index.ts" };
    const cli = { from: "src/cli/law/sources.ts", to: "src/knowledge/law/index.ts" };
    const other = { from: "src/packs/question/case.ts", to: "src/knowledge/law/index.ts" };
    expect(sharedKnowledge([law, law, cli])).toEqual([]);
    expect(sharedKnowledge([law, other])).toEqual([
      "src/knowledge/law is used by the packs law and question; knowledge belongs to one pack",
    ]);
  });
});

describe("front doors", () => {
  it.each([
    ["src/packs/registry.ts", "src/packs/law/pack.ts"],
    ["src/cli/commands/law.ts", "src/packs/law/index.ts"],
    ["src/packs/law/prepare.ts", "src/knowledge/law/index.ts"],
    ["src/packs/law/rules/order.test.ts", "src/packs/law/rules/order.ts"],
    ["src/knowledge/logs/read/gzip.ts", "src/knowledge/logs/parsed-log.ts"],
    ["test/packs.test.ts", "src/packs/law/index.ts"],
  ])("%s may import %s", (file, target) => expect(problemOf(file, target)).toBeNull());

  it.each([
    ["src/packs/registry.ts", "src/packs/law/protocol.ts"],
    ["src/cli/commands/law.ts", "src/packs/law/show/report.ts"],
    ["src/cli/commands/law.ts", "src/packs/law/show/index.ts"],
    ["src/runs/run.test.ts", "src/packs/law/config.ts"],
    ["test/law.test.ts", "src/packs/law/rules/order.ts"],
    ["bench/law.ts", "src/packs/law/experts/answer.ts"],
  ])("%s enters the pack by a window: %s", (file, target) =>
    expect(problemOf(file, target)).toBe("src/packs/law is entered by its index.ts or pack.ts"),
  );

  it.each([
    ["src/packs/law/case.ts", "src/knowledge/law/mentions.ts"],
    ["src/cli/law/sources.ts", "src/knowledge/law/rules/index.ts"],
    ["test/law.test.ts", "src/knowledge/law/pack.ts"],
  ])("%s enters the knowledge by a window: %s", (file, target) =>
    expect(problemOf(file, target)).toBe("src/knowledge/law is entered by its index.ts"),
  );
});

describe("inside a pack", () => {
  const law = (path: string): string => `src/packs/law/${path}`;

  it.each([
    ["rules/order.ts", "schemas/answer.ts"],
    ["roles/judge.ts", "rules/order.ts"],
    ["protocol.ts", "roles/judge.ts"],
    ["experts/judge.ts", "rules/order.ts"],
    ["experts/judge.ts", "experts/wording/phrases.ts"],
    ["pack.ts", "experts/judge.ts"],
    ["index.ts", "experts/judge.ts"],
    ["show/report.ts", "rules/order.ts"],
    ["roles/judge.test.ts", "experts/judge.ts"],
  ])("%s may import %s", (file, target) => expect(problemOf(law(file), law(target))).toBeNull());

  it.each([
    ["schemas/answer.ts", "rules/order.ts", "schemas may not import rules"],
    ["schemas/answer.ts", "protocol.ts", "schemas may not import protocol"],
    ["rules/order.ts", "roles/judge.ts", "rules may not import roles"],
    ["rules/deep/order.ts", "protocol.ts", "rules may not import protocol"],
    ["roles/judge.ts", "protocol/rounds.ts", "roles may not import protocol"],
    ["roles/judge.ts", "experts/judge.ts", "roles may not import experts"],
    ["rules/order.ts", "experts/judge.ts", "rules may not import experts"],
    ["protocol.ts", "experts/judge.ts", "protocol may not import experts"],
    ["show/report.ts", "experts/judge.ts", "show may not import experts"],
    ["measure.ts", "experts/judge.ts", "measure may not import experts"],
  ])("%s may not import %s", (file, target, why) => expect(problemOf(law(file), law(target))).toContain(why));
});
