import { type Level, levels } from "../../../contract/parsed-log.ts";
import { copyText, type KeptEvent, keepEvent, type Place, type ReadEvent } from "../event/event.ts";
import { inferLevel } from "../event/names.ts";
import { findErrorType, namesException, writeErrorText } from "../event/stack-trace.ts";
import { type MinedTemplates, TemplateMiner } from "./template-miner.ts";
import { Calls } from "./calls.ts";
import { EntityCounter, findEntities } from "./entities.ts";
import { createFacts, errorsKept, firstKept, isBad, joinFacts, maxErrorTypes, type ShapeFacts } from "./shape-facts.ts";
import { Voices } from "./voices.ts";

/** Null means no limit. */
export type TimeWindow = { sinceMs: number | null; untilMs: number | null };

const namesSought = 20;

/** Everything gathered in one pass over the events, in bounded memory. */
export class LogDigest {
  readonly miner = new TemplateMiner<ShapeFacts>({ create: createFacts, join: joinFacts });
  readonly entities = new EntityCounter();
  firstError: KeptEvent | null = null;
  readonly voices = new Voices();
  readonly calls = new Calls();
  referenceCalls: Calls | null = null;
  /** Events per level in the order of `levels`, then those without. */
  readonly byLevel = Array.from({ length: levels.length + 1 }, () => 0);
  events = 0;
  referenceEvents = 0;
  outsideWindow = 0;
  firstOutside: number | null = null;
  lastOutside: number | null = null;
  firstTimestamp: number | null = null;
  lastTimestamp: number | null = null;
  firstAt: { line: number; file: string | null } = { line: 1, file: null };
  readonly lastAt: { line: number; file: string | null } = { line: 1, file: null };
  readonly firstOfLevel = new Map<Level, KeptEvent>();
  private readonly window: TimeWindow;
  private inWindow = true;
  private readonly seen: Place = { order: 0, shape: 0, file: null, line: 0, isError: false };

  constructor(window: TimeWindow) {
    this.window = window;
  }

  addReference(event: ReadEvent, file: string | null): number {
    const shape = this.miner.add(event.message);
    const facts = shape.data;
    facts.referenceCount += 1;
    const level = event.level ?? inferLevel(event.message);
    facts.component ??= copyText(event.component);
    facts.referenceLevel ??= level;
    this.referenceCalls ??= new Calls();
    const at = { order: this.referenceEvents, shape: shape.id, file, line: event.line, isError: isBad(level) };
    this.referenceCalls.add(event, at);
    this.referenceEvents += 1;
    return shape.id;
  }

  add(event: ReadEvent, file: string | null): number {
    if (!this.isInside(event.timestamp)) {
      this.outsideWindow += 1;
      if (event.timestamp !== null) {
        this.firstOutside = Math.min(this.firstOutside ?? event.timestamp, event.timestamp);
        this.lastOutside = Math.max(this.lastOutside ?? event.timestamp, event.timestamp);
      }
      return -1;
    }
    if (event.level === "INFO" && event.component === "kernel") event.level = inferLevel(event.message) ?? "INFO";
    const shape = this.miner.add(event.message);
    const facts = shape.data;
    if (facts.count === 0) {
      facts.inferred = inferLevel(event.message);
      facts.component ??= copyText(event.component);
    }
    const level = event.level ?? facts.inferred;
    const { seen } = this;
    seen.order = this.events;
    seen.shape = shape.id;
    seen.file = file;
    seen.line = event.line;
    seen.isError = level === "ERROR" || level === "FATAL";
    this.events += 1;
    this.countLevel(level, event);
    this.countIn(facts, event, level);
    if (event.timestamp !== null) this.countTime(event.timestamp);
    this.countEntities(facts, event);
    this.voices.add(event, seen);
    this.calls.add(event, seen);
    if (seen.isError && this.isEarliest(event)) this.firstError = keepEvent(event, seen);
    return shape.id;
  }

  finish(): MinedTemplates<ShapeFacts> {
    return this.miner.finish();
  }

  private isInside(timestamp: number | null): boolean {
    const { sinceMs, untilMs } = this.window;
    if (timestamp !== null) {
      this.inWindow = (sinceMs === null || timestamp >= sinceMs) && (untilMs === null || timestamp <= untilMs);
    }
    return this.inWindow;
  }

  private isEarliest({ timestamp }: ReadEvent): boolean {
    const known = this.firstError;
    return known === null || (timestamp !== null && known.timestamp !== null && timestamp < known.timestamp);
  }

  private countLevel(level: Level | null, event: ReadEvent): void {
    const at = level === null ? levels.length : levels.indexOf(level);
    const count = this.byLevel[at] ?? 0;
    this.byLevel[at] = count + 1;
    if (count === 0 && level !== null) this.firstOfLevel.set(level, keepEvent(event, this.seen));
  }

  private countEntities(facts: ShapeFacts, event: ReadEvent): void {
    const { entities, seen } = this;
    if (facts.names || facts.count <= namesSought) {
      const found = findEntities(event.message);
      facts.names ||= found.length > 0;
      for (const { type, name } of found) entities.add(type, name, seen);
    }
    if (event.component !== null) entities.add("component", event.component, seen);
    if (event.host !== null) entities.add("host", event.host, seen);
    if (event.service !== null) entities.add("service", event.service, seen);
    if (event.client !== null) entities.add("ip", event.client, seen);
  }

  private countIn(facts: ShapeFacts, event: ReadEvent, level: Level | null): void {
    const { isError } = this.seen;
    facts.count += 1;
    if (isError) facts.errorCount += 1;
    if (level !== null) {
      const at = levels.indexOf(level);
      facts.levels[at] = (facts.levels[at] ?? 0) + 1;
    }
    facts.last.line = event.line;
    facts.last.timestamp = event.timestamp;
    const isEarly = facts.count <= firstKept || (isError && facts.errorCount <= errorsKept);
    if (isEarly) this.keepIn(facts, event);
    else if (event.extra !== null && facts.errors.length > 0) countError(facts, event, null);
  }

  private keepIn(facts: ShapeFacts, event: ReadEvent): void {
    const kept = keepEvent(event, this.seen);
    facts.first ??= kept;
    facts.kept.push(kept);
    if (this.seen.isError || namesException(event.message, event.stack ?? event.extra)) countError(facts, event, kept);
  }

  private countTime(timestamp: number): void {
    if (this.firstTimestamp === null || timestamp < this.firstTimestamp) {
      this.firstTimestamp = timestamp;
      this.firstAt = { line: this.seen.line, file: this.seen.file };
    }
    if (this.lastTimestamp === null || timestamp >= this.lastTimestamp) {
      this.lastTimestamp = timestamp;
      this.lastAt.line = this.seen.line;
      this.lastAt.file = this.seen.file;
    }
  }
}

function countError(facts: ShapeFacts, event: ReadEvent, kept: KeptEvent | null): void {
  const type = findErrorType(event.message, event.stack ?? event.extra) ?? "Error";
  const known = facts.errors.find((seen) => seen.type === type);
  if (known) known.count += 1;
  else if (kept !== null && facts.errors.length < maxErrorTypes) {
    facts.errors.push({
      type,
      message: writeErrorText(kept.message, event.stack ?? event.extra),
      count: 1,
      event: kept,
    });
  }
}
