import { describe, expect, it } from "vitest";
import { smallLog } from "../../../../test/support/small-log.ts";
import type { Hypothesis } from "../schemas/hypothesis.ts";
import type { Evaluation } from "../schemas/judgement.ts";
import { retrieve } from "../../../knowledge/incidents/index.ts";
import { checkHypotheses } from "../roles/check-hypotheses.ts";
import type { ReasonerInput } from "../roles/role-inputs.ts";
import { addSubscores } from "../rules/judge-score.ts";
import { experts } from "./experts.ts";

const log = smallLog(`
2024-03-01 10:00:00 INFO Api: accepted order 1
2024-03-01 10:00:02 WARN Disk: volume /data is 97% full
2024-03-01 10:00:05 ERROR Writer: java.io.IOException: No space left on device
2024-03-01 10:00:06 ERROR Api: order 1 failed: 500 Internal Server Error
2024-03-01 10:00:09 ERROR Writer: java.io.IOException: No space left on device
2024-03-01 10:00:11 ERROR Api: order 2 failed: 500 Internal Server Error
`);
const incident = { log, knowledge: retrieve(log, []), logTokens: 6000 };
const opening = (reasoner: ReasonerInput["reasoner"]): ReasonerInput => ({
  reasoner,
  round: 1,
  incident,
  own: [],
  others: [],
  told: [],
});

describe.each(["log_focused", "kg_focused", "hybrid"] as const)("the %s expert", (name) => {
  it("gives grounded hypotheses of which the disk is the first", () => {
    const reply = experts[name](opening(name));
    if (!reply) throw new Error("no reply");
    expect(checkHypotheses(reply, opening(name))).toEqual([]);
    expect(reply.hypotheses[0]).toMatchObject({ category: "resource" });
  });
});

it("remedies of another system are not suggested", () => {
  const reply = experts.hybrid(opening("hybrid"));
  expect(JSON.stringify(reply?.hypotheses[0]?.suggested_resolution)).not.toMatch(/DataNode|dfs\.|Kafka|broker/);
});

describe("refinement", () => {
  const own = hypothesis("hybrid_1", { category: "software", affected_components: ["Api"], confidence: 0.9 });
  const evidence = [{ kind: "log" as const, ref: 3, quote: "No space left on device" }];
  const rival = hypothesis("log_1", { category: "resource", affected_components: ["Writer"], evidence });
  const input: ReasonerInput = {
    ...opening("hybrid"),
    round: 2,
    own: [{ hypothesis: own, evaluation: evaluation("hybrid_1", 30) }],
    others: [{ hypothesis: rival, judge_score: 80 }],
  };

  it("takes over what the judge preferred, and says from whom", () => {
    const reply = experts.hybrid(input);
    const taken = reply?.hypotheses.find(({ from }) => from?.includes("log_1"));
    expect(taken).toMatchObject({ category: "resource", changes_made: expect.stringContaining("log_1") });
    expect(taken?.id).toMatch(/^hybrid_\d+$/);
    expect(taken?.id).not.toBe("hybrid_1");
  });

  it("moves a confidence that the judge calls too high down", () => {
    const reply = experts.hybrid(input);
    expect(reply?.hypotheses.find(({ id }) => id === "hybrid_1")?.confidence).toBeLessThan(0.9);
  });

  it("merges its own hypothesis of the same cause with the preferred one", () => {
    const same = hypothesis("hybrid_1", { category: "resource", affected_components: ["Writer"] });
    const reviewed = [{ hypothesis: same, evaluation: evaluation("hybrid_1", 50) }];
    const reply = experts.hybrid({ ...input, own: reviewed });
    expect(reply?.hypotheses.map(({ from }) => from)).toContainEqual(["hybrid_1", "log_1"]);
  });
});

describe("the expert judge", () => {
  const judged = (...hypotheses: Hypothesis[]) => {
    const shown = hypotheses.map(({ id: _id, ...rest }, index) => ({ label: `H${index + 1}`, ...rest }));
    return experts.judge({ round: 1, incident, told: [], hypotheses: shown }).scores.map(addSubscores);
  };
  const disk = hypothesis("a", {
    category: "resource",
    affected_components: ["Writer"],
    hypothesis: "Writer ran out of disk space",
    confidence: 0.9,
    evidence: [{ kind: "log", ref: 3, quote: "No space left on device" }],
  });

  it("prefers the cause that the lines name over a symptom and over no fault", () => {
    const evidence = [{ kind: "log" as const, ref: 4, quote: "500 Internal Server Error" }];
    const symptom = hypothesis("b", { affected_components: ["Api"], confidence: 0.9, evidence });
    const none = hypothesis("c", { category: "none", affected_components: [], confidence: 0.9 });
    const [first = 0, second = 0, third = 0] = judged(disk, symptom, none);
    expect(first).toBeGreaterThan(second + 20);
    expect(first).toBeGreaterThan(third + 20);
  });

  it("gives less for the same claim without its lines, and for a confidence that does not fit", () => {
    const [full = 0, bare = 0, timid = 0] = judged(disk, { ...disk, evidence: [] }, { ...disk, confidence: 0.2 });
    expect(full).toBeGreaterThan(bare);
    expect(full).toBeGreaterThan(timid);
  });

  it("does not care how a hypothesis sounds", () => {
    const [plain, grand] = judged(disk, { ...disk, reasoning: "Beyond any conceivable doubt, this is it." });
    expect(grand).toBe(plain);
  });
});

function hypothesis(id: string, fields: Partial<Hypothesis>): Hypothesis {
  const lists = { evidence: [], affected_components: [], causal_path: ["a", "b"], suggested_resolution: ["fix it"] };
  const words = { hypothesis: `cause ${id}`, confidence: 0.5, reasoning: "because" };
  return { id, ...words, category: "software", ...lists, ...fields };
}

function evaluation(id: string, judge_score: number): Evaluation {
  const points = {
    evidence_quality: 10,
    reasoning_strength: 8,
    confidence_calibration: 4,
    completeness: 5,
    consistency: 3,
  };
  const feedback = "The confidence is above what the evidence carries.";
  return {
    id,
    source: "hybrid",
    label: "H1",
    rank: 2,
    judge_score,
    ...points,
    strengths: [],
    weaknesses: [],
    feedback,
  };
}
