/** One article named in a text, with the paragraph when one is named. */
export type ArticleReference = { start: number; end: number; text: string; article: string; paragraph: number | null };

const paragraph = String.raw`(?:\s*(?:,\s*)?(?:ayat|paragraph|para\.?)\s*\(?(\d{1,2})\)?|\((\d{1,2})\))`;
const detail = String.raw`(?:\s*(?:,\s*)?(?:sub|huruf|angka|butir|letter|point)\s+\(?[\p{L}\d]{1,3}\)?)*`;
const article = String.raw`(\d{1,4}(?:\s?[A-Za-z](?![\p{L}\p{N}]))?)`;
const first = new RegExp(
  String.raw`\b(?:Pasal(?:-pasal)?|Psl\.?|Articles?|Arts?\.?)\s*${article}${paragraph}?${detail}`,
  "giu",
);
const next = new RegExp(
  String.raw`^(\s*(?:,|dan|and|serta|jo\.?|,\s*dan|-|–|s\.?d\.?|sampai(?: dengan)?|to)\s*)${article}(?!\s*(?:/|Tahun|of\b))${paragraph}?${detail}`,
  "iu",
);

/** The articles that a text names: "Pasal 35, 36 dan 37", "Pasal 35-37", "Article 1320". */
export function findArticleReferences(text: string): ArticleReference[] {
  return [...text.matchAll(first)].flatMap((match) => readList(text, readArticle(match, match.index, 1)));
}

function readList(text: string, head: ArticleReference): ArticleReference[] {
  const list = [head];
  for (let rest = next.exec(text.slice(head.end)); rest; ) {
    const last = list.at(-1) ?? head;
    const one = readArticle(rest, last.end, 2);
    list.push(...fillRange(last, one, rest[1] ?? ""), one);
    rest = next.exec(text.slice(one.end));
  }
  return list;
}

function fillRange(from: ArticleReference, to: ArticleReference, joint: string): ArticleReference[] {
  const [low, high] = [Number(from.article), Number(to.article)];
  if (!/^\s*(?:-|–|s\.?d|sampai|to)/iu.test(joint) || !(high > low + 1 && high - low < 30)) return [];
  return Array.from({ length: high - low - 1 }, (_, step) => ({
    ...from,
    text: `Pasal ${low + step + 1}`,
    article: String(low + step + 1),
    paragraph: null,
  }));
}

function readArticle(match: RegExpMatchArray, index: number, group: number): ArticleReference {
  const number = match[group] ?? "";
  const paragraph = match[group + 1] ?? match[group + 2];
  const article = number.replace(/\s/g, "").toLowerCase();
  const joint = group === 1 ? "" : (match[1] ?? "");
  const written = match[0].slice(joint.length).trim();
  return {
    start: index + joint.length,
    end: index + match[0].length,
    text: group === 1 ? written : `Pasal ${written}`,
    article,
    paragraph: paragraph === undefined ? null : Number(paragraph),
  };
}
