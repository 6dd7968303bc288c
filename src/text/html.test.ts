import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeAttribute, escapeHtml, html, trusted } from "./html.ts";

it("escapes what it is given and leaves markup alone", () => {
  expect(html`<p title="${'"<&'}">${["a<", trusted("<b>x</b>"), null, 3]}</p>`.markup).toBe(
    '<p title="&quot;&lt;&amp;">a&lt;<b>x</b>3</p>',
  );
});

it("shows control characters in content, and leaves them out of attributes, where markup would break them", () => {
  expect(html`<p title="a ${"\u202Eb"}">${"\u202Eb\u0000"}</p>`.markup).toBe(
    '<p title="a  b"><span class="ctl">U+202E</span>b<span class="ctl">U+0000</span></p>',
  );
  const part = html` title="${"\u0007x"}"`;
  expect(html`<p${part}></p>`.markup).toBe('<p title=" x"></p>');
  expect(html`<p class="${"a\u0007"} ${"b\u0007"}"></p>`.markup).toBe('<p class="a  b "></p>');
});

const marks = "<>\"'`&;/= ax가\u0000\u001B\u009B\u202E\u2066\n".split("");

it("no text opens a tag, closes an attribute or leaves a control character", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...marks) }), (text) => {
      const content = escapeHtml(text).replaceAll(/<span class="ctl">U\+[0-9A-F]{4}<\/span>/g, "");
      expect(content).not.toMatch(/[<>"'`]/);
      const attribute = escapeAttribute(text);
      expect(attribute).not.toMatch(/[<>"'`\u0000-\u001F\u202A-\u202E\u2066-\u2069]/);
      expect(html`<i title="${text}">${text}</i>`.markup).toBe(`<i title="${attribute}">${escapeHtml(text)}</i>`);
    }),
  );
});
