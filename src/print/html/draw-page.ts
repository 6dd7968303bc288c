import { html, type Markup, type Part, trusted } from "../../text/html.ts";
import { chartStyle, pageStyle, sectionStyle } from "./style.ts";

/** A page: what stands at its top, what it contains, and what is said at its end. */
export type Page = {
  title: string;
  language: string;
  head: Markup;
  contents: { id: string; title: string; more?: Part }[];
  main: Markup;
  foot: Markup;
  /** What leads past the contents, and what these are called; English when left out. */
  ways?: { skip: string; contents: string };
  /** Rules for what only this page has. */
  style?: string;
};

const english = { skip: "to the content", contents: "On this page" };

/** One HTML file that opens from disk and can be printed: no script, no outside resource. */
export function drawPage({ title, language, head, contents, main, foot, style = "", ways = english }: Page): string {
  const links = contents.map(({ id, title: name, more }) => html`<li><a href="#${id}">${name}</a>${more}</li>`);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${title} · Parley</title>
<style>${trusted(pageStyle + sectionStyle + chartStyle + style)}</style>
</head>
<body><a class="skip" href="#main">${ways.skip}</a>
<header class="top">${head}</header>
<div class="frame"><nav aria-label="${ways.contents}"><ul>${links}</ul></nav>
<main id="main">
${main}</main></div>
<footer>${foot}</footer>
</body>
</html>
`.markup;
}
