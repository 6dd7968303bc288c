import { parse } from "yaml";
import { ParleyError } from "../../contract/error.ts";
import { type Category, CategorySchema } from "../../contract/incident.ts";
import { matchSign } from "./signs.ts";
import { findProof } from "./words.ts";

type Section = { title: string; text: string };
const headings = {
  cause: /root cause|^cause|why it happened|what went wrong/i,
  resolution: /resolution|remediation|fix|action items|mitigation|recovery|what we did|follow.?up/i,
  symptoms: /symptom|impact|summary|detection|what happened|description/i,
  chain: /causal chain|chain of events|contributing/i,
};

/** Reads a Markdown post-mortem as an incident: headings name the parts, code blocks hold log lines (root-cause spec §3.3). */
export function readPostMortem(name: string, markdown: string): Record<string, unknown> {
  const { matter, body } = readFrontMatter(name, markdown);
  const sections = splitSections(body);
  const find = (pattern: RegExp) => sections.filter(({ title }) => pattern.test(title));
  const title = readText(matter.title) ?? /^#\s+(.+)$/m.exec(body)?.[1]?.trim() ?? name;
  const cause = readText(matter.cause) ?? listParagraphs(find(headings.cause)).join(" ").trim();
  if (cause === "")
    throw new ParleyError(
      "bad_input",
      `${name}: no root cause; add a heading "Root cause" with a sentence, or \`cause:\` in the front matter`,
    );
  const lines = findLogLines(body);
  return {
    id: readText(matter.id) ?? makeId(title, name),
    title,
    ...(matter.system !== undefined && { system: matter.system }),
    symptoms: listItems(find(headings.symptoms)).slice(0, 12),
    templates: [...new Set(lines.map(maskValues))].slice(0, 40),
    errors: listErrors(lines),
    proof: findProof(cause, lines.map(maskValues)),
    entities: Array.isArray(matter.entities) ? matter.entities : [],
    cause,
    category: readCategory(name, matter.category, cause, lines),
    chain: readChain(find(headings.chain), cause, lines),
    resolution: listItems(find(headings.resolution)).slice(0, 12),
    ...(typeof matter.confidence === "number" && { confidence: matter.confidence }),
    ...(typeof matter.context === "object" && matter.context !== null && { context: matter.context }),
  };
}

function readFrontMatter(name: string, markdown: string): { matter: Record<string, unknown>; body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(markdown);
  if (!match) return { matter: {}, body: markdown };
  try {
    return { matter: (parse(match[1] ?? "") ?? {}) as Record<string, unknown>, body: markdown.slice(match[0].length) };
  } catch (cause) {
    throw new ParleyError("bad_input", `${name}: the front matter is not valid YAML`, { cause });
  }
}

function splitSections(body: string): Section[] {
  const parts = body.split(/^#{1,6}\s+(.+)$/m);
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index) => ({
    title: (parts[index * 2 + 1] ?? "").trim(),
    text: parts[index * 2 + 2] ?? "",
  }));
}

function findLogLines(body: string): string[] {
  const blocks = [...body.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) => block.split("\n"));
  return blocks.map((line) => line.trim()).filter((line) => /\p{L}{3}/u.test(line) && !/^\s*at\s/.test(line));
}

function stripCode(value: string): string {
  return value.replace(/^```[\s\S]*?^```/gm, "").replace(/[*_`]/g, "");
}

function listParagraphs(sections: Section[]): string[] {
  return sections
    .flatMap(({ text }) => stripCode(text).split(/\n\s*\n/))
    .map((part) =>
      part
        .replace(/\s+/g, " ")
        .replace(/^[-*]\s+/, "")
        .trim(),
    )
    .filter(Boolean);
}

function listItems(sections: Section[]): string[] {
  const items = sections.flatMap(({ text }) =>
    [...stripCode(text).matchAll(/^\s*(?:[-+]|\d+[.)])\s+(?:\[[ x]\]\s*)?(.+)$/gim)].map(([, item = ""]) =>
      item.trim(),
    ),
  );
  return items.length > 0 ? items : listParagraphs(sections);
}

function maskValues(line: string): string {
  return line
    .replace(/^\[?\d{4}-\d\d-\d\d[T ]\S+\s*/, "")
    .replace(/\S*\d\S*/g, "<*>")
    .slice(0, 300);
}

function listErrors(lines: string[]) {
  const found = new Map<string, string>();
  for (const line of lines) {
    const type = /\b(?:[a-z]\w*\.)*([A-Z]\w*(?:Exception|Error|Failure|Timeout))\b/.exec(line)?.[1];
    if (type && !found.has(type))
      found.set(type, maskValues(line.slice(line.indexOf(type) + type.length).replace(/^[:\s]+/, "")));
  }
  return [...found].map(([type, message]) => ({ type, message }));
}

/** `a -> b -> c` lines; otherwise from the cause to the first error. */
function readChain(sections: Section[], cause: string, lines: string[]) {
  const arrows = listItems(sections).flatMap((item) => {
    const steps = item.split(/\s*(?:->|→|=>)\s*/).filter(Boolean);
    return steps
      .slice(1)
      .map((effect, index) => ({ cause: steps[index] ?? cause, effect, confidence: 0.8, delay_seconds: 0 }));
  });
  if (arrows.length > 0) return arrows;
  const [first] = listErrors(lines);
  return first ? [{ cause, effect: first.type, confidence: 0.8, delay_seconds: 0 }] : [];
}

function readCategory(name: string, stated: unknown, cause: string, lines: string[]): Category {
  if (stated !== undefined) {
    const checked = CategorySchema.safeParse(readText(stated)?.toLowerCase());
    if (checked.success) return checked.data;
    throw new ParleyError(
      "bad_input",
      `${name}: category ${JSON.stringify(stated)} is not one of ${CategorySchema.options.join(", ")}`,
    );
  }
  const [sign] = [cause, ...lines]
    .flatMap((text) => matchSign(text) ?? [])
    .filter(({ role }) => role === "cause" || role === "symptom")
    .sort((a, b) => b.strength - a.strength);
  if (sign) return sign.category;
  throw new ParleyError(
    "bad_input",
    `${name}: the text does not say what kind of cause it was; add \`category: ${CategorySchema.options.join("|")}\` to the front matter`,
  );
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

function makeId(title: string, name: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  return slug || name.replace(/\W+/g, "-");
}
