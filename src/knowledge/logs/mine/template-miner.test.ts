import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchTemplate } from "./match-template.ts";
import { createPlainMiner } from "./template-miner.ts";

function spell(index: number): string {
  return `k${"aeiou"[index % 5]}r${"aeiou"[Math.floor(index / 5) % 5]}${"lmnst"[Math.floor(index / 25) % 5]}o`;
}

/** Each row: a principle, messages that are one template, and its text. */
const together: [principle: string, template: string, messages: string[]][] = [
  [
    "a part in brackets that some lack",
    "sent <*> bytes <*>, done",
    ["sent 5 bytes, done", "sent 5000 bytes (4.9 KB), done"],
  ],
  [
    "dotted names before a colon",
    "<*>: drift <*> mrad, correcting",
    ["nav.star", "nav.sun", "power.bus"].map((name) => `${name}: drift 5 mrad, correcting`),
  ],
  [
    "texts that someone wrote",
    'display says "<*>"',
    ["good day", "cold drinks here", "out of order", "be right back", "wet floor", "pay by card"].map(
      (text) => `display says "${text}"`,
    ),
  ],
  [
    "words that hardly come again, in several places",
    "<*> bought <*> for <*> coins",
    Array.from({ length: 14 }, (_, i) => `${spell(i)} bought ${spell(i + 40)} for ${i} coins`),
  ],
  [
    "states that lead to each other",
    "mode change <*> -> <*>",
    ["SAFE -> SUN", "SUN -> SAFE", "SUN -> SLEW", "SLEW -> SUN"].map((step) => `mode change ${step}`),
  ],
  [
    "the same words in neighbouring places",
    "PSUs ( <*> <*> )",
    ["PSUs ( on on )", "PSUs ( on off )", "PSUs ( off on )"],
  ],
  [
    "values of several words",
    "client <*> has opened the session",
    [
      "client Mail has opened the session",
      "client Web has opened the session",
      "client Google Drive has opened the session",
    ],
  ],
  [
    "lists of hosts",
    "nodes:<*> of command <*>",
    ["nodes:node-[40-63] of command 1", "nodes:node-7 of command 2", "nodes:node-[1-2 4,9] of command 3"],
  ],
  [
    "dumps of properties",
    "Server environment:<*>=<*>",
    [
      "Server environment:java.vendor=Acme Corporation",
      "Server environment:os.name=Linux",
      "Server environment:java.home=/usr/lib",
    ],
  ],
  ["numbers", "retry <*> of <*>", ["retry 1 of 5", "retry 22 of 5"]],
  [
    "hex and addresses",
    "map <*> at <*> from <*>:<*>",
    ["map 0x1f at 0007ffab from 10.0.0.1:80", "map 0x2 at 00a7ffab from 10.0.0.2:8080"],
  ],
  [
    "ids, uuids and paths",
    "moved <*> of <*> to <*>",
    [
      "moved blk_1 of 0b72aca0-102e-4421-8ff3-2902d8353ff0 to /a/b",
      "moved blk_-77 of 1b72aca0-102e-4421-8ff3-2902d8353ff1 to /c/d/e",
    ],
  ],
  ["units glued on and standing free", "took <*>, size <*>", ["took 5ms, size 5.2 KB", "took 1.5s, size 16.0 B"]],
  [
    "a comparison or a clock as duration",
    "closed, lifetime <*>",
    ["closed, lifetime <1 sec", "closed, lifetime 00:02"],
  ],
  [
    "key=value with words, quotes and nothing",
    'lock=<*> tag="<*>" name=<*> ws=<*>',
    ['lock=1 tag="View Lock" name=ui ws=null', 'lock=2 tag="radio" name=com.x.phone ws=a', 'lock=3 tag="" name= ws=b'],
  ],
  ["truth values", "visible: <*>", ["visible: true", "visible: false"]],
  [
    "lists of any length",
    "ask <*>:<*> to drop <*>",
    ["ask 10.0.0.1:1 to drop blk_1", "ask 10.0.0.1:1 to drop blk_1 blk_2 blk_3"],
  ],
  ["lists of words", "acls for [<*>] set", ["acls for [ann, bob] set", "acls for [ann, bob, cyd] set"]],
  [
    "parts that repeat",
    "nodesets <*>",
    ["nodesets n-1 0x1 <ok> n-2 0x2 <ok>", "nodesets n-1 0x1 <ok> n-2 0x2 <ok> n-3 0x3 <ok>"],
  ],
  [
    "missing values in brackets",
    "from <*> (<*>) port",
    ["from 10.0.0.1 () port", "from 10.0.0.2 (a.example.com) port"],
  ],
  ["names of classes", "registering <*> for <*>", ["registering a.b.C for x.y.Z", "registering a.b.D for x.y.W"]],
  [
    "words where others have a number",
    "invalid user <*> from <*>",
    ["invalid user 0101 from 10.0.0.1", "invalid user bob from 10.0.0.1"],
  ],
  [
    "words after a noun that names",
    "session opened for user <*> by init",
    ["session opened for user ann by init", "session opened for user bob by init"],
  ],
  [
    "dates in words",
    "at <*> <*> <*> <*>:<*>:<*> <*> up",
    ["at Tue Jul 26 05:47:42 2005 up", "at Fri Jul 1 07:57:30 2005 up"],
  ],
];

const apart: [principle: string, messages: [string, string]][] = [
  ["verbs", ["VM started (event)", "VM paused (event)"]],
  ["states", ["job 1 moved from NEW to RUNNING", "job 1 moved from RUNNING to DONE"]],
  ["methods", ['10.0.0.1 "GET /a" 200', '10.0.0.1 "POST /a" 200']],
  ["wording in brackets that never changes", ["socket closed by peer", "socket closed (clean) by peer"]],
  ["the first word", ["calculateCalories total=1", "calculateAltitude total=1"]],
  ["field names", ["step caloriesSum=1", "step altitudeSum=1"]],
  ["verbs after a noun", ["process started on time", "process stopped on time"]],
  ["a word and a number in a short message", ["link 5", "link lost"]],
  ["reasons", ["error loading /a: no such file", "error loading /a: permission denied"]],
];

describe("one template", () => {
  test.each(together)("%s: %s", (_, template, messages) => {
    expect(templatesOf(messages)).toEqual(messages.map(() => template));
  });
});

describe("two templates", () => {
  test.each(apart)("%s", (_, messages) => {
    expect(new Set(templatesOf(messages)).size).toBe(2);
  });
});

test("verbs that name different events stay apart, however many there are", () => {
  const verbs = ["started", "stopped", "stalled", "reversed", "calibrated", "overheated", "recovered", "parked"];
  const messages = verbs.map((verb, index) => `Motor ${verb} on rack ${index}`);
  expect(new Set(templatesOf(messages)).size).toBe(verbs.length);
});

test("text without end in its words is kept in bounded shapes, and what comes again is still found", () => {
  const miner = createPlainMiner(100);
  for (let index = 0; index < 5000; index += 1) {
    miner.add(
      `${spell(index)}${spell(index * 7)} ${spell(index * 3)} ${spell(index * 11)}x${index % 97} ${spell(index * 13)}`,
    );
    miner.add(`heartbeat ${index} received by the watchdog`);
  }
  const { templates } = miner.finish();
  expect(templates.length).toBeLessThanOrEqual(100);
  expect(templates.find(({ template }) => template === "heartbeat <*> received by the watchdog")?.count).toBe(5000);
});

test("a word with digits that never changes stays a word", () => {
  expect(templatesOf(["port 1 ssh2", "port 2 ssh2"])[0]).toBe("port <*> ssh2");
  expect(templatesOf(["port 1 ssh2", "port 2 ssh3"])[0]).toBe("port <*> <*>");
  expect(templatesOf(["generating core.12", "generating core.77"])[0]).toBe("generating core.<*>");
});

const word = fc.constantFrom(
  "job",
  "user",
  "ann",
  "=",
  "=5",
  ":",
  "a.b.C",
  "fooBar",
  "12",
  "0x1f",
  "10.0.0.1:80",
  "/a/b",
  "(",
  ")",
  "[x]",
  "it's",
  '"q"',
  "5 KB",
  "true",
  "é",
  "..",
  "<1",
  "SOME_STATE",
  "node-1",
  "12:30:01",
  "Jul 26",
  "-",
);
const message = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(" "));

test("every message matches its template, and messages that differ in digits only have one", () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 25 }), (messages) => {
      const other = messages.map((text) => text.replaceAll(/\d/g, "7"));
      const all = [...messages, ...other];
      const templates = templatesOf(all);
      for (const [index, text] of all.entries())
        expect(matchTemplate(templates[index] ?? "", text), `${templates[index]} | ${text}`).not.toBeNull();
      for (const index of messages.keys()) expect(templates[index]).toBe(templates[index + messages.length]);
    }),
    { numRuns: 300 },
  );
});

test("memory is bounded: with few shapes allowed, every message still has a template that matches it", () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 30, maxLength: 120 }), (messages) => {
      const templates = templatesOf(messages, 8);
      expect(new Set(templates).size).toBeLessThanOrEqual(12);
      for (const [index, text] of messages.entries())
        expect(matchTemplate(templates[index] ?? "", text), `${templates[index]} | ${text}`).not.toBeNull();
    }),
    { numRuns: 60 },
  );
});

function templatesOf(messages: readonly string[], limit?: number): string[] {
  const miner = createPlainMiner(limit);
  const ids = messages.map((text) => miner.add(text).id);
  const { templates, templateOf } = miner.finish();
  return ids.map((id) => templates[templateOf(id)]?.template ?? "");
}
