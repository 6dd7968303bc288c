import { describe, expect, test } from "vitest";
import { parseLines } from "../../logs/index.ts";
import { analyse } from "../analysis/analyse.ts";

const time = (second: number) => new Date(Date.UTC(2026, 4, 6, 9, 0, second)).toISOString();

/** Twenty minutes of a shop; from the tenth on its orders fail. `said` is what else was said, by second. */
async function findCause(said: Record<number, string>) {
  const lines = Array.from({ length: 240 }, (_, step) => {
    const at = step * 5;
    const extra = Object.entries(said).flatMap(([second, line]) =>
      Number(second) >= at && Number(second) < at + 5 ? [`${time(Number(second))} ${line}`] : [],
    );
    const usual = at < 600 ? `INFO orders - order ${at} stored` : `ERROR orders - order ${at} could not be priced`;
    return [`${time(at)} ${usual}`, `${time(at)} INFO mailer - ${at} mails sent`, ...extra];
  }).flat();
  const [suspect] = analyse(await parseLines(lines)).suspects;
  return suspect?.change?.words ?? null;
}

describe("what was said before the trouble", () => {
  test.each([
    ["a change that names what fails, ten minutes before", { 30: "INFO admin - settings applied to orders" }],
    ["a warning that names what fails", { 200: "WARN vault - lease of orders ends at noon" }],
    ["anything said for the first time right before", { 598: "INFO gate - opened by hand" }],
  ])("%s is told", async (_, said) => expect(await findCause(said)).toBe(Object.values(said)[0]?.split(" - ")[1]));

  test.each([
    ["a stray remark long before", { 120: "INFO gate - opened by itself" }],
    ["what came after the trouble began", { 640: "INFO admin - settings applied to orders" }],
    [
      "what is said again and again",
      Object.fromEntries([100, 200, 300, 400, 500].map((at) => [at, "INFO admin - settings applied to orders"])),
    ],
  ])("%s is not", async (_, said) => expect(await findCause(said)).toBeNull());

  test("a change that names what fails goes before a nearer one that does not", async () => {
    const said = { 400: "INFO admin - settings applied to orders", 595: "INFO gate - settings applied to the doors" };
    expect(await findCause(said)).toBe("settings applied to orders");
  });
});
