import { type Citable, type Citing, hasItems, listRecords, textOfBlocks, withFirst } from "./citing.ts";

type Material = { lines: { ref: number | string; text: string }[] };

const nobodySaid = "words that nobody ever wrote here";

/** Passages, quoted word for word with their source. */
const passages: Citing = {
  pack: "question",
  canCite: (reply) => "quotes" in reply && (reply as { answer?: unknown }).answer !== null,
  listShown: (prompt) =>
    listRecords(prompt, "source", "text").map(({ source, text }) => ({
      id: `${String(source)}: ${String(text)}`,
      cited: { source, quote: text },
    })),
  unseen: [{ id: nobodySaid, cited: { source: "harbour-report.txt", quote: nobodySaid } }],
  cite: (reply, { cited }) => ({ ...reply, quotes: [cited] }),
  isRefusal: ({ code }) => ["invented_quote", "stitched_quote", "misattributed_quote"].includes(code),
};

/** The items of law in a value, however deep they stand: under the law they belong to, and in the answers that cite them. */
function listItems(value: unknown): Citable[] {
  if (value === null || typeof value !== "object") return [];
  const { id, title, statement } = value as Record<string, unknown>;
  if (typeof id === "string" && title !== undefined && statement !== undefined) return [{ id, cited: id }];
  return Object.values(value).flatMap(listItems);
}

/** Provisions, norms, rules and relations of law, cited by their id. */
const sources: Citing = {
  pack: "law",
  canCite: (reply) => hasItems(reply, "claims"),
  listShown: ({ blocks, own }) =>
    [...blocks, ...own].flatMap((block) => listItems("json" in block ? block.json : null)),
  unseen: ["NAT-KUHPER-9999", "ADT-XXX-01", "rule:none:at-all"].map((id) => ({ id, cited: id })),
  cite: (reply, { cited }) => withFirst(reply, "claims", { evidence: [cited] }),
  isRefusal: ({ code }) => code === "unknown_evidence",
};

type Quote = { kind: "log"; ref: string | number };

/** The quotes of log lines, however deep they stand: hypotheses are shown with their evidence. */
function listQuotes(value: unknown): Quote[] {
  if (value === null || typeof value !== "object") return [];
  const { kind, ref } = value as Partial<Quote>;
  return kind === "log" && ref !== undefined ? [{ kind, ref }] : Object.values(value).flatMap(listQuotes);
}

/** Lines of a log, by number and words, and the past incidents; an error or a quote shows a line too. */
const logLines: Citing = {
  pack: "root-cause",
  canCite: (reply) => hasItems(reply, "hypotheses"),
  listShown(prompt) {
    const text = textOfBlocks(prompt);
    const whole = [...text.matchAll(/^(\d+) \| (.*\S.*)$/gm)].map(([, ref, line = ""]): Citable => {
      return { id: `line ${ref}`, cited: { kind: "log", ref: Number(ref), quote: line.trim() } };
    });
    const incidents = listRecords(prompt, "incident_id", "title").map(({ incident_id, title }): Citable => {
      return { id: `incident ${String(incident_id)}`, cited: { kind: "kg", ref: incident_id, quote: title } };
    });
    const errors = listRecords(prompt, "line", "message").map(({ line, message }): Citable => {
      return { id: `line ${String(line)}`, cited: { kind: "log", ref: line, quote: String(message).split("\n")[0] } };
    });
    return [...whole, ...errors, ...incidents];
  },
  listGiven: (input) =>
    (input as { material: Material }).material.lines.map(({ ref, text }) => ({
      id: `line ${ref}`,
      cited: { kind: "log", ref, quote: text.trim() },
    })),
  quotes: ({ blocks, own }, id) =>
    [...blocks, ...own].some(
      (block) => "json" in block && listQuotes(block.json).some(({ ref }) => `line ${ref}` === id),
    ),
  unseen: [
    { id: "line 999999", cited: { kind: "log", ref: 999_999, quote: "error" } },
    { id: "incident none", cited: { kind: "kg", ref: "no-such-incident", quote: "error" } },
    { id: "line 1, other words", cited: { kind: "log", ref: 1, quote: nobodySaid } },
  ],
  cite: (reply, { cited }) => withFirst(reply, "hypotheses", { evidence: [cited] }),
  isRefusal: ({ path }) => path?.includes("evidence") ?? false,
};

/** Lines of a log that a prompt only names: `"line": 77` among its errors, timeline and patterns. */
const namedLines: Citing = {
  ...logLines,
  listShown(prompt) {
    const text = textOfBlocks(prompt);
    const shown = [...text.matchAll(/^(\d+) \| /gm)].map(([, ref = ""]) => ref);
    const named = [...text.matchAll(/"lines?":\[?([\d,]+)/g)].flatMap(([, numbers = ""]) =>
      numbers.split(",").filter(Boolean),
    );
    return [...new Set([...named, ...shown])].map((ref) => ({
      id: `line ${ref}`,
      cited: { kind: "log", ref: Number(ref), quote: "whatever it says" },
    }));
  },
  unseen: logLines.unseen.slice(0, 1),
  isRefusal: ({ code }) => code === "not_shown",
};

/** Words of the text that is read: an aspect with its span, the evidence of an opinion. */
function wordsOf(list: string, cite: Citing["cite"], keys: readonly string[]): Citing {
  return {
    pack: "sentiment",
    canCite: (reply) => hasItems(reply, list),
    listShown(prompt) {
      const block = prompt.blocks.find((one) => "text" in one && /text/i.test(one.label));
      const text = block && "text" in block ? block.text : "";
      return [...text.matchAll(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)?/gu)].map(({ 0: term, index: start }) => ({
        id: `${term} at ${start}`,
        cited: { term, span: { start, end: start + term.length } },
      }));
    },
    unseen: [{ id: nobodySaid, cited: { term: nobodySaid, span: { start: 0, end: nobodySaid.length } } }],
    cite,
    isRefusal: ({ path }) => path?.some((part) => keys.includes(String(part))) ?? false,
  };
}

const terms = wordsOf("aspects", (reply, { cited }) => withFirst(reply, "aspects", cited as object), ["term", "span"]);
const opinions = wordsOf(
  "aspect_sentiments",
  (reply, { cited }) => withFirst(reply, "aspect_sentiments", { evidence: (cited as { term: string }).term }),
  ["evidence"],
);

/** How the replies of every pack cite; a new way of citing is added here. */
export const citings: Record<string, Citing> = {
  "question: passages": passages,
  "law: sources": sources,
  "root-cause: lines and incidents": logLines,
  "root-cause: lines that are only named": namedLines,
  "sentiment: terms": terms,
  "sentiment: evidence of opinions": opinions,
};
