import { Parser } from "htmlparser2";

const silent = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "select", "textarea"]);
const blocks = new Set(
  "p div section article header footer main nav aside ul ol li table tr thead tbody dl dt dd blockquote pre figure figcaption br hr form h1 h2 h3 h4 h5 h6 title".split(
    " ",
  ),
);

const deepest = 5_000;

type Table = { rows: string[][]; isNamed: boolean };

export function readHtml(html: string): string {
  const parts: string[] = [];
  const hidden: string[] = [];
  const tables: Table[] = [];
  const say = (text: string): void => {
    const row = tables.at(-1)?.rows.at(-1);
    if (!row) parts.push(text);
    else if (row.length > 0) row[row.length - 1] += text;
  };
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      // The parser takes minutes for a page whose tags are never closed.
      if (depth > deepest) throw new Error(`its tags are nested more than ${deepest} deep`);
      const isHidden =
        silent.has(name) ||
        "hidden" in attributes ||
        /display:\s*none|visibility:\s*hidden/i.test(attributes.style ?? "");
      if ((isHidden || hidden.length > 0) && !isVoid(name)) hidden.push(name);
      if (hidden.length > 0) return;
      const level = name === "title" ? 1 : Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
      const table = tables.at(-1);
      if (name === "table") tables.push({ rows: [], isNamed: false });
      else if (name === "tr") table?.rows.push([]);
      else if (name === "td" || name === "th") {
        if (table?.rows.length === 1 && name === "th") table.isNamed = true;
        table?.rows.at(-1)?.push("");
      } else if (blocks.has(name)) say(level > 0 ? `\n\n${"#".repeat(level)} ` : name === "br" ? "\n" : "\n\n");
    },
    ontext(text) {
      if (hidden.length === 0) say(text.replaceAll(/\s+/g, " "));
    },
    onclosetag(name) {
      depth -= 1;
      if (hidden.length > 0 && hidden.at(-1) === name) hidden.pop();
      else if (hidden.length > 0) return;
      else if (name === "table") say(`\n\n${writeTable(tables.pop())}\n\n`);
      else if (blocks.has(name) && name !== "tr") say("\n\n");
    },
  });
  parser.write(html);
  parser.end();
  return parts
    .join("")
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function writeTable({ rows, isNamed }: Table = { rows: [], isNamed: false }): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
  // Tables without names are often only layout: keep the parts of a cell separate.
  if (!isNamed && !hasHead(filled))
    return filled.map((row) => row.join(row.some((cell) => /\n\s*\n/.test(cell.trim())) ? "\n\n" : " ")).join("\n");
  const lines = filled.map((row) => row.map((cell) => cell.replaceAll(/\s+/g, " ").replaceAll("|", "/").trim()));
  const [names = [], ...rest] = lines.map((row) => `| ${row.join(" | ")} |`);
  return [names, `|${"---|".repeat(lines[0]?.length ?? 1)}`, ...rest].join("\n");
}

function hasHead(rows: string[][]): boolean {
  const [head = [], ...rest] = rows;
  const isName = (cell: string): boolean => /^[^\d\n]{1,40}$/.test(cell.trim());
  return head.length > 1 && rest.length > 0 && head.every(isName) && rest.every((row) => row.length === head.length);
}

function isVoid(name: string): boolean {
  return /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(name);
}
