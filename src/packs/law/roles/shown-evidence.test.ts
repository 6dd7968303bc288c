import { expect, test } from "vitest";
import { noUsage } from "../../../contract/usage.ts";
import type { Player } from "../../../engine/player.ts";
import { renderPrompt } from "../../../engine/prompt.ts";
import { runDebate } from "../../../engine/run-debate.ts";
import { type CaseFile, findEvidence, loadKnowledge } from "../../../knowledge/law/index.ts";
import { LawConfigSchema } from "../config.ts";
import { law } from "../pack.ts";
import { AgentOutputSchema, ResponseSchema } from "../schemas/agent-output.ts";
import { CritiqueMessageSchema, CritiqueSchema, CritiqueVerdictSchema } from "../schemas/critique-message.ts";
import { SoloAnswerSchema } from "../schemas/solo-answer.ts";
import { SupervisionSchema } from "../schemas/supervision.ts";

type Shown = { role: string; text: string; file: CaseFile };

/** Every prompt of a debate of experts, with the case that its speaker is checked against. */
async function showPrompts(query: string, config: object = {}): Promise<Shown[]> {
  const shown: Shown[] = [];
  const player: Player = {
    id: "experts",
    async play(role, input, { prompt }) {
      const { system, shared, own } = renderPrompt(prompt);
      shown.push({ role: role.name, text: [system, ...shared, ...own].join("\n"), file: (input as Shown).file });
      return { reply: { value: await role.expert?.(input) }, usage: noUsage, finish: null, final: true };
    },
  };
  await runDebate({ pack: law, input: { query }, config: LawConfigSchema.parse(config), cast: () => player });
  return shown;
}

const questions = [
  "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata, keluarganya menolak menurut adat.",
  "Dalam keadaan apa pusako tinggi boleh digadaikan menurut adat Minangkabau?",
  "Gadis 16 tahun di Jawa akan dikawinkan menurut adat, padahal kantor menolak mencatatnya.",
];
const known = new Set(loadKnowledge().items.map(({ id }) => id));

test.each(questions)("each id that a prompt shows is accepted as evidence from whoever reads it: %s", async (query) => {
  for (const { role, text, file } of await showPrompts(query)) {
    const ids = [...text.matchAll(/(?:NAT|ADT)-[A-Z0-9-]+|(?:rule|kg):[a-z][^"\s\\]*/g)].map(([id]) => id);
    const real = ids.filter((id) => known.has(id) || id.includes(":"));
    expect(
      real.filter((id) => !findEvidence(file, id)),
      role,
    ).toEqual([]);
  }
});

test("each side holds what the other does not: an opening shows no norm of the other law but what both need", async () => {
  const [first = "", second = ""] = questions;
  for (const query of [first, second]) {
    const prompts = await showPrompts(query);
    const national = prompts.find(({ role }) => role === "nla")?.text ?? "";
    const adat = prompts.find(({ role }) => role === "ala")?.text ?? "";
    expect(/"id":\s*"ADT-/.test(national)).toBe(false);
    expect(/"id":\s*"NAT-KUHPER-852"/.test(adat)).toBe(false);
  }
});

test("the router's label is not shown to anyone", async () => {
  for (const { text } of await showPrompts(questions[0] ?? "")) expect(text).not.toMatch(/pure_national|"label"/);
});

/** Keys that conclude, each after the keys that give its reasons. */
test.each([
  ["agent", AgentOutputSchema, ["responses", "claims", "answer"]],
  ["response", ResponseSchema, ["reason", "evidence", "response"]],
  ["critique", CritiqueSchema, ["description", "evidence", "issue_type", "severity"]],
  ["critic", CritiqueMessageSchema, ["verdicts", "critiques"]],
  ["verdict", CritiqueVerdictSchema, ["reason", "verdict"]],
  ["supervisor", SupervisionSchema, ["used_claims", "reasons", "position", "answer"]],
  ["solo", SoloAnswerSchema, ["claims", "reasons", "position", "answer"]],
] as const)("%s: reasons come before conclusions", (_, schema, order) => {
  const keys = Object.keys(schema.shape);
  const places = order.map((key) => keys.indexOf(key));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});
