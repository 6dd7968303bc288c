import * as z from "zod";
import { addresses } from "./client.ts";
import * as review from "./reviews.ts";
import * as run from "./runs.ts";

/** The body of every error response: `code` for programs, `message` for people. */
export const ApiErrorSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type ApiErrorBody = z.infer<typeof ApiErrorSchema>;

const JsonSchemaSchema = z.record(z.string(), z.unknown());

/** A player of a cast: its roles, and its price in USD per million tokens, or null. */
const CastPlayerSchema = z.strictObject({
  player: z.string(),
  roles: z.array(z.string()),
  price: z.strictObject({ input: z.number(), output: z.number() }).nullable(),
});
const CastItemSchema = z.strictObject({ cast: z.string(), players: z.array(CastPlayerSchema) });
export type CastItem = z.infer<typeof CastItemSchema>;

const PackItemSchema = z.strictObject({
  name: z.string(),
  summary: z.string(),
  takesText: z.boolean(),
  input: JsonSchemaSchema,
  examples: z.array(z.strictObject({ name: z.string(), input: z.unknown(), config: z.unknown().optional() })),
  /** JSON schema of gold, for corrections and studies; null when decisions are not measured. */
  gold: JsonSchemaSchema.nullable(),
  casts: z.array(CastItemSchema),
});
export type PackItem = z.infer<typeof PackItemSchema>;

const PacksSchema = z.strictObject({
  packs: z.array(PackItemSchema),
  casts: z.array(z.string()),
  defaultCast: z.string(),
});

/** The name of a study's folder in the store, never a path. */
const StudyNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, "not a study's name");

const StudyItemSchema = z.strictObject({
  name: z.string(),
  pack: z.string(),
  arms: z.array(z.string()),
  cases: z.int(),
  runs: z.int(),
  planned: z.int(),
});
const StudyListSchema = z.strictObject({ studies: z.array(StudyItemSchema) });
export type StudyItem = z.infer<typeof StudyItemSchema>;

const StudyDetailSchema = z.strictObject({ study: StudyItemSchema, sections: z.array(run.SectionSchema) });

const SessionSchema = z.strictObject({
  role: z.enum(run.accessRoles),
  reviewer: z.string().nullable(),
});

function ofRun<N extends keyof typeof addresses, const R>(name: N, rest: R) {
  return { ...addresses[name], params: run.runParams, ...rest };
}

/** Every route of the API; the server, its description and its client are made from these. */
export const routes = {
  openSession: { ...addresses.openSession, body: run.NothingSchema, reply: { json: SessionSchema } },
  readSession: { ...addresses.readSession, reply: { json: SessionSchema } },
  startRun: { ...addresses.startRun, body: run.StartRunSchema, reply: { json: run.StartedSchema }, status: 202 },
  listRuns: { ...addresses.listRuns, query: run.RunQuerySchema, reply: { json: run.RunPageSchema } },
  readRun: { ...addresses.readRun, params: run.runParams, reply: { json: run.RunDetailSchema } },
  readTurn: { ...addresses.readTurn, params: run.turnParams, reply: { json: run.TurnDetailSchema } },
  followRun: { ...addresses.followRun, params: run.runParams, reply: { events: run.StreamEventSchema } },
  cancelRun: ofRun("cancelRun", { body: run.NothingSchema, reply: { json: run.DoneSchema } }),
  resumeRun: ofRun("resumeRun", { body: run.ResumeSchema, reply: { json: run.StartedSchema }, status: 202 }),
  branchRun: ofRun("branchRun", { body: run.BranchSchema, reply: { json: run.StartedSchema }, status: 202 }),
  redecideRun: ofRun("redecideRun", { body: run.RedecideSchema, reply: { json: run.RedecidedSchema } }),
  explainRun: { ...addresses.explainRun, params: run.runParams, reply: { json: run.WhySchema } },
  exportRun: ofRun("exportRun", {
    query: run.ExportQuerySchema,
    reply: { file: ["application/json", "application/x-ndjson", "text/markdown", "text/html"] },
  }),
  compareRuns: { ...addresses.compareRuns, query: run.CompareQuerySchema, reply: { json: run.ComparisonSchema } },
  listPacks: { ...addresses.listPacks, reply: { json: PacksSchema } },
  listStudies: { ...addresses.listStudies, reply: { json: StudyListSchema } },
  readStudy: {
    ...addresses.readStudy,
    params: z.strictObject({ name: StudyNameSchema }),
    reply: { json: StudyDetailSchema },
  },
  contestRun: ofRun("contestRun", { body: review.ContestSchema, reply: { json: review.ContestReplySchema } }),
  listReviews: { ...addresses.listReviews, reply: { json: review.ReviewPageSchema } },
  readReview: { ...addresses.readReview, params: run.runParams, reply: { json: review.ReviewDetailSchema } },
  claimReview: ofRun("claimReview", { body: review.ClaimRequestSchema, reply: { json: review.ReviewItemSchema } }),
  answerReview: ofRun("answerReview", { body: review.AnswerRequestSchema, reply: { json: review.ReviewedSchema } }),
  ruleOnReview: ofRun("ruleOnReview", { body: review.RulingRequestSchema, reply: { json: review.ReviewedSchema } }),
} as const satisfies Record<string, run.Route>;

export type RouteName = keyof typeof routes;

type Part<N extends RouteName, P extends "params" | "query" | "body"> =
  (typeof routes)[N] extends Record<P, infer S extends z.ZodType> ? S : never;

export type RouteRequest<N extends RouteName> = ([Part<N, "params">] extends [never]
  ? unknown
  : { params: z.input<Part<N, "params">> }) &
  ([Part<N, "query">] extends [never] ? unknown : { query?: z.input<Part<N, "query">> }) &
  ([Part<N, "body">] extends [never] ? unknown : { body: z.input<Part<N, "body">> });

export type RouteGiven<N extends RouteName> = {
  params: [Part<N, "params">] extends [never] ? Record<string, never> : z.output<Part<N, "params">>;
  query: [Part<N, "query">] extends [never] ? Record<string, never> : z.output<Part<N, "query">>;
  body: [Part<N, "body">] extends [never] ? undefined : z.output<Part<N, "body">>;
};

export type JsonRouteName = {
  [N in RouteName]: (typeof routes)[N]["reply"] extends { json: z.ZodType } ? N : never;
}[RouteName];

export type RouteReply<N extends JsonRouteName> = (typeof routes)[N]["reply"] extends {
  json: infer S extends z.ZodType;
}
  ? z.output<S>
  : never;
