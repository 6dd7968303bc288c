import * as z from "zod";
import { RunIdSchema } from "./run.ts";

/** Who may call a route, from the least: readers look, reviewers also answer and contest, operators may do everything. */
export const accessRoles = ["reader", "reviewer", "operator"] as const;
export type AccessRole = (typeof accessRoles)[number];

/** One route of the API: the server, its description and its client are all made from these. */
export type Route = {
  method: "get" | "post";
  path: `/api/${string}`;
  summary: string;
  access: AccessRole;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** What a success brings: JSON of this shape, events of this shape, or a file. */
  reply: { json: z.ZodType } | { events: z.ZodType } | { file: readonly string[] };
  status?: 200 | 202;
};

/** The run that a path names. */
export const runParams = z.strictObject({ id: RunIdSchema });

/** A body without anything in it, and the answer to a request that only asks for a deed. */
export const NothingSchema = z.strictObject({});
export const DoneSchema = z.strictObject({ done: z.literal(true) });
