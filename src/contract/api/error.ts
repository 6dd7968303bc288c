import * as z from "zod";

/** What only a server refuses; the other codes are those of every `ParleyError`. */
export const requestErrorCodes = [
  "unauthorized",
  "forbidden",
  "wrong_host",
  "wrong_origin",
  "not_found",
  "wrong_method",
  "wrong_type",
  "too_large",
  "too_many",
  "conflict",
  "shutting_down",
  "internal",
] as const;

/** The body of every answer that is not a success: `code` for programs, `message` for people. */
export const ApiErrorSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type ApiErrorBody = z.infer<typeof ApiErrorSchema>;
