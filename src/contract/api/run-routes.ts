import * as z from "zod";
import { addresses } from "./addresses.ts";
import { StreamEventSchema } from "./event.ts";
import { DoneSchema, NothingSchema, type Route, runParams } from "./route.ts";
import {
  BranchSchema,
  BranchesSchema,
  CompareQuerySchema,
  ComparisonSchema,
  RedecideSchema,
  RedecidedSchema,
  ResumeSchema,
  WhySchema,
} from "./other-ways.ts";
import {
  ExportQuerySchema,
  RunDetailSchema,
  RunIdSchema,
  RunPageSchema,
  RunQuerySchema,
  StartRunSchema,
  StartedSchema,
  TurnDetailSchema,
} from "./run.ts";

const turnParams = z.strictObject({ id: RunIdSchema, turn: z.string().min(1).max(300) });

/** The routes of runs. */
export const runRoutes = {
  startRun: {
    ...addresses.startRun,
    summary: "Starts a run; it is stored before the answer comes, and goes on in the server.",
    access: "operator",
    body: StartRunSchema,
    reply: { json: StartedSchema },
    status: 202,
  },
  listRuns: {
    ...addresses.listRuns,
    summary: "Lists runs, newest first, page by page.",
    access: "reader",
    query: RunQuerySchema,
    reply: { json: RunPageSchema },
  },
  readRun: {
    ...addresses.readRun,
    summary: "A run with its end, what its pack shows of it, and its turns without heavy text.",
    access: "reader",
    params: runParams,
    reply: { json: RunDetailSchema },
  },
  readTurn: {
    ...addresses.readTurn,
    summary: "A turn with its prompt, raw replies and attempts.",
    access: "reader",
    params: turnParams,
    reply: { json: TurnDetailSchema },
  },
  followRun: {
    ...addresses.followRun,
    summary: "What happens in a run, as server-sent events; Last-Event-ID goes on where a follower stopped.",
    access: "reader",
    params: runParams,
    reply: { events: StreamEventSchema },
  },
  cancelRun: {
    ...addresses.cancelRun,
    summary: "Stops a run that this server plays; it can be resumed.",
    access: "operator",
    params: runParams,
    body: NothingSchema,
    reply: { json: DoneSchema },
  },
  resumeRun: {
    ...addresses.resumeRun,
    summary: "Continues a run that was stopped or ran out of budget.",
    access: "operator",
    params: runParams,
    body: ResumeSchema,
    reply: { json: StartedSchema },
    status: 202,
  },
  branchRun: {
    ...addresses.branchRun,
    summary: "Starts a run that shares this one's turns up to a step.",
    access: "operator",
    params: runParams,
    body: BranchSchema,
    reply: { json: StartedSchema },
    status: 202,
  },
  redecideRun: {
    ...addresses.redecideRun,
    summary: "Runs the rules again over the recorded turns with other settings; nothing is called or stored.",
    access: "reader",
    params: runParams,
    body: RedecideSchema,
    reply: { json: RedecidedSchema },
  },
  listBranches: {
    ...addresses.listBranches,
    summary: "The tree of branches that a run belongs to, with what each shares and what each cost.",
    access: "reader",
    params: runParams,
    reply: { json: BranchesSchema },
  },
  explainRun: {
    ...addresses.explainRun,
    summary: "What the decision hangs on: which turns, parts, scores and settings would flip it.",
    access: "reader",
    params: runParams,
    reply: { json: WhySchema },
  },
  exportRun: {
    ...addresses.exportRun,
    summary: "A run as a file.",
    access: "reader",
    params: runParams,
    query: ExportQuerySchema,
    reply: { file: ["application/json", "application/x-ndjson", "text/markdown", "text/html"] },
  },
  compareRuns: {
    ...addresses.compareRuns,
    summary: "Two runs of a pack side by side.",
    access: "reader",
    query: CompareQuerySchema,
    reply: { json: ComparisonSchema },
  },
} as const satisfies Record<string, Route>;
