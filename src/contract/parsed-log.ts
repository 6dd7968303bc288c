import * as z from "zod";

/** Levels by rising severity; other names are mapped onto these (notice → INFO, critical → FATAL…). */
export const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"] as const;
export const LevelSchema = z.enum(levels);
export type Level = z.infer<typeof LevelSchema>;

/** A location: the file as the user named it (null for stdin or parsed input) and its 1-based line. */
const where = { file: z.string().nullable().default(null), line: z.int().positive() };
const epochMs = z.number().nullable().default(null);

/** One log event; `raw` is the original text of lines `line` to `last_line`, so that quotes can be checked. */
export const LogEventSchema = z.strictObject({
  id: z.string().min(1),
  ...where,
  last_line: z.int().positive().optional(),
  timestamp: epochMs,
  level: LevelSchema.nullable().default(null),
  component: z.string().nullable().default(null),
  service: z.string().optional(),
  host: z.string().optional(),
  trace: z.string().optional(),
  took_ms: z.number().nonnegative().optional(),
  status: z.int().optional(),
  /** The cause in its stack trace: the last `Caused by`, the last exception of a traceback. */
  cause: z.string().optional(),
  template_id: z.string().default(""),
  message: z.string(),
  raw: z.string(),
  why: z.array(z.string()).default([]),
});
export type LogEvent = z.infer<typeof LogEventSchema>;

export const templateChanges = ["new", "vanished", "more", "less", "same"] as const;

export const LogTemplateSchema = z.strictObject({
  id: z.string().min(1),
  template: z.string(),
  count: z.int().nonnegative(),
  level: LevelSchema.nullable().default(null),
  component: z.string().nullable().default(null),
  sample: z.string().default(""),
  file: z.string().nullable().default(null),
  first_line: z.int().positive().nullable().default(null),
  last_line: z.int().positive().nullable().default(null),
  first_seen: epochMs,
  last_seen: epochMs,
  /** How many components print it, as far as counted. */
  spread: z.int().nonnegative().default(1),
  /** About how many events fall into each tenth of the log's time. */
  pace: z.array(z.number().nonnegative()).optional(),
  reference_count: z.int().nonnegative().nullable().default(null),
  /** Change of rate against the reference; null without one. */
  change: z.enum(templateChanges).nullable().default(null),
});
export type LogTemplate = z.infer<typeof LogTemplateSchema>;

export const entityTypes = ["host", "ip", "service", "component", "block", "node", "user", "file", "id"] as const;
export const LogEntitySchema = z.strictObject({
  type: z.enum(entityTypes),
  name: z.string().min(1),
  count: z.int().positive(),
  error_count: z.int().nonnegative().default(0),
  first_line: z.int().positive().nullable().default(null),
  /** Its usual name: `DataNode` for `dfs.DataNode$PacketResponder`. */
  known_as: z.string().optional(),
});
export type LogEntity = z.infer<typeof LogEntitySchema>;

export const ErrorMessageSchema = z.strictObject({
  error_type: z.string().min(1),
  message: z.string(),
  component: z.string().nullable().default(null),
  ...where,
  template_id: z.string().nullable().default(null),
  level: LevelSchema.nullable().default(null),
  timestamp: epochMs,
  count: z.int().positive().default(1),
  cause: z.string().optional(),
});
export type ErrorMessage = z.infer<typeof ErrorMessageSchema>;

export const timelineKinds = ["start", "first_error", "burst", "gap", "level_change", "end"] as const;
export const TimelineEntrySchema = z.strictObject({
  kind: z.enum(timelineKinds),
  ...where,
  timestamp: epochMs,
  description: z.string(),
  template_id: z.string().nullable().default(null),
  count: z.int().nonnegative().nullable().default(null),
  duration_ms: z.number().nullable().default(null),
});
export type TimelineEntry = z.infer<typeof TimelineEntrySchema>;

export const LogSourceSchema = z.strictObject({
  name: z.string(),
  format: z.string().nullable().default(null),
  encoding: z.string().nullable().default(null),
  lines: z.int().nonnegative().default(0),
  bytes: z.int().nonnegative().default(0),
  problems: z.array(z.string()).default([]),
});
export type LogSource = z.infer<typeof LogSourceSchema>;

/** Counts over everything read, kept or not. */
export const LogTotalsSchema = z.strictObject({
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  lines: z.int().nonnegative(),
  blank_lines: z.int().nonnegative(),
  continuation_lines: z.int().nonnegative(),
  events: z.int().nonnegative(),
  /** Events outside `--since`/`--until`; counted only here and in `lines`. */
  outside_window: z.int().nonnegative(),
  events_by_level: z.record(z.string(), z.int().nonnegative()),
  kept_events: z.int().nonnegative(),
  left_out_events: z.int().nonnegative(),
  templates: z.int().nonnegative(),
  first_timestamp: epochMs,
  last_timestamp: epochMs,
});
export type LogTotals = z.infer<typeof LogTotalsSchema>;

/** A fault-free period to compare with; `vanished` are its templates that the log lacks. */
export const LogReferenceSchema = z.strictObject({
  name: z.string(),
  events: z.int().nonnegative(),
  vanished: z.array(LogTemplateSchema).default([]),
});

export const findingKinds = [
  "grows",
  "steps",
  "limit",
  "leaves_zero",
  "falls_to_zero",
  "stopped",
  "flow",
  "rate",
] as const;

/** Findings from numbers and counts, without an error message (root-cause spec §2.6). */
export const LogFindingSchema = z.strictObject({
  kind: z.enum(findingKinds),
  component: z.string().nullable().default(null),
  subject: z.string().min(1),
  description: z.string(),
  before: z.number().nullable().default(null),
  after: z.number().nullable().default(null),
  clarity: z.number().min(0).max(1),
  from: epochMs,
  file: z.string().nullable().default(null),
  line: z.int().positive(),
  last_line: z.int().positive().nullable().default(null),
});
export type LogFinding = z.infer<typeof LogFindingSchema>;

export const LogHopSchema = z.strictObject({
  caller: z.string().min(1),
  callee: z.string().min(1),
  count: z.int().nonnegative(),
  error_count: z.int().nonnegative().default(0),
  median_ms: z.number().nonnegative().nullable().default(null),
  longest_ms: z.number().nonnegative().nullable().default(null),
  reference_count: z.int().nonnegative().nullable().default(null),
  reference_median_ms: z.number().nonnegative().nullable().default(null),
  change: z.enum(["new", "stopped", "slower", "failing", "same"]).nullable().default(null),
  from: z.number().optional(),
  against: z.enum(["reference", "quiet part"]).optional(),
  file: z.string().nullable().default(null),
  /** The last line of the slowest call, or of the first that failed. */
  line: z.int().positive().nullable().default(null),
});
export type LogHop = z.infer<typeof LogHopSchema>;

/** A parsed log (root-cause spec §2): a sample of relevant events, and counts of everything. */
export const ParsedLogSchema = z.strictObject({
  sources: z.array(LogSourceSchema).default([]),
  events: z.array(LogEventSchema),
  templates: z.array(LogTemplateSchema),
  entities: z.array(LogEntitySchema).default([]),
  error_messages: z.array(ErrorMessageSchema).default([]),
  timeline: z.array(TimelineEntrySchema).default([]),
  reference: LogReferenceSchema.nullable().default(null),
  findings: z.array(LogFindingSchema).default([]),
  hops: z.array(LogHopSchema).optional(),
  totals: LogTotalsSchema,
});
export type ParsedLog = z.infer<typeof ParsedLogSchema>;
