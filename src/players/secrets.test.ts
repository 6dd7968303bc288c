import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  collectSecrets,
  dropPlainWords,
  keysOf,
  scrubError,
  scrubKnown,
  scrubSecrets,
  scrubStream,
} from "./secrets.ts";

const key = "zq-9f8e7d6c5b4a-top";

describe("scrubbing", () => {
  test.each([
    ["a known secret", `failed with ${key}!`],
    ["a known secret twice", `${key} ${key}`],
    ["a bearer header", "authorization: Bearer abcdefghijklmnop"],
    ["an OpenAI-like key", "Incorrect API key provided: sk-proj-abcdefghijklmnop12345"],
    ["a Google-like key", "AIzaSyAbcdefghijklmnopqrstuvwxyz"],
    ["a key header in JSON", '{"x-api-key":"abcdefghijklmnop"}'],
    ["a key in a query", "https://example.org/v1?key=abcdefghijklmnop&x=1"],
  ])("%s is masked", (_, text) => {
    const clean = scrubSecrets(text, [key]);
    expect(clean).toContain("[secret]");
    expect(clean).not.toMatch(/zq-9f8e|abcdefghijklmnop/);
  });

  test("ordinary text is left alone", () => {
    const text = "status 404: the model `task-oriented-dialogue-large` was not found; token limit 4096";
    expect(scrubSecrets(text, [key])).toBe(text);
  });

  test("of an error only name, message and stack remain, scrubbed, all the way down its causes", () => {
    const cause = Object.assign(new Error(`inner ${key}`), { responseHeaders: { authorization: key } });
    const error = Object.assign(new TypeError(`outer ${key}`, { cause }), { requestBodyValues: { key } });
    const clean = scrubError(error, [key]);
    expect(clean).toMatchObject({ name: "TypeError", message: "outer [secret]", cause: { message: "inner [secret]" } });
    const inner = clean.cause as Error;
    for (const one of [clean, inner]) expect(`${JSON.stringify(one)}${one.stack}`).not.toContain(key);
  });

  test("a thrown thing that is no error is described", () => {
    expect(scrubError({ message: `odd ${key}` }, [key]).message).toBe("odd [secret]");
  });

  test("a streamed secret is masked wherever the stream cuts it, and no text is lost", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(key), fc.string(), fc.constant(key.slice(0, 7)))),
        fc.array(fc.nat(12)),
        (parts, cuts) => {
          const text = parts.join("");
          const out: string[] = [];
          const stream = scrubStream([key], (piece) => out.push(piece));
          let at = 0;
          for (const cut of cuts) {
            stream.push(text.slice(at, at + cut));
            at += cut;
          }
          stream.push(text.slice(at));
          stream.end();
          expect(out.join("")).toBe(scrubKnown(text, [key]));
        },
      ),
    );
  });

  test("secrets are found by the names of their variables; short values and other variables are not", () => {
    const env = {
      MY_API_KEY: "0123456789abcdef",
      GH_TOKEN: "fedcba9876543210ff",
      SORT_KEY: "name",
      HOME: "/home/somebody/far",
    };
    expect(collectSecrets(env)).toEqual(["fedcba9876543210ff", "0123456789abcdef"]);
  });

  test("a short key is masked as a word of its own, and never inside another", () => {
    const keys = keysOf({ A: "12345678", B: "k3y", C: "x" }, ["A", "B", "C", "D"]);
    expect(keys).toEqual(["12345678", "k3y"]);
    expect(scrubKnown("the key k3y, monk3ys and (k3y)", keys)).toBe("the key [secret], monk3ys and ([secret])");
    expect(scrubKnown("a+b*c", ["b*c"])).toBe("a+[secret]");
  });

  test("a plain word that stands for a key may be said in a reply, not in an error", () => {
    expect(dropPlainWords(["ollama", "EMPTY", "k3y", "longsecret"])).toEqual(["k3y", "longsecret"]);
    expect(scrubSecrets("wrong key ollama", ["ollama"])).toBe("wrong key [secret]");
  });
});
