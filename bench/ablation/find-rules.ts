import { parseAst } from "vite";

/** A part of a program that may be left out: what stands for it then, and whether something is said by the rest. */
export type Rule = { file: string; start: number; end: number; instead: "false" | "true" | "undefined"; line: number };

type Node = { type: string; start: number; end: number; [key: string]: unknown };

/** The rules of a source without types: every condition of an `if` or a choice, every part of a condition, every way that is tried after others. */
export function findRules(source: string, file: string): Rule[] {
  const rules = new Map<string, Rule>();
  const add = ({ start, end }: Node, instead: Rule["instead"]) => {
    const line = source.slice(0, start).split("\n").length;
    rules.set(`${start} ${end} ${instead}`, { file, start, end, instead, line });
  };
  visit(parseAst(source) as unknown as Node, (node) => {
    if (node.type === "IfStatement") add(node.test as Node, "false");
    if (node.type === "ConditionalExpression") {
      add(node.test as Node, "false");
      add(node.test as Node, "true");
    }
    if (node.type === "LogicalExpression") addParts(node, add);
    const said = node.type === "ReturnStatement" ? node.argument : node.type === "ArrowFunctionExpression" && node.body;
    if ((said as Node | undefined)?.type === "LogicalExpression" && (said as Node).operator !== "??")
      add(said as Node, "false");
  });
  return [...rules.values()];
}

function addParts(node: Node, add: (node: Node, instead: Rule["instead"]) => void): void {
  for (const part of [node.left as Node, node.right as Node]) {
    if (part.type === "LogicalExpression" && part.operator === node.operator) continue;
    if (node.operator !== "??") add(part, node.operator === "&&" ? "true" : "false");
    else if (part.type === "CallExpression") add(part, "undefined");
  }
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const child of Object.values(node))
    for (const one of Array.isArray(child) ? (child as unknown[]) : [child])
      if (typeof one === "object" && one !== null && "type" in one) visit(one as Node, see);
}

/** The source with a switch around each of its rules; `first` is the number of the first one. */
export function addSwitches(source: string, rules: readonly Rule[], first: number): string {
  const inserts = rules.flatMap(({ start, end, instead }, index) => [
    { at: start, order: -(end - start), text: `globalThis.ablation.use(${first + index}, ${instead}, ` },
    { at: end, order: end - start, text: ")", closes: true },
  ]);
  /** Where several begin or end at one place, the longer encloses the shorter; what closes there closes first. */
  inserts.sort((a, b) => a.at - b.at || Number(b.closes ?? false) - Number(a.closes ?? false) || a.order - b.order);
  let done = 0;
  let switched = "";
  for (const { at, text } of inserts) {
    switched += source.slice(done, at) + text;
    done = at;
  }
  return switched + source.slice(done);
}
