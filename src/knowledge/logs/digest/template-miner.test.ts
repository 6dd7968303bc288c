import { describe, expect, it } from "vitest";
import { TemplateMiner } from "./template-miner.ts";

const createPlainMiner = (limit?: number) => new TemplateMiner({ create: () => null, join: () => {} }, limit);

function mine(lines: readonly string[]): string[] {
  const miner = createPlainMiner();
  for (const line of lines) miner.add(line);
  return miner.finish().templates.map(({ template }) => template);
}

describe("templates", () => {
  it.each([
    [
      "numbers, addresses, paths, ids and dates",
      [
        "from /10.0.0.1:80 to /srv/a.txt at Fri Jun 3, id 7f3a9b",
        "from /10.0.0.2:81 to /srv/b.txt at Sat Jul 4, id 8c4d0e",
      ],
      1,
    ],
    ["a place with many words", "ana ben cleo dan eva fay".split(" ").map((name) => `mail to ${name} was sent`), 1],
    ["a value that is a number elsewhere", ["the value of key a is none", "the value of key a is 7"], 1],
    [
      "two or three words, one of them in most lines: those are different messages",
      ["link eth is up", "link eth is up", "link eth is down"],
      2,
    ],
    ["booleans and constants", ["cache enabled=true now", "cache enabled=false now"], 2],
    ["different lengths", ["job done", "job done at last"], 2],
  ])("%s", (_name, lines, count) => {
    expect(mine(lines)).toHaveLength(count);
  });

  it("keeps the key of a value that varies", () => {
    const lines = "ana ben cleo dan eva fay".split(" ").map((name) => `login of owner=${name} was refused`);
    expect(mine(lines)).toEqual(["login of owner=<*> was refused"]);
  });

  it("every shape handed out belongs to a template, also when there are too many", () => {
    const miner = createPlainMiner(10);
    const ids = Array.from(
      { length: 100 },
      (_, n) => miner.add(`${"abcdefghij"[n % 10]} ${"klmnopqrst"[Math.floor(n / 10)]} word`).id,
    );
    const { templates, templateOf } = miner.finish();
    for (const id of ids) expect(templates[templateOf(id)]).toBeDefined();
    expect(templates.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  });
});
