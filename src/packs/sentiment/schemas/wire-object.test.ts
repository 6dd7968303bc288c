import { expect, it } from "vitest";
import * as z from "zod";
import { EditSchema } from "./debate.ts";

const edit = { op: "confirm_tuple", target: { aspect_ref: "맛", polarity: "positive" } };

it("missing nullable keys read as null", () => {
  expect(EditSchema.parse(edit)).toEqual({ ...edit, value: null, evidence: null, confidence: null });
});

it("aspect_term is an alias of aspect_ref, and aspect_ref wins", () => {
  expect(EditSchema.parse({ ...edit, target: { aspect_term: "맛" } }).target.aspect_ref).toBe("맛");
  expect(EditSchema.parse({ ...edit, target: { aspect_term: "a", aspect_ref: "b" } }).target.aspect_ref).toBe("b");
  expect(EditSchema.parse({ ...edit, target: { aspect_term: "a", aspect_ref: null } }).target.aspect_ref).toBe("a");
});

it("a missing required key is an error", () => {
  expect(EditSchema.safeParse({ ...edit, target: { polarity: "positive" } }).success).toBe(false);
});

it("the JSON schema requires every key, allows no other and names the words of a closed list", () => {
  const schema = z.toJSONSchema(EditSchema, { io: "input" });
  expect(schema.required).toEqual(["target", "evidence", "op", "value", "confidence"]);
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties?.op).toMatchObject({ type: "string", enum: expect.arrayContaining(["drop_tuple"]) });
});
