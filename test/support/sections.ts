import type { Section } from "../../src/contract/view.ts";

/** A section of every kind, and a chart of every type, that has the same text wherever text can stand. */
export function sectionsWith(text: string): Section[] {
  const value = { estimate: 0.5, low: 0.4, high: 0.6 };
  const head = { title: text, note: text };
  const plain: Section[] = [
    { ...head, kind: "verdict", answer: text, tone: "warn", confidence: 0.7, points: [text, text] },
    { ...head, kind: "facts", rows: [{ label: text, value: text, tone: "good" }] },
    { ...head, kind: "text", text, tone: "bad" },
    { ...head, kind: "text", text: `${text}\n${text}\n\n${text}` },
    { ...head, kind: "list", items: [text, text] },
    { ...head, kind: "list", items: [text, text], ordered: true },
    { ...head, kind: "code", text },
    {
      ...head,
      kind: "table",
      columns: [text, { name: text, numeric: true, hint: text }],
      rows: [[text, { text, note: text, tag: "control", tone: "bad", run: text }]],
    },
    { ...head, kind: "highlight", text, marks: [{ start: 0, end: text.length, label: text, tone: "good" }] },
    { ...head, kind: "steps", steps: [{ label: text, outcome: text, detail: text }] },
    {
      ...head,
      kind: "chart",
      chart: {
        type: "cost",
        axes: { cost: text, quality: text },
        points: [{ name: text, group: "arm", cost: 3, quality: value }],
      },
    },
  ];
  return [
    ...plain,
    { ...head, kind: "group", sections: plain },
    { ...head, kind: "group", folded: true, sections: [{ ...head, kind: "text", text }] },
  ];
}

/** Text that would become markup, steer a terminal, turn the direction or break a line, were it not kept text. */
export const hostileText = `</style></script><script>alert(1)</script><img src=x onerror="alert(2)"> javascript:alert(3) \u202Eevil\u0000\u001B[31m [x](javascript:alert(4)) ![y](http://evil.example) \`\`\`\`\n# heading\n===\n<details>\n| cell | ${"long".repeat(60)} 토론은 끝났다`;

/** Characters that mean something to HTML, to Markdown or to a terminal. */
export const marks = "<>\"'`&;:/=#*_[]()!|~$\\@-+.1 ax가\t\n\r\u0000\u001B\u009B\u202E\u2066".split("");
