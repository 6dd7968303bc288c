import { describe, expect, it } from "vitest";
import { smallLog } from "../../../../../test/support/small-log.ts";
import type { AnonymousHypothesis } from "../../rules/anonymise.ts";
import { keepLedger } from "./ledger.ts";
import { weighHypothesis } from "./weigh-hypothesis.ts";

const log = smallLog(`
2024-03-01 10:00:00 INFO Api: accepted order 1
2024-03-01 10:00:05 ERROR Writer: java.io.IOException: No space left on device
2024-03-01 10:00:06 ERROR Api: order 1 failed: 500 Internal Server Error
2024-03-01 10:00:11 ERROR Api: order 2 failed: 500 Internal Server Error
`);

function claim(fields: Partial<AnonymousHypothesis>): AnonymousHypothesis {
  const lists = { evidence: [], affected_components: [], causal_path: [], suggested_resolution: [] };
  const words = { hypothesis: "Writer ran out of disk space", reasoning: "because", confidence: 0.5 };
  return { label: "H1", category: "resource", ...words, ...lists, ...fields };
}

const weigh = (fields: Partial<AnonymousHypothesis>) =>
  weighHypothesis(claim(fields), keepLedger(log), { log, past: [] });
const quote = (ref: number) => ({ kind: "log" as const, ref, quote: "words of the line" });

describe("the judge", () => {
  it("carries a claim by what its quoted lines show, not by what else the log shows", () => {
    const quoted = weigh({ evidence: [quote(2)], affected_components: ["Writer"] });
    const bare = weigh({ affected_components: ["Writer"] });
    expect(quoted.support).toBeGreaterThan(0.8);
    expect(bare.support).toBeLessThan(0.1);
  });

  it("knows the clear cause that came before a symptom", () => {
    const symptom = weigh({ category: "software", evidence: [quote(3)], affected_components: ["Api"] });
    expect(symptom.upstream).toMatchObject({ kind: "disk_full" });
    expect(symptom.support).toBeLessThan(0.5);
  });

  it("finds that the cause explains the symptoms, and that they do not explain it", () => {
    const cause = weigh({ evidence: [quote(2)], affected_components: ["Writer"] });
    const symptom = weigh({ category: "software", evidence: [quote(3)], affected_components: ["Api"] });
    expect(cause.coverage).toBe(1);
    expect(symptom.unexplained).toMatchObject({ kind: "disk_full" });
  });

  it("gives less for a claim in words that the quoted lines do not say", () => {
    const said = weigh({ evidence: [quote(2)], affected_components: ["Writer"] });
    const other = { hypothesis: "A nightly backup filled the archive of billing", affected_components: ["Writer"] };
    expect(weigh({ evidence: [quote(2)], ...other }).support).toBeLessThan(said.support);
  });

  it("leaves no fault little where the log names a cause", () => {
    expect(weigh({ category: "none" }).support).toBeLessThan(0.1);
  });
});

it("work that stopped is no trouble when it ended well", () => {
  const quiet = smallLog(
    "2024-03-01 10:00:00 INFO Job: step 1 done\n2024-03-01 10:00:01 INFO Job: job 3 completed successfully",
  );
  const watched = [
    {
      kind: "template" as const,
      name: "x",
      count: 0,
      share: 0,
      rate: 0,
      reference_count: 50,
      reference_share: 1,
      reference_rate: 5,
      change: "stopped" as const,
      from: null,
      file: null,
      line: null,
      against: "quiet part" as const,
      description: '"step <*> done" stopped',
    },
  ];
  expect(keepLedger({ ...quiet, watched }).troubles).toEqual([]);
});
