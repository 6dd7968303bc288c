import { expect, it } from "vitest";
import { runDebate } from "../../../index.ts";
import { question } from "../pack.ts";

const docs = [
  { id: "a.txt", text: "The mill was built in 1874 by Ida Holm. It burned down in 1901. The river turned its wheel." },
  { id: "b.txt", text: "Ida Holm sold the mill because the railway took away its trade." },
];

it("the report of a choice says its text, not only its letter", async () => {
  const finished = await runDebate(
    question,
    { question: "Who built the mill?", choices: ["Olaf Berg", "Ida Holm"], docs },
    { cast: "expert" },
  );
  expect(question.report(finished)[0]).toMatchObject({ kind: "verdict", answer: "B: Ida Holm" });
});
