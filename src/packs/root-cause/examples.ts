import { readFileSync } from "node:fs";
import { parseLines } from "../../knowledge/logs/index.ts";

const file = new URL("../../../data/rca/example-incident.log", import.meta.url);
const lines = readFileSync(file, "utf8").trimEnd().split("\n");

/** A small incident written for the demo: orders fail while a stock service loses its database connections. */
export const examples = [
  { name: "orders fail after a release of the stock service", input: await parseLines(lines, { name: "shop.log" }) },
];
