import { parse } from "yaml";
import { ParleyError } from "../../contract/error.ts";
import { type Category, CategorySchema, IncidentSchema } from "../../contract/incident.ts";
import { parseLines } from "../logs/index.ts";
import { gatherEvidence } from "./learn-incident.ts";
import { matchSign } from "./signs.ts";

const headings = {
  cause: /root cause|^cause|why it happened|what went wrong/i,
  resolution: /resolution|remediation|fix|action items|mitigation|recovery|what we did|follow.?up/i,
  symptoms: /symptom|impact|summary|detection|what happened|description/i,
};
const mostItems = 12;

/**
 * Reads a Markdown post-mortem as an incident: headings name the parts, the lines of its code blocks are read like
 * a log, and the front matter may give any field of an incident (root-cause spec §3.3).
 */
export async function readPostMortem(name: string, markdown: string): Promise<Record<string, unknown>> {
  const { matter, body } = readFrontMatter(name, markdown);
  const title = /^#\s+(.+)$/m.exec(body)?.[1]?.trim() ?? name;
  const cause =
    typeof matter.cause === "string" ? matter.cause : listParagraphs(findText(body, headings.cause)).join(" ");
  if (cause.trim() === "")
    throw new ParleyError(
      "bad_input",
      `${name}: no root cause; add a heading "Root cause" with a sentence, or \`cause:\` in the front matter`,
    );
  const lines = findLogLines(body);
  const log = lines.length === 0 ? null : await parseLines(lines, { name });
  return {
    id: makeId(title, name),
    title,
    symptoms: listItems(findText(body, headings.symptoms)),
    ...(log &&
      gatherEvidence(
        log,
        cause,
        log.templates.map(({ template }) => template),
      )),
    cause,
    category: matter.category ?? findCategory(name, [cause, ...lines]),
    resolution: listItems(findText(body, headings.resolution)),
    ...matter,
  };
}

function readFrontMatter(name: string, markdown: string): { matter: Record<string, unknown>; body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(markdown);
  if (!match) return { matter: {}, body: markdown };
  try {
    const given = Object.entries((parse(match[1] ?? "") ?? {}) as Record<string, unknown>);
    const matter = Object.fromEntries(given.filter(([key]) => key in IncidentSchema.shape));
    return { matter, body: markdown.slice(match[0].length) };
  } catch (cause) {
    throw new ParleyError("bad_input", `${name}: the front matter is not valid YAML`, { cause });
  }
}

/** The text under a heading, without code. */
function findText(body: string, heading: RegExp): string {
  const parts = body.split(/^#{1,6}\s+(.+)$/m);
  return parts
    .filter((_, index) => index > 0 && index % 2 === 0 && heading.test(parts[index - 1] ?? ""))
    .join("\n\n")
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/\*\*|`/g, "");
}

function findLogLines(body: string): string[] {
  const blocks = [...body.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) => block.split("\n"));
  return blocks.filter((line) => line.trim() !== "");
}

function listParagraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((part) =>
      part
        .replace(/\s+/g, " ")
        .trim()
        .replace(/^[-*] /, ""),
    )
    .filter(Boolean);
}

function listItems(text: string): string[] {
  const items = Array.from(text.matchAll(/^\s*(?:[-+*]|\d+[.)])\s+(?:\[[ x]\]\s*)?(.+)$/gim), ([, item = ""]) =>
    item.trim(),
  );
  return (items.length > 0 ? items : listParagraphs(text)).slice(0, mostItems);
}

function findCategory(name: string, texts: readonly string[]): Category {
  const [sign] = texts
    .flatMap((text) => matchSign(text) ?? [])
    .filter(({ role }) => role === "cause")
    .toSorted((a, b) => b.strength - a.strength);
  if (sign) return sign.category;
  throw new ParleyError(
    "bad_input",
    `${name}: the text does not say what kind of cause it was; add \`category: ${CategorySchema.options.join("|")}\` to the front matter`,
  );
}

function makeId(title: string, name: string): string {
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return slug.replace(/^-|-$/g, "").slice(0, 60) || name.replace(/\W+/g, "-");
}
