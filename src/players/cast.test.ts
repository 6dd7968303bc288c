import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startModelServer } from "../../test/support/model-server.ts";
import { numberRole } from "../../test/support/toy.ts";
import { turnOf } from "../../test/support/turn.ts";
import { ParleyError } from "../contract/error.ts";
import { defineRole } from "../engine/role.ts";
import { buildCast, parseCast, playerNameOf } from "./cast.ts";
import { type CastOptions, EndpointSchema } from "./endpoints.ts";

const roles = ["critic_one", "critic_two", "judge"];
const key = "pk-cast-abcdefgh12345678";
const lab = EndpointSchema.parse({
  name: "lab",
  base_url: "http://10.0.0.9:8000/v1",
  key_env: "LAB_KEY",
  prices: { big: { input: 1, output: 2 } },
});

/** Who plays each role, in order. */
function played(text: string, options: CastOptions = {}): string[] {
  const { roles: plan } = parseCast(text, roles, options);
  return roles.map((role) => playerNameOf(plan[role] ?? { kind: "expert" }));
}

function failure(work: () => unknown): { code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof ParleyError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("did not fail");
}

describe("parsing a cast", () => {
  test.each([
    ["expert", ["expert", "expert", "expert"]],
    ["openai/gpt-5-mini", ["openai/gpt-5-mini", "openai/gpt-5-mini", "openai/gpt-5-mini"]],
    ["judge=person", ["expert", "expert", "person"]],
    [" openai/gpt-5-mini , judge = person ", ["openai/gpt-5-mini", "openai/gpt-5-mini", "person"]],
    [
      "critic_*=anthropic/claude-sonnet-5,judge=person",
      ["anthropic/claude-sonnet-5", "anthropic/claude-sonnet-5", "person"],
    ],
    ["critic_one=person,critic_*=ollama/llama3.2:3b", ["person", "ollama/llama3.2:3b", "expert"]],
    ["*=person,critic_*=expert", ["expert", "expert", "person"]],
    ["compatible/meta-llama/Llama-3.1-8B", Array(3).fill("compatible/meta-llama/Llama-3.1-8B")],
    ["judge=recording/run-1", ["expert", "expert", "recording/run-1"]],
    ["judge=recorded(click:gpt-5.2(medium)-2025)", ["expert", "expert", "recorded(click:gpt-5.2(medium)-2025)"]],
  ])("%s", (text, expected) => {
    expect(played(text)).toEqual(expected);
  });

  test("an endpoint of the config is a provider", () => {
    expect(played("lab/big", { endpoints: [lab] })).toEqual(["lab/big", "lab/big", "lab/big"]);
  });

  test.each([
    ["critc_one=person", 'unknown role "critc_one"; did you mean "critic_one"? (known: critic_one, critic_two, judge)'],
    ["nobody*=person", 'unknown role "nobody*" (known: critic_one, critic_two, judge)'],
    [
      "opnai/gpt-5",
      'unknown player "opnai/gpt-5"; did you mean "openai"? (known: expert, person, recording/RUN, synthetic(…), recorded(SET:MODEL), openai/MODEL,',
    ],
    ["exprt", 'unknown player "exprt"; did you mean "expert"?'],
    ["gpt-5-mini", 'unknown player "gpt-5-mini"; a model is written PROVIDER/MODEL (known: expert,'],
    ["openai/", '"openai/" lacks a model, as in openai/MODEL'],
    ["openai", '"openai" lacks a model, as in openai/MODEL'],
    ["recording", '"recording" lacks a run, as in recording/RUN'],
    ["=person", '"=person" names no role; write role=player'],
    ["expert,person", "the cast names two players for all roles"],
    ["judge=person,judge=expert", 'the cast names "judge" twice'],
    [" , ", "the cast is empty"],
    ["a=b,".repeat(200_000), "the cast has 800000 characters; at most 10000"],
    ["judge=", 'unknown player ""'],
  ])("%s is refused with what would be right", (text, message) => {
    const { code, message: said } = failure(() => parseCast(text, roles));
    expect(code).toBe("bad_cast");
    expect(said).toContain(message);
  });
});

test("whatever is typed as a cast, it is refused as a bad cast or covers every role", () => {
  const word = fc.constantFrom(
    "expert",
    "person",
    "openai/m",
    "judge",
    "critic_*",
    "=",
    ",",
    "/",
    "*",
    " ",
    "recording/x",
    "é",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join("")),
      ),
      (text) => {
        try {
          expect(Object.keys(parseCast(text, roles).roles)).toEqual(roles);
        } catch (error) {
          expect(error).toMatchObject({ code: "bad_cast" });
        }
      },
    ),
  );
});

describe("building a cast", () => {
  test("a missing key is found at once and named, never shown", () => {
    const plan = parseCast("judge=openai/gpt-5-mini", roles);
    expect(failure(() => buildCast(plan, { env: {} }))).toEqual({
      code: "missing_key",
      message: "openai/gpt-5-mini needs a key: set OPENAI_API_KEY in the environment",
    });
    expect(failure(() => buildCast(parseCast("google/gemini-2.5-pro", roles), { env: {} })).message).toContain(
      "set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY",
    );
    expect(
      failure(() => buildCast(parseCast("lab/big", roles, { endpoints: [lab] }), { env: {}, endpoints: [lab] }))
        .message,
    ).toContain("set LAB_KEY");
    expect(buildCast(plan, { env: { OPENAI_API_KEY: key } })("judge").id).toBe("openai/gpt-5-mini");
  });

  test("an endpoint without an address is an error that says where to put it", () => {
    expect(failure(() => buildCast(parseCast("compatible/m", roles), { env: {} }))).toEqual({
      code: "bad_config",
      message: "compatible/m has no address: set PARLEY_BASE_URL",
    });
    const bare = EndpointSchema.parse({ name: "bare" });
    const options = { env: {}, endpoints: [bare] };
    expect(failure(() => buildCast(parseCast("bare/m", roles, options), options)).message).toContain(
      'give endpoint "bare" a base_url',
    );
    expect(
      failure(() => buildCast(parseCast("compatible/m", roles), { env: { PARLEY_BASE_URL: "ftp://x" } })).message,
    ).toContain('"ftp://x" is not an http(s) address');
  });

  test("an expert that does not exist is found at once, with the roles that have one", () => {
    const mute = defineRole({ ...numberRole("judge"), expert: undefined });
    const known = [numberRole("critic_one"), numberRole("critic_two"), mute];
    expect(failure(() => buildCast(parseCast("expert", roles), { roles: known }))).toEqual({
      code: "bad_cast",
      message: "no expert for judge: cast a model or a person (roles with an expert: critic_one, critic_two)",
    });
    expect(() => buildCast(parseCast("expert,judge=person", roles), { roles: known })).not.toThrow();
  });

  test("a role outside the cast is an error that lists the cast's", () => {
    const cast = buildCast(parseCast("expert", roles));
    expect(failure(() => cast("jugde")).message).toBe(
      'no player for role "jugde"; did you mean "judge"? (known: critic_one, critic_two, judge)',
    );
    expect(failure(() => cast("constructor")).code).toBe("bad_cast");
  });

  test("roles with the same player share it", () => {
    const cast = buildCast(parseCast("openai/gpt-5-mini,judge=expert", roles), { env: { OPENAI_API_KEY: key } });
    expect(cast("critic_one")).toBe(cast("critic_two"));
    expect(cast("judge").id).toBe("expert");
  });

  test("a recording needs a store to come from", () => {
    const plan = parseCast("recording/r1", roles);
    expect(failure(() => buildCast(plan)).message).toContain("recording/r1 cannot be played here");
    const asked: string[] = [];
    const cast = buildCast(plan, { recordedTurns: (run) => (asked.push(run), []) });
    expect([cast("judge").id, asked]).toEqual(["recording/r1", ["r1"]]);
  });

  test("environment addresses are honoured: OPENAI_BASE_URL, PARLEY_BASE_URL, OLLAMA_HOST", async () => {
    const server = await startModelServer();
    try {
      const host = new URL(server.baseUrl).host;
      const env = {
        OPENAI_API_KEY: key,
        OPENAI_BASE_URL: server.baseUrl,
        PARLEY_BASE_URL: `${server.baseUrl}/`,
        OLLAMA_HOST: host,
      };
      const role = numberRole("judge");
      for (const text of ["openai/m1", "compatible/m2", "ollama/m3"]) {
        const input = { question: "?", heard: [] };
        await buildCast(parseCast(text, roles), { env })("judge").play(role, input, turnOf(role, input));
      }
      expect(server.seen.map((seen) => [seen.path, seen.body.model])).toEqual([
        ["/v1/chat/completions", "m1"],
        ["/v1/chat/completions", "m2"],
        ["/v1/chat/completions", "m3"],
      ]);
      expect(server.seen.map((seen) => seen.headers.authorization)).toEqual([`Bearer ${key}`, undefined, undefined]);
    } finally {
      await server.close();
    }
  });

  test("a named endpoint never gets another endpoint's key", async () => {
    const server = await startModelServer();
    try {
      const endpoints = [
        EndpointSchema.parse({ name: "stranger", base_url: server.baseUrl, structured_output: false }),
      ];
      const options = { env: { OPENAI_API_KEY: key, PARLEY_API_KEY: key }, endpoints };
      const role = numberRole("judge");
      const input = { question: "?", heard: [] };
      await buildCast(parseCast("stranger/m", roles, options), options)("judge").play(role, input, turnOf(role, input));
      expect(JSON.stringify(server.seen[0]?.headers)).not.toContain(key);
      expect(server.seen[0]?.body.response_format).toBeUndefined();
    } finally {
      await server.close();
    }
  });
});
