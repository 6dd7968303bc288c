import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { JudgedPosition } from "../results/results.ts";
import { flipLedger } from "./summarise-study.ts";

/** Each role's answers round by round; the right answer is "yes". */
function positions(answers: Record<string, string[]>, item: string | null = null): JudgedPosition[] {
  return Object.entries(answers).flatMap(([role, given]) =>
    given.map((answer, i) => ({ round: i + 1, role, item, answer, correct: answer === "yes" })),
  );
}

it("counts every kind of move", () => {
  const rows = flipLedger([
    positions({ a: ["no", "yes"], b: ["yes", "yes"], c: ["yes", "no"], d: ["no", "no"], e: ["no", "maybe"] }),
  ]);
  const of = (role: string) => rows.find((row) => row.role === role);
  expect(of("a")).toMatchObject({ round: 2, wrong_to_right: 1 });
  expect(of("b")).toMatchObject({ wrong_to_right: 0, right_to_wrong: 0 });
  expect(of("c")).toMatchObject({ right_to_wrong: 1 });
});

it("conformity is going over to the majority of the round before, for better or worse", () => {
  const [harmed] = flipLedger([positions({ a: ["yes", "no"], b: ["no", "no"], c: ["no", "no"] })]);
  expect(harmed).toMatchObject({ role: "a", conformed: 1, conformed_right_to_wrong: 1 });
  const [helped] = flipLedger([positions({ a: ["no", "yes"], b: ["yes", "yes"], c: ["yes", "yes"] })]);
  expect(helped).toMatchObject({ wrong_to_right: 1, conformed: 1, conformed_right_to_wrong: 0 });
  const [stubborn] = flipLedger([positions({ a: ["no", "maybe"], b: ["yes", "yes"], c: ["yes", "yes"] })]);
  expect(stubborn).toMatchObject({ conformed: 0 });
});

it("a tie is no majority to conform to", () => {
  const rows = flipLedger([positions({ a: ["no", "yes"], b: ["yes", "yes"] })]);
  expect(rows.every((row) => row.conformed === 0)).toBe(true);
});

it("keeps the items of a case apart and leaves positions without gold out", () => {
  const rows = flipLedger([
    [...positions({ a: ["no", "yes"] }, "food"), ...positions({ a: ["yes", "yes"] }, "price")],
    positions({ a: ["no", "yes"] }).map((one) => ({ ...one, correct: null })),
  ]);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ wrong_to_right: 1 });
});

it("a role that enters after others is measured from where they stood, if most of them agreed", () => {
  const later = (answer: string): JudgedPosition => ({
    round: 3,
    role: "judge",
    item: null,
    answer,
    correct: answer === "yes",
  });
  const debate = (last: string, answers: Record<string, string[]>) => [...positions(answers), later(last)];
  const [saved] = flipLedger([debate("yes", { a: ["no"], b: ["no"], c: ["yes"] })]);
  expect(saved).toMatchObject({ role: "judge", round: 3, wrong_to_right: 1, conformed: 0 });
  expect(flipLedger([debate("yes", { a: ["no"], b: ["yes"] })])).toEqual([]);
});

it("accounts for every change exactly once", () => {
  const answer = fc.constantFrom("yes", "no", "maybe");
  const debate = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.array(answer, { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(fc.array(debate), (debates) => {
      const rows = flipLedger(debates.map((answers) => positions(answers)));
      const counted = rows.reduce((sum, row) => sum + row.wrong_to_right + row.right_to_wrong, 0);
      const changes = debates
        .flatMap((answers) => Object.values(answers))
        .flatMap((given) => given.slice(1).filter((now, i) => (now === "yes") !== (given[i] === "yes")));
      expect(counted).toBe(changes.length);
      for (const row of rows) {
        expect(row.conformed_right_to_wrong).toBeLessThanOrEqual(Math.min(row.conformed, row.right_to_wrong));
      }
    }),
  );
});
