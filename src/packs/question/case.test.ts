import { expect, it } from "vitest";
import { QuestionSchema } from "./case.ts";

it.each([[{ choices: ["yes", "no"], answer_type: "number" }, "answer_type"]])(
  "a question that contradicts itself is an error: %j",
  (rest, place) => {
    const issues = QuestionSchema.safeParse({ question: "Is it?", ...rest }).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join("."))).toEqual([place]);
  },
);
