/** What prompts once told a model twice and differently, each shown to be gone in the prompts of real debates. */
import { expect, test } from "vitest";
import type { Block } from "../src/contract/prompt.ts";
import { renderPrompt } from "../src/engine/prompt.ts";
import { sampleTurns } from "./abuse/sampled-turns.ts";

const turns = await sampleTurns(8);

/** The prompts of a role as they are sent, each once. */
function listPrompts(pack: string, role: RegExp) {
  const own = turns.filter((turn) => turn.pack === pack && role.test(turn.role.name));
  expect(own.length).toBeGreaterThan(0);
  return own.map(({ role: one, input, round, reply }) => ({ ...one.prompt(input), one, input, round, reply }));
}

const textOf = ({ own }: { own: Block[] }): string =>
  own.map((block) => ("text" in block ? block.text : "")).join("\n");
const jsonOf = (blocks: Block[], label: RegExp): unknown =>
  blocks.flatMap((block) => (label.test(block.label) && "json" in block ? [block.json] : []))[0];

test.each(["law", "question", "sentiment"])(
  "%s: what a block of the organisers says is not called material that never instructs",
  (pack) => {
    for (const { instructions, own, one } of listPrompts(pack, /./))
      for (const block of own.filter((each) => "text" in each || each.label === "PERSONA")) {
        const label = block.label.replaceAll(/[[\]]/g, "");
        expect([one.name, label, instructions.includes(label)]).toEqual([one.name, label, true]);
      }
  },
);

test("law: a critic is never told to answer the question", () => {
  for (const prompt of listPrompts("law", /_critic$/)) {
    expect(prompt.instructions + textOf(prompt)).not.toMatch(/jawab pertanyaan menurut|answer the question by/i);
    expect(textOf(prompt)).toMatch(/tidak menjawab pertanyaannya|Do not answer the question/);
  }
});

test("law: both agents may have no claims, and it costs no repair", () => {
  for (const { one, input, reply, ...prompt } of listPrompts("law", /^[na]la$/).filter(({ round }) => round === 1)) {
    expect(textOf(prompt)).toMatch(/0 (?:sampai|to) 6/);
    expect(one.check?.({ ...reply, claims: [], answer: "Tidak diketahui." }, input)).toEqual([]);
  }
});

test("law: fewer than three critiques with a reason are taken without a repair, and none need be made up", () => {
  for (const { one, input, reply, ...prompt } of listPrompts("law", /_critic$/).filter(({ round }) => round === 1)) {
    expect(textOf(prompt)).toMatch(/fewer_reason/);
    const few = { ...reply, critiques: [], cleared: [], fewer_reason: "Tidak ada kritik lain." };
    expect(one.check?.(few, input)).toEqual([]);
  }
});

test("law: CRITICAL means that the source is not there, does not say it, or cannot apply, and nothing else", () => {
  for (const prompt of listPrompts("law", /_critic$/))
    expect(textOf(prompt)).toMatch(/`CRITICAL` (?:hanya jika sumbernya tidak ada|only if the source does not exist)/);
});

test("law: a revision's own answer stands where its task says that it stands", () => {
  for (const prompt of listPrompts("law", /^[na]la$/).filter(({ round }) => round > 1)) {
    const labels = [...prompt.blocks, ...prompt.own].map(({ label }) => label);
    const agent = prompt.one.name.toUpperCase();
    const [answer, task] = [`^${agent}, (?:PUTARAN|ROUND) \\d$`, "^(?:TUGAS|TASK)$"].map((label) =>
      labels.findIndex((one) => new RegExp(label).test(one)),
    );
    expect(answer).toBeLessThan(task ?? -1);
    expect(answer).toBeGreaterThanOrEqual(0);
    expect(textOf(prompt)).toMatch(/jawaban pihak Anda|your side's answer/);
    expect(prompt.instructions + textOf(prompt)).not.toMatch(/di bawah ini adalah jawaban|below is your answer/i);
  }
});

test("law: every block that the instructions name is called so, and no other name stands for it", () => {
  const prompts = listPrompts("law", /./);
  const debated = new Set(prompts.flatMap(({ blocks, own }) => [...blocks, ...own].map(({ label }) => label)));
  for (const { instructions, blocks, own } of prompts) {
    const labels = [...blocks, ...own].map(({ label }) => label);
    const [everyTurn = "", someTurns = ""] = instructions.split(/^## (?:Cara setiap pihak|How each side)/m);
    const names = (text: string) => [...text.matchAll(/`([A-Z][A-Z ]{3,})`/g)].map(([, name = ""]) => name);
    expect(names(everyTurn).length).toBeGreaterThan(0);
    expect(names(everyTurn).filter((name) => !labels.includes(name))).toEqual([]);
    const inSome = names(someTurns).filter((name) => !/^(?:CRITICAL|MAJOR|MINOR)$/.test(name));
    expect(inSome.filter((name) => !debated.has(name) && !/MEMBATASI|LIMITS/.test(name))).toEqual([]);
  }
});

test("sentiment: whatever the reviewers are shown of a debate is explained to them", () => {
  for (const { blocks, instructions } of listPrompts("sentiment", /_review$/)) {
    const context = jsonOf(blocks, /DEBATE_REVIEW_CONTEXT/) as object | undefined;
    for (const key of Object.keys(context ?? {})) expect(instructions).toContain(`\`${key}\``);
  }
});

test("sentiment: the corrector called Consistency Judge is told apart from the judge", () => {
  for (const { instructions } of listPrompts("sentiment", /^(?:cj|judge)$/).filter((one) =>
    /Consistency/.test(one.instructions),
  ))
    expect(instructions).toMatch(/Consistency Judge is a corrector like the others, not the judge who decides/);
});

test("root-cause: the judge is shown the past incidents that it is to weigh", () => {
  for (const prompt of listPrompts("root-cause", /^judge$/)) {
    const asked = jsonOf(prompt.own, /HYPOTHESES/) as { evidence: string[] }[];
    const cited = asked.flatMap(({ evidence }) => evidence.flatMap((item) => /^kg ([^:]+):/.exec(item)?.[1] ?? []));
    const shown = JSON.stringify(jsonOf(prompt.blocks, /PAST INCIDENTS/));
    for (const ref of cited) expect(shown).toContain(JSON.stringify(ref));
  }
});

test("root-cause: the log reasoner is not told to work from the log alone and to take over what others saw", () => {
  for (const prompt of listPrompts("root-cause", /^log_focused$/)) {
    expect(textOf(prompt)).not.toMatch(/the log alone|only the log/i);
    expect(prompt.instructions).not.toMatch(/the log alone|only the log/i);
    expect(prompt.instructions).toMatch(/only as far as lines or incidents that you were shown support it/);
  }
});

test("root-cause: times are written for people", () => {
  for (const { blocks, own } of listPrompts("root-cause", /./)) {
    const shown = renderPrompt({ instructions: "", blocks, own });
    expect([...shown.shared, ...shown.own].join("\n")).not.toMatch(/(?<!\d)1[4-9]\d{11}(?!\d)/);
  }
});

test("law: evidence holds no string of the inside, and the router's label is shown to nobody", () => {
  for (const { blocks, own } of listPrompts("law", /./)) {
    const shown = JSON.stringify(blocks.filter(({ label }) => /BUKTI|EVIDENCE/.test(label)));
    expect(shown).not.toMatch(/ \((?:NAT|ADT)-|"(?:score|rank|tokens|terms|vector)":/);
    expect(JSON.stringify([blocks, own])).not.toMatch(/pure_national|pure_adat|"label":"consensus"/);
  }
});

test("every role is told who it is, what it sees and what to do when it has nothing", () => {
  const nothing =
    /cannot tell|empty|null|fewer|none|no answer|kosong|no claims?|jangan mengajukan klaim|not enough|tidak cukup/i;
  for (const turn of turns) {
    const { system, own } = renderPrompt(turn.role.prompt(turn.input));
    const shown = [system, ...own].join("\n");
    expect([turn.role.name, nothing.test(shown)]).toEqual([turn.role.name, true]);
    expect([turn.role.name, /\b(?:you|your|Anda)\b/i.test(shown)]).toEqual([turn.role.name, true]);
  }
});
