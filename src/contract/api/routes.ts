import * as z from "zod";
import { StreamEventSchema } from "./event.ts";
import { FleetReplySchema } from "./fleet.ts";
import { DoctorSchema, PacksSchema, RunEstimateSchema } from "./pack.ts";
import {
  AnswerRequestSchema,
  ClaimRequestSchema,
  ReleaseRequestSchema,
  ReviewDetailSchema,
  ReviewedSchema,
  ReviewItemSchema,
  ReviewPageSchema,
  RulingRequestSchema,
} from "./review.ts";
import {
  BranchesSchema,
  BranchSchema,
  CompareQuerySchema,
  ComparisonSchema,
  ExportQuerySchema,
  GroupQuerySchema,
  LeversSchema,
  WhySchema,
  RedecidedSchema,
  RedecideSchema,
  ResumeSchema,
  RunDetailSchema,
  RunGroupsSchema,
  RunIdSchema,
  RunPageSchema,
  RunQuerySchema,
  StartedSchema,
  StartRunSchema,
  TurnDetailSchema,
} from "./run.ts";
import {
  FlippedSchema,
  StartStudySchema,
  StudyDetailSchema,
  StudyListSchema,
  StudyNameSchema,
  StudyStartedSchema,
} from "./study.ts";

/** Who may call a route: readers look, operators also act. */
export type AccessRole = "reader" | "operator";

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

const runParams = z.strictObject({ id: RunIdSchema });
const turnParams = z.strictObject({ id: RunIdSchema, turn: z.string().min(1).max(300) });
const studyParams = z.strictObject({ name: StudyNameSchema });
const NothingSchema = z.strictObject({});
const DoneSchema = z.strictObject({ done: z.literal(true) });
const SessionSchema = z.strictObject({ role: z.enum(["reader", "operator"]) });

/** Every route of the API, by name. */
export const routes = {
  openSession: {
    method: "post",
    path: "/api/session",
    summary: "Trades the token of the Authorization header for a cookie that scripts cannot read.",
    access: "reader",
    body: NothingSchema,
    reply: { json: SessionSchema },
  },
  readSession: {
    method: "get",
    path: "/api/session",
    summary: "Says what the caller may do.",
    access: "reader",
    reply: { json: SessionSchema },
  },
  startRun: {
    method: "post",
    path: "/api/runs",
    summary: "Starts a run; it is stored before the answer comes, and goes on in the server.",
    access: "operator",
    body: StartRunSchema,
    reply: { json: StartedSchema },
    status: 202,
  },
  listRuns: {
    method: "get",
    path: "/api/runs",
    summary: "Lists runs, newest first, page by page.",
    access: "reader",
    query: RunQuerySchema,
    reply: { json: RunPageSchema },
  },
  groupRuns: {
    method: "get",
    path: "/api/run-groups",
    summary: "Runs by how they ended, why they did not decide, or their study; each group with its newest.",
    access: "reader",
    query: GroupQuerySchema,
    reply: { json: RunGroupsSchema },
  },
  estimateRun: {
    method: "post",
    path: "/api/estimate",
    summary: "What a run would cost, before it is started; nothing is called or stored.",
    access: "operator",
    body: StartRunSchema,
    reply: { json: RunEstimateSchema },
  },
  readRun: {
    method: "get",
    path: "/api/runs/:id",
    summary: "A run with its end, what its pack shows of it, and its turns without heavy text.",
    access: "reader",
    params: runParams,
    reply: { json: RunDetailSchema },
  },
  readTurn: {
    method: "get",
    path: "/api/runs/:id/turns/:turn",
    summary: "A turn with its prompt, raw replies and attempts.",
    access: "reader",
    params: turnParams,
    reply: { json: TurnDetailSchema },
  },
  followRun: {
    method: "get",
    path: "/api/runs/:id/events",
    summary: "What happens in a run, as server-sent events; Last-Event-ID goes on where a follower stopped.",
    access: "reader",
    params: runParams,
    reply: { events: StreamEventSchema },
  },
  cancelRun: {
    method: "post",
    path: "/api/runs/:id/cancel",
    summary: "Stops a run that this server plays; it can be resumed.",
    access: "operator",
    params: runParams,
    body: NothingSchema,
    reply: { json: DoneSchema },
  },
  resumeRun: {
    method: "post",
    path: "/api/runs/:id/resume",
    summary: "Goes on with a run that was stopped, or whose budget ran out.",
    access: "operator",
    params: runParams,
    body: ResumeSchema,
    reply: { json: StartedSchema },
    status: 202,
  },
  branchRun: {
    method: "post",
    path: "/api/runs/:id/branch",
    summary: "Starts a run that shares this one's turns up to a step.",
    access: "operator",
    params: runParams,
    body: BranchSchema,
    reply: { json: StartedSchema },
    status: 202,
  },
  redecideRun: {
    method: "post",
    path: "/api/runs/:id/redecide",
    summary: "Runs the rules again over the recorded turns with other settings; nothing is called or stored.",
    access: "reader",
    params: runParams,
    body: RedecideSchema,
    reply: { json: RedecidedSchema },
  },
  findLevers: {
    method: "get",
    path: "/api/runs/:id/levers",
    summary: "Which single setting would change the decision.",
    access: "reader",
    params: runParams,
    reply: { json: LeversSchema },
  },
  listBranches: {
    method: "get",
    path: "/api/runs/:id/branches",
    summary: "The tree of branches that a run belongs to, with what each shares and what each cost.",
    access: "reader",
    params: runParams,
    reply: { json: BranchesSchema },
  },
  explainRun: {
    method: "get",
    path: "/api/runs/:id/why",
    summary: "What the decision hangs on: which turns, parts, scores and settings would flip it.",
    access: "reader",
    params: runParams,
    reply: { json: WhySchema },
  },
  exportRun: {
    method: "get",
    path: "/api/runs/:id/export",
    summary: "A run as a file.",
    access: "reader",
    params: runParams,
    query: ExportQuerySchema,
    reply: { file: ["application/json", "application/x-ndjson", "text/markdown", "text/html"] },
  },
  compareRuns: {
    method: "get",
    path: "/api/compare",
    summary: "Two runs of a pack side by side.",
    access: "reader",
    query: CompareQuerySchema,
    reply: { json: ComparisonSchema },
  },
  listPacks: {
    method: "get",
    path: "/api/packs",
    summary: "The packs with their schemas, settings, roles and examples, and the casts that may be used.",
    access: "reader",
    reply: { json: PacksSchema },
  },
  listStudies: {
    method: "get",
    path: "/api/studies",
    summary: "Studies that ran here, and those that come with Parley.",
    access: "reader",
    reply: { json: StudyListSchema },
  },
  startStudy: {
    method: "post",
    path: "/api/studies",
    summary: "Starts a study, or goes on with it.",
    access: "operator",
    body: StartStudySchema,
    reply: { json: StudyStartedSchema },
    status: 202,
  },
  readStudy: {
    method: "get",
    path: "/api/studies/:name",
    summary: "A study's summary, and how far it is.",
    access: "reader",
    params: studyParams,
    reply: { json: StudyDetailSchema },
  },
  listFlipped: {
    method: "get",
    path: "/api/studies/:name/flipped",
    summary: "Cases that some arms got right and others wrong.",
    access: "reader",
    params: studyParams,
    reply: { json: FlippedSchema },
  },
  cancelStudy: {
    method: "post",
    path: "/api/studies/:name/cancel",
    summary: "Stops a study that this server runs; what is done is kept.",
    access: "operator",
    params: studyParams,
    body: NothingSchema,
    reply: { json: DoneSchema },
  },
  listReviews: {
    method: "get",
    path: "/api/reviews",
    summary: "What waits for a person.",
    access: "reader",
    reply: { json: ReviewPageSchema },
  },
  readReview: {
    method: "get",
    path: "/api/reviews/:id",
    summary: "A waiting item with what it takes to answer it.",
    access: "reader",
    params: runParams,
    reply: { json: ReviewDetailSchema },
  },
  claimReview: {
    method: "post",
    path: "/api/reviews/:id/claim",
    summary: "Takes an item for a while, so that two reviewers do not collide; claiming again renews.",
    access: "operator",
    params: runParams,
    body: ClaimRequestSchema,
    reply: { json: ReviewItemSchema },
  },
  releaseReview: {
    method: "post",
    path: "/api/reviews/:id/release",
    summary: "Gives a claimed item back.",
    access: "operator",
    params: runParams,
    body: ReleaseRequestSchema,
    reply: { json: ReviewItemSchema },
  },
  answerReview: {
    method: "post",
    path: "/api/reviews/:id/answer",
    summary: "Answers a waiting turn; the run goes on where it was.",
    access: "operator",
    params: runParams,
    body: AnswerRequestSchema,
    reply: { json: ReviewedSchema },
  },
  ruleOnReview: {
    method: "post",
    path: "/api/reviews/:id/uphold",
    summary: "Upholds or corrects an escalated decision, or lets a run over its budget end or go on.",
    access: "operator",
    params: runParams,
    body: RulingRequestSchema,
    reply: { json: ReviewedSchema },
  },
  readFleet: {
    method: "get",
    path: "/api/fleet",
    summary:
      "The workers of a shared store, what waits, what was spent and what was given up; null where there are none.",
    access: "reader",
    reply: { json: FleetReplySchema },
  },
  runDoctor: {
    method: "get",
    path: "/api/doctor",
    summary: "What is set up here and what is not.",
    access: "reader",
    reply: { json: DoctorSchema },
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

type Part<N extends RouteName, P extends "params" | "query" | "body"> =
  (typeof routes)[N] extends Record<P, infer S extends z.ZodType> ? S : never;

/** What a route is given, as a caller writes it. */
export type RouteRequest<N extends RouteName> = ([Part<N, "params">] extends [never]
  ? unknown
  : { params: z.input<Part<N, "params">> }) &
  ([Part<N, "query">] extends [never] ? unknown : { query?: z.input<Part<N, "query">> }) &
  ([Part<N, "body">] extends [never] ? unknown : { body: z.input<Part<N, "body">> });

/** What a route is given, as the server reads it. */
export type RouteGiven<N extends RouteName> = {
  params: [Part<N, "params">] extends [never] ? Record<string, never> : z.output<Part<N, "params">>;
  query: [Part<N, "query">] extends [never] ? Record<string, never> : z.output<Part<N, "query">>;
  body: [Part<N, "body">] extends [never] ? undefined : z.output<Part<N, "body">>;
};

/** The routes that answer with JSON. */
export type JsonRouteName = {
  [N in RouteName]: (typeof routes)[N]["reply"] extends { json: z.ZodType } ? N : never;
}[RouteName];

/** What a route answers. */
export type RouteReply<N extends JsonRouteName> = (typeof routes)[N]["reply"] extends {
  json: infer S extends z.ZodType;
}
  ? z.output<S>
  : never;
