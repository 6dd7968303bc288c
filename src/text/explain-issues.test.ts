import { expect, it } from "vitest";
import * as z from "zod";
import { explainIssues, formatPath, mostExplained } from "./explain-issues.ts";

const Schema = z.strictObject({
  style: z.enum(["patch", "stance"]).default("patch"),
  arms: z.array(
    z.strictObject({
      name: z.string(),
      config: z.strictObject({ rounds: z.int().optional() }).optional(),
      choice: z.union([z.string(), z.strictObject({ column: z.string(), values: z.int().optional() })]).optional(),
    }),
  ),
});

function explained(value: unknown): string[] {
  const parsed = Schema.safeParse(value, { reportInput: true });
  return parsed.success
    ? []
    : explainIssues(Schema, parsed.error).map((one) => `${formatPath(one.path)}: ${one.message}`);
}

it("suggests the key that was meant, inside arrays too", () => {
  expect(explained({ arms: [{ name: "a", confg: {} }] })).toEqual([
    'arms[0].confg: unknown key "confg"; did you mean "config"? (known: name, config, choice)',
  ]);
  expect(explained({ arms: [{ name: "a", config: { round: 2 } }] })[0]).toContain('did you mean "rounds"?');
});

it("suggests the choice that was meant", () => {
  expect(explained({ style: "pach", arms: [] })).toEqual([
    'style: "pach" is not a valid choice; did you mean "patch"? (known: patch, stance)',
  ]);
});

it("explains the branch of a union that came furthest", () => {
  expect(explained({ arms: [{ name: "a", choice: { colum: "x" } }] }).join("\n")).toContain('did you mean "column"?');
  expect(explained({ arms: [{ name: "a", choice: 3 }] })[0]).toContain("expected text");
});

it("passes other problems on with their place", () => {
  expect(explained({ arms: [{ name: 3 }] })).toEqual(["arms[0].name: expected text, not 3"]);
});

it("explains as many unknown keys as anyone reads, however many were sent", () => {
  const keys = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`k${at}`, 1]));
  const before = process.cpuUsage();
  expect(explained({ arms: [], ...keys })).toHaveLength(mostExplained);
  expect(process.cpuUsage(before).user / 1e6, "seconds").toBeLessThan(3);
});

it("explains as many wrong entries as anyone reads, of a union too, however many were sent", () => {
  const List = z.union([z.array(z.strictObject({ name: z.string().optional() })), z.strictObject({})]);
  const wrong = Array.from({ length: 50_000 }, () => ({ nam: 1 }));
  const before = process.cpuUsage();
  expect(explained({ arms: wrong })).toHaveLength(mostExplained);
  const { error } = List.safeParse(wrong);
  expect(explainIssues(List, error as z.ZodError)).toHaveLength(mostExplained);
  expect(process.cpuUsage(before).user / 1e6, "seconds").toBeLessThan(5);
});
