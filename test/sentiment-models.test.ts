/** The sentiment pack played by models on the loopback server: recorded-shape replies, and everything that goes wrong. */
import { afterEach, describe, expect, it } from "vitest";
import { createMemoryJournal } from "../src/engine/journal.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { sentiment } from "../src/packs/sentiment/pack.ts";
import { buildCast, parseCast } from "../src/players/cast.ts";
import { createRateLimiters } from "../src/players/rate-limiter.ts";
import { hastyClock } from "./support/clock.ts";
import { type Answer, type ChatRequest, textOfRequest } from "./support/model-server-answer.ts";
import { misbehaviours } from "./support/model-server-misbehaviour.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

const text = "배송은 정말 빨랐지만 포장이 엉망이라 아쉬워요";

/** What a well-behaved model says in each role. */
const good: Record<string, object> = {
  ate: {
    aspects: ["배송", "포장"].map((term) => ({
      term,
      span: { start: text.indexOf(term), end: text.indexOf(term) + term.length },
      normalized: null,
      syntactic_head: null,
      confidence: 0.9,
      rationale: "noun",
    })),
  },
  atsa: {
    aspect_sentiments: [
      {
        aspect_ref: "배송",
        polarity: "positive",
        opinion_term: null,
        evidence: "빨랐지만",
        confidence: 0.9,
        polarity_distribution: null,
        is_implicit: false,
      },
      {
        aspect_ref: "포장",
        polarity: null,
        opinion_term: null,
        evidence: "",
        confidence: 0.4,
        polarity_distribution: null,
        is_implicit: false,
      },
    ],
  },
  validator: { structural_risks: [], consistency_score: 0.8, correction_proposals: [] },
  EPM: edits("EPM", {
    op: "set_polarity",
    target: { aspect_ref: "포장", polarity: null },
    value: "negative",
    evidence: "엉망이라",
    confidence: 0.9,
  }),
  TAN: edits("TAN", confirm("포장", "negative")),
  CJ: edits("CJ", confirm("포장", "negative"), confirm("배송", "positive")),
  judge: {
    final_patch: [confirm("배송", "positive"), confirm("포장", "negative")].map(({ op, target, value }) => ({
      op,
      target,
      value,
    })),
    final_tuples: [
      { aspect_ref: "배송", polarity: "positive" },
      { aspect_ref: "포장", polarity: "negative" },
    ],
    unresolved_conflicts: [],
    sentence_polarity: "mixed",
    sentence_evidence_spans: ["포장이 엉망이라"],
    aspect_evidence: [{ aspect: "배송", span: "빨랐지만" }],
    rationale: "both sides are said",
  },
  ate_review: {
    aspect_review: [{ term: "배송", action: "keep", revised_span: null, reason: "named" }],
  },
  atsa_review: {
    sentiment_review: [{ aspect_ref: "배송", action: "maintain", revised_polarity: null, reason: "clear" }],
  },
  validator_review: {
    final_validation: { resolved_risks: [], remaining_risks: [], final_consistency_score: 0.9 },
    structural_risks: [],
  },
};

function confirm(aspect_ref: string, polarity: string) {
  return { op: "confirm_tuple", target: { aspect_ref, polarity }, value: null, evidence: null, confidence: null };
}

function edits(agent: string, ...proposed_edits: object[]) {
  return { agent, proposed_edits };
}

const openings: [string, string][] = [
  ["Find the aspects that the text names", "ate"],
  ["Judge what the text says about each aspect", "atsa"],
  ["Check the sentiments in", "validator"],
  ["Review the aspects.", "ate_review"],
  ["Review the sentiments.", "atsa_review"],
  ["Check the analysis a second time:", "validator_review"],
  ["You are the judge who decides", "judge"],
];

function roleOf(request: ChatRequest): string {
  const asked = textOfRequest(request);
  const opening = openings.find(([words]) => asked.includes(words));
  return opening?.[1] ?? /"name":"(EPM|TAN|CJ)"/.exec(asked)?.[1] ?? "unknown";
}

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Runs the pack; `answer` may answer a role's requests (first, second…) in its own way. */
async function play(
  answer: (role: string, time: number, content: string, request: ChatRequest) => Answer | null,
  config: object = {},
) {
  const times: Record<string, number> = {};
  const server = await startModelServer({
    respond(request) {
      const role = roleOf(request);
      times[role] = (times[role] ?? 0) + 1;
      const content = JSON.stringify(good[role]);
      return answer(role, times[role], content, request) ?? { content };
    },
  });
  servers.push(server);
  const parsed = sentiment.config.parse(config);
  const roles = sentiment.roles(parsed);
  const options = {
    roles,
    env: { PARLEY_BASE_URL: server.baseUrl },
    settings: { stream: "off" as const, totalTimeoutMs: 20_000, chunkTimeoutMs: 20_000 },
    retry: { tries: 3, sleep: async () => undefined },
    limiters: createRateLimiters(hastyClock()),
  };
  const names = roles.map((role) => role.name);
  const finished = await runDebate({
    pack: sentiment,
    input: { id: "m1", text },
    config: parsed,
    cast: buildCast(parseCast("compatible/mini", names, options), options),
    journal: createMemoryJournal([]),
  });
  const tuples = finished.result.decision?.final_result.final_tuples.map((one) => `${one.aspect_ref} ${one.polarity}`);
  const turnOf = (role: string) => finished.turns.find((turn) => turn.key.role === role);
  return { ...finished, tuples, turnOf };
}

const say =
  (role: string, reply: object, always = true) =>
  (asked: string, time: number) =>
    asked === role && (always || time === 1) ? { content: JSON.stringify(reply) } : null;

it("a whole debate on well-behaved models", async () => {
  const { result, tuples } = await play(() => null);
  expect(result).toMatchObject({ outcome: "decided", quorum: { asked: 10, answered: 10, repaired: 0, abstained: 0 } });
  expect(tuples).toEqual(["배송 positive", "포장 negative"]);
});

const texts = misbehaviours.filter((one) => one.consequence === "text");
describe.each(["ate", "EPM", "judge", "atsa_review"])("%s misbehaves", (role) => {
  /** A list that is left out is an empty one: an answer, which no repair is asked for. */
  const asked = texts.filter((one) => !(role === "ate" && one.name === "missing_fields"));
  it.each(asked.map((one) => [one.name, one] as const))(
    "once with %s: repaired, and the result is the same",
    async (_name, one) => {
      const { result, tuples } = await play((asked, time, content, request) =>
        asked === role && time === 1 ? one.answer(content, request) : null,
      );
      expect(result).toMatchObject({ outcome: "decided", quorum: { abstained: 0 } });
      expect(tuples).toEqual(["배송 positive", "포장 negative"]);
    },
  );
});

it.each(["empty_content", "truncated", "schema_echoed", "refusal"])(
  "a judge that always answers with %s abstains: undecided, and Stage 1 stands",
  async (name) => {
    const one = misbehaviours.find((candidate) => candidate.name === name);
    const { result, tuples } = await play((asked, _time, content, request) =>
      asked === "judge" && one ? one.answer(content, request) : null,
    );
    expect(result).toMatchObject({ outcome: "undecided", reasons: ["judge gave no usable reply"] });
    expect(tuples).toEqual(["배송 positive"]);
  },
);

describe("what is unknown or not in the text is repaired, or struck and counted, never obeyed", () => {
  const bad: [string, string, object, string][] = [
    [
      "an unknown aspect",
      "EPM",
      edits("EPM", confirm("와이파이", "negative"), confirm("포장", "negative")),
      "unknown_aspect",
    ],
    [
      "an op outside the enum",
      "EPM",
      edits("EPM", { ...confirm("배송", "negative"), op: "overwrite" }, confirm("포장", "negative")),
      "unknown_op",
    ],
    [
      "evidence that is not in the text",
      "EPM",
      edits("EPM", { ...confirm("포장", "negative"), evidence: "최악" }),
      "evidence_not_in_text",
    ],
    ["the wrong speaker", "EPM", edits("CJ", confirm("포장", "negative")), "wrong_speaker"],
    [
      "a span that is not in the text",
      "judge",
      { ...good.judge, sentence_evidence_spans: ["포장이 엉망이라", "포장 상태 최악"] },
      "span_not_in_text",
    ],
    [
      "a tuple on an unknown aspect",
      "judge",
      {
        ...good.judge,
        final_tuples: [
          { aspect_ref: "와이파이", polarity: "negative" },
          { aspect_ref: "포장", polarity: "negative" },
        ],
      },
      "unknown_aspect",
    ],
    [
      "an aspect that is not in the text",
      "ate",
      {
        aspects: [
          ...(good.ate as { aspects: object[] }).aspects,
          { term: "와이파이", span: { start: 0, end: 4 }, confidence: 1, rationale: "" },
        ],
      },
      "aspect_not_substring",
    ],
    [
      "a polarity outside the canon",
      "atsa",
      {
        aspect_sentiments: [
          ...(good.atsa as { aspect_sentiments: object[] }).aspect_sentiments.slice(0, 1),
          {
            aspect_ref: "포장",
            polarity: "mixed",
            opinion_term: null,
            evidence: "",
            confidence: 0.5,
            is_implicit: false,
          },
        ],
      },
      "polarity_invalid",
    ],
    [
      "a review of an unknown aspect",
      "atsa_review",
      {
        sentiment_review: [{ aspect_ref: "와이파이", action: "drop", revised_polarity: null, reason: "" }],
      },
      "unknown_aspect",
    ],
    [
      "a review with an unknown action",
      "ate_review",
      { aspect_review: [{ term: "배송", action: "explode", revised_span: null, reason: "" }] },
      "unknown_action",
    ],
    [
      "an unknown risk type",
      "validator",
      {
        structural_risks: [{ type: "VIBES", scope: { start: 0, end: 2 }, severity: "low", description: "" }],
        consistency_score: 0.5,
        correction_proposals: [],
      },
      "risk_type_unknown",
    ],
  ];
  const roleName: Record<string, string> = { EPM: "epm" };

  it.each(bad)("%s, once: repaired", async (_name, role, reply) => {
    const { result, turnOf, tuples } = await play(say(role, reply, false));
    expect(turnOf(roleName[role] ?? role)?.status).toBe("repaired");
    expect(result.outcome).toBe("decided");
    expect(tuples).toEqual(["배송 positive", "포장 negative"]);
  });

  it.each(bad)("%s, always: struck and counted", async (_name, role, reply, code) => {
    const { turnOf, result, tuples } = await play(say(role, reply));
    const turn = turnOf(roleName[role] ?? role);
    expect(turn).toMatchObject({ status: "salvaged", problems: [{ code, severity: "salvage" }] });
    expect(result.outcome).toBe("decided");
    /** An edit goes with its quote, and the addition then lacks a voice. */
    const isVote = code === "evidence_not_in_text";
    expect(tuples).toEqual(isVote ? ["배송 positive"] : ["배송 positive", "포장 negative"]);
  });
});

it("short polarities, missing nullable keys and aspect_term are read without a repair", async () => {
  const reply = { proposed_edits: [{ op: "confirm_tuple", target: { aspect_term: "포장이", polarity: "NEG" } }] };
  const { turnOf, tuples } = await play(say("TAN", reply));
  expect(turnOf("tan")?.status).toBe("answered");
  expect(tuples).toEqual(["배송 positive", "포장 negative"]);
});

it("the prompts of the speakers share a growing prefix", async () => {
  const { result } = await play(() => null);
  expect(result.promptTokens.prefix / result.promptTokens.total).toBeGreaterThan(0.3);
});
