import { expect, test } from "vitest";
import { openCase } from "./open-case.ts";
import { selectSide } from "./side-file.ts";
import { loadKnowledge } from "../items/knowledge.ts";
import { getConcept } from "../mentions/concept.ts";
import { findLimits, isRuledOut, loadLimits } from "./limits.ts";

test.each(loadLimits().map((limit) => [limit.id, limit] as const))(
  "%s: what limits a norm is known, of the same law, and called for by known concepts",
  (_, { on, by, calls }) => {
    const items = [...on, ...by].map((id) => loadKnowledge().find(id));
    expect(items).not.toContain(undefined);
    expect(new Set(items.map((item) => item?.domain)).size).toBe(1);
    expect(by.filter((id) => on.includes(id))).toEqual([]);
    for (const concept of calls) expect(getConcept(concept).id).toBe(concept);
  },
);

test("a limit is called for by what the question names, and ruled out by a question that denies it", () => {
  const asked = "Setelah cerai istri menuntut separuh harta bersama, padahal ada perjanjian kawin.";
  const [limit] = findLimits(asked, ["NAT-UUP-35"]);
  expect(limit?.id).toBe("marriage-agreement");
  expect(findLimits("Setelah cerai istri menuntut separuh harta bersama.", ["NAT-UUP-35"])).toEqual([]);
  if (!limit) throw new Error("no limit");
  expect(isRuledOut(asked, limit)).toBe(false);
  expect(isRuledOut("Mereka menikah tanpa perjanjian kawin lalu bercerai.", limit)).toBe(true);
});

test("what only limits another norm is in the case, and neither side holds it until it is brought", () => {
  const file = openCase({ query: "Anak itu membunuh ayahnya. Apakah anak itu mendapat warisan menurut KHI?" });
  const limits = file.retrieval.evidence.filter(({ found_by }) => found_by.join() === "limits").map(({ id }) => id);
  const query =
    "Seorang pewaris Muslim mempunyai anak; keluarganya memilih musyawarah. Bagaimana warisan dibagi menurut KHI?";
  const other = openCase({ query }, 3);
  const hidden = other.retrieval.evidence.filter(({ found_by }) => found_by.join() === "limits").map(({ id }) => id);
  for (const id of [...limits, ...hidden]) {
    const held = (side: "national" | "adat", brought: string[] = []): boolean =>
      selectSide(limits.includes(id) ? file : other, side, brought).retrieval.evidence.some((item) => item.id === id);
    expect([held("national"), held("adat"), held("adat", [id])]).toEqual([false, false, true]);
  }
  expect(hidden.length + limits.length).toBeGreaterThan(0);
});
