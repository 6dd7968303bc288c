import { Parser } from "htmlparser2";

const silent = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "select", "textarea"]);
const blocks = new Set(
  "p div section article header footer main nav aside ul ol li table tr thead tbody dl dt dd blockquote pre figure figcaption br hr form h1 h2 h3 h4 h5 h6 title".split(
    " ",
  ),
);

/** The text of a page as a reader sees it: headings marked, blocks apart, neither scripts nor what is hidden. */
export function readHtml(html: string): string {
  const parts: string[] = [];
  const hidden: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const isHidden =
        silent.has(name) ||
        "hidden" in attributes ||
        /display:\s*none|visibility:\s*hidden/i.test(attributes.style ?? "");
      if ((isHidden || hidden.length > 0) && !isVoid(name)) hidden.push(name);
      if (hidden.length > 0) return;
      const level = name === "title" ? 1 : Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
      if (blocks.has(name))
        parts.push(level > 0 ? `\n\n${"#".repeat(level)} ` : name === "br" || name === "tr" ? "\n" : "\n\n");
      if (name === "td" || name === "th") parts.push(" ");
    },
    ontext(text) {
      if (hidden.length === 0) parts.push(text.replaceAll(/\s+/g, " "));
    },
    onclosetag(name) {
      if (hidden.length > 0 && hidden.at(-1) === name) hidden.pop();
      else if (blocks.has(name) && hidden.length === 0) parts.push("\n\n");
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

function isVoid(name: string): boolean {
  return /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(name);
}
