import { describe, expect, test } from "vitest";
import { runDebate } from "../src/engine/run-debate.ts";
import { LawConfigSchema } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { pickMainSections } from "../src/runs/export/main-sections.ts";
import type { ExportPage } from "../src/runs/export/export-page.ts";
import { expertPlayer } from "../src/players/offline/expert-player.ts";
import type { Player } from "../src/engine/player.ts";
import { listStrayWords } from "./support/stray-words.ts";

const cases = {
  id: [
    "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata, keluarganya menolak menurut adat.",
    "Dalam keadaan apa pusako tinggi boleh digadaikan menurut adat Minangkabau?",
    "Berapa tarif pajak kendaraan bermotor listrik?",
  ],
  en: [
    "How is jointly acquired property divided when a Javanese couple divorces?",
    "A Balinese daughter claims an equal share of the inheritance under the Civil Code; her family refuses under adat.",
    "What is the tax on electric vehicles?",
  ],
};

/** Experts of whom one never criticises and one cites what nobody gave: pages with faults and reasons for a human review. */
const faulty: Player = {
  id: "faulty",
  async play(role, input, turn) {
    const played = await expertPlayer().play(role, input, turn);
    if (role.name === "ala_critic") return { ...played, reply: { value: null }, final: true };
    if (role.name !== "nla" || !("value" in played.reply)) return played;
    const value = structuredClone(played.reply.value) as { claims: { evidence: string[] }[] };
    for (const claim of value.claims) claim.evidence = ["NAT-NOWHERE-1"];
    return { ...played, reply: { value } };
  },
};

/** Everything that a page says around what was said: all text but the bodies of claims, sources and what speakers wrote. */
async function listFrame(query: string, player: Player): Promise<{ language: "id" | "en"; frame: string[] }> {
  const config = LawConfigSchema.parse({});
  const { result, turns } = await runDebate({ pack: law, input: { query }, config, cast: () => player });
  if (!result.decision) throw new Error("no decision");
  const finished = { input: { query }, material: null, config, result, turns };
  const flip = { name: "", before: "", after: "" };
  const change = {
    tried: 3,
    untried: [],
    levers: [{ setting: "x", from: 1, to: 2, direction: "or more" as const, flips: [flip] }],
  };
  const language = result.decision.language;
  const page = {
    sections: law.view(finished),
    headline: {},
    change,
    why: [],
    language: law.languageOf?.(result.decision),
  };
  const unchanged = { ...page, change: { tried: 3, untried: [], levers: [] } };
  const sections = [page, unchanged].flatMap((one) => pickMainSections(one as unknown as ExportPage));
  const files = law.artifacts?.(finished).filter(({ name }) => name.endsWith(".md")) ?? [];
  const told = law.tell?.({ ...finished, decision: result.decision });
  const shown = [
    law.report(finished),
    sections,
    files.map(({ content }) => content),
    told,
    law.headline?.(result.decision),
  ];
  return { language, frame: listTexts(shown).map(withoutSources) };
}

/** What stands for itself: what speakers wrote, what sources say, and the question. */
const spoken = new Set(["body", "text", "lines", "says", "exhibits", "change", "more"]);
/** Names and marks for programs. */
const unseen = new Set(["kind", "id", "turn", "tone", "links", "uses", "answers", "standing", "repeats"]);

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((one) => listTexts(one));
  const isHeadline = Object.values(value).every((one) => typeof one === "string") && !("kind" in value);
  return Object.entries(value).flatMap(([name, one]) => [
    ...(isHeadline && /[A-Z ]/.test(name) ? [name] : []),
    ...(unseen.has(name) || (spoken.has(name) && !isLabelled(value)) ? [] : listTexts(one)),
  ]);
}

/** Sections of a text that the rules wrote, not a speaker. */
function isLabelled(value: object): boolean {
  return "id" in value && value.id === "change";
}

function withoutSources(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith("↳"))
    .join("\n");
}

describe.each(["id", "en"] as const)("a page in %s", (language) => {
  test.each(cases[language])("has no word of the other language in its frame: %s", async (query) => {
    for (const player of [expertPlayer(), faulty]) {
      const page = await listFrame(query, player);
      expect(page.language).toBe(language);
      expect(page.frame.length).toBeGreaterThan(10);
      for (const text of page.frame) expect([text, listStrayWords(text, language)]).toEqual([text, []]);
      const codes = page.frame.filter((text) => /\b[a-z]+_[a-z_]+\b/.test(text) && !/^[\w:|, -]+$/.test(text));
      expect(codes).toEqual([]);
    }
  });
});
