import { expect, test } from "vitest";
import { loadKnowledge } from "../items/knowledge.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import { route } from "../router/route.ts";
import { addBridges, loadBridges } from "./bridges.ts";
import type { CaseFile } from "./case-file.ts";

const found = (query: string, over: Partial<CaseFile["route"]> = {}): CaseFile => ({
  query,
  read: query,
  domain_hint: null,
  route: { ...route(query), ...over },
  retrieval: retrieve(query),
});
const idsOf = ({ retrieval }: CaseFile): string[] => retrieval.evidence.map(({ id }) => id);

test.each(loadBridges())("$id belongs to the evidence of: $example", ({ id, example }) => {
  const others = loadBridges().filter((bridge) => bridge.id !== id);
  expect(idsOf(addBridges(found(example), others))).not.toContain(id);
  expect(idsOf(addBridges(found(example)))).toContain(id);
});

test.each(loadBridges())("$id is a known provision, and its topics are known", ({ id, topics }) => {
  const known = new Set(loadKnowledge().items.flatMap((item) => item.topics));
  expect(loadKnowledge().find(id)?.domain).toBe("national");
  expect((topics ?? []).filter((topic) => !known.has(topic))).toEqual([]);
});

test("a question of one law, or of neither, gets no bridge", () => {
  const [{ example } = { example: "" }] = loadBridges();
  for (const over of [{ label: "pure_national" as const }, { label: "pure_adat" as const }, { out_of_scope: true }]) {
    const file = found(example, over);
    expect(addBridges(file)).toBe(file);
  }
});

test("what the search found already is not added again", () => {
  const [{ example } = { example: "" }] = loadBridges();
  const once = addBridges(found(example));
  expect(addBridges(once)).toEqual(once);
});
