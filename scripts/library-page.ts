/** The page of what `parley` exports, written from the doc comments: `node scripts/library-page.ts` writes docs/library.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const entry = join(root, "src/index.ts");

type Exported = { name: string; file: string };
type Described = Exported & { kind: "function" | "class" | "value" | "type"; signature: string; comment: string };

/** The whole page. */
export function writeLibraryPage(): string {
  const all = listExports().map(describe);
  const bare = all.filter(({ comment }) => comment === "").map(({ name, file }) => `${name} (${relative(root, file)})`);
  if (bare.length > 0) throw new Error(`exported without a doc comment: ${bare.join(", ")}`);
  const rows = all.filter(({ kind }) => kind !== "type").map(writeRow);
  const table = `| name | what it does |\n|---|---|\n${rows.join("\n")}`;
  return `${heading}\n\n## Functions and values\n\n${table}\n\nThe types of everything above are exported too; your editor shows them.\n`;
}

const heading = `# The library

\`\`\`ts
import { runDebate } from "parley";
import { question } from "parley/question";

const { result } = await runDebate(question, "Which is the largest planet?", { cast: "openai/gpt-5-mini" });
\`\`\`

What \`import … from "parley"\` offers (made by \`node scripts/library-page.ts\`). The packs are \`parley/question\`, \`parley/sentiment\`, \`parley/law\` and \`parley/root-cause\`; studies are \`parley/studies\`. See also [your own player](own-player.md), [your own pack](packs.md) and the [HTTP API](api.md).`;

function writeRow({ name, kind, signature, comment }: Described): string {
  const call = kind === "function" ? `${name}(${listParameters(signature).join(", ")})` : name;
  return `| \`${call}\` | ${comment.replaceAll("|", "\\|")} |`;
}

/** The names of a function's parameters: what stands before a colon, outside of all brackets. */
function listParameters(signature: string): string[] {
  const from = signature.indexOf("(");
  const names: string[] = [];
  let depth = 0;
  let start = from + 1;
  for (let at = from; at < signature.length && (depth > 0 || at === from); at += 1) {
    const sign = signature[at] ?? "";
    if ("([{<".includes(sign)) depth += 1;
    const isArrow = sign === ">" && signature[at - 1] === "=";
    if (")]}>".includes(sign) && !isArrow) depth -= 1;
    if ((sign === "," && depth === 1) || depth === 0) {
      const name = /^\s*(\w+|\{)/.exec(signature.slice(start, at))?.[1];
      if (name !== undefined) names.push(name === "{" ? "options" : name);
      start = at + 1;
    }
  }
  return names;
}

/** What the entry exports: names that it passes on, and what it declares itself. */
function listExports(): Exported[] {
  const text = readFileSync(entry, "utf8");
  const passed = [...text.matchAll(/^export (?:type )?\{([^}]+)\} from "([^"]+)";/gm)].flatMap(
    ([, names = "", from = ""]) =>
      names
        .split(",")
        .map((name) => name.replace(/^\s*(type\s+)?/, "").trim())
        .filter((name) => name !== "")
        .map((name) => ({ name, file: resolve(dirname(entry), from) })),
  );
  const own = [...text.matchAll(/^export (?:async )?(?:function|type|const|class) (\w+)/gm)];
  return [...own.map(([, name = ""]) => ({ name, file: entry })), ...passed];
}

function describe({ name, file }: Exported): Described {
  const text = readFileSync(file, "utf8");
  const found = new RegExp(`^export (?:async )?(function\\*?|type|const|class) ${name}\\b`, "m").exec(text);
  if (!found) throw new Error(`${relative(root, file)} does not declare ${name}`);
  const word = (found[1] ?? "").replace("*", "");
  const declared = text.slice(found.index);
  const schema = /^export type \w+ = z\.infer<typeof (\w+)>/.exec(declared)?.[1];
  if (schema !== undefined)
    return { name, file, kind: "type", signature: "", comment: readSchemaComment(text, schema) };
  const kind = word === "const" ? "value" : (word as "function" | "class" | "type");
  return {
    name,
    file,
    kind,
    signature: cutSignature(declared, word),
    comment: readComment(text.slice(0, found.index)),
  };
}

/** A type that is inferred from a schema is what the schema says. */
function readSchemaComment(text: string, schema: string): string {
  return readComment(text.slice(0, text.search(new RegExp(`^export const ${schema}\\b`, "m"))));
}

/** Of a function, class or value what comes before its body; types have none. */
function cutSignature(declared: string, word: string): string {
  if (word === "type") return "";
  const text = declared.replace(/^export /, "").replace(/^async /, "");
  if (word === "const") return `${(/^const [^=]+/.exec(text)?.[0] ?? "").trim()};`;
  const body = word === "class" ? text.search(/ \{\n/) : findBody(text);
  return `${text.slice(0, body).trimEnd()};`;
}

/** Where the body of a function begins: the brace that ends a line outside of all parentheses. */
function findBody(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if ("([".includes(sign)) depth += 1;
    else if (")]".includes(sign)) depth -= 1;
    else if (sign === "{" && depth === 0 && text[at + 1] === "\n") return at;
  }
  return text.length;
}

/** The doc comment right before a declaration, as text; empty when there is none. */
function readComment(before: string): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:\/\/ oxlint[^\n]*\s*)?$/.exec(before)?.[1] ?? "";
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .join(" ")
    .trim();
}

if (import.meta.main) writeFileSync(join(root, "docs/library.md"), writeLibraryPage());
