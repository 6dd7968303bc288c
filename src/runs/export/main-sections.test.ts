import { expect, it } from "vitest";
import type { Section } from "../../contract/view.ts";
import { pickMainSections } from "./main-sections.ts";

const facts = (title: string, ...values: string[]): Section => ({
  kind: "facts",
  title,
  rows: values.map((value) => ({ label: "x", value })),
});

it("a document says its verdict once: what stands above is left out of the first sections, and of no later one", () => {
  const sections = [facts("Cause", "a leak", "sure"), facts("Only that", "a leak"), facts("Later", "a leak")];
  const page = { sections, headline: { cause: "a leak" }, change: null, why: [], language: "en" as const };
  expect(pickMainSections(page)).toEqual([facts("Cause", "sure"), facts("Later", "a leak")]);
});
