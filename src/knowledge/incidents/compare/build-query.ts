import { isFrame, rateTelling } from "./telling-line.ts";
import { levels, type ParsedLog } from "../../logs/index.ts";
import { shortenErrorType, extractWords } from "./extract-words.ts";

/** Something observed that past incidents can be asked about. */
export type QueryText = { text: string; words: string[]; salient: boolean };
export type QueryError = QueryText & { type: string; line: number; file: string | null; observed: string };
export type QueryEntity = { type: string; name: string };
export type Query = { templates: QueryText[]; errors: QueryError[]; entities: QueryEntity[] };

/** Instance ids (block, container and request ids), addresses, users and files never count as a match (root-cause spec §3.2). */
const comparableEntities = new Set(["host", "service", "component", "node"]);
const troubleWords =
  /\b(error|fail|exception|timed? ?out|lost|refused|unreachable|killed|denied|unable|cannot|could not)/i;
const mostTemplates = 2000;

/** What a log asks the graph: its templates, errors and kinds of entities, without what the reference has too and what `hide` names. */
export function buildQuery(log: ParsedLog, hide: readonly string[] = []): Query {
  const usual = new Set(
    log.templates.filter(({ change }) => change === "same" || change === "less").map(({ id }) => id),
  );
  const telling = log.templates.filter(({ id }) => !usual.has(id));
  const errors = listTold(log).filter(({ template_id }) => template_id === null || !usual.has(template_id));
  return {
    templates: telling.slice(0, mostTemplates).map((template) => ({
      text: template.template,
      words: extractWords(template.template, hide),
      salient: isSalient(template),
    })),
    errors: errors.map((error) => ({
      text: tellError(error),
      words: extractWords(tellError(error), hide),
      salient: true,
      type: shortenErrorType(error.error_type),
      line: error.line,
      file: error.file,
      observed: error.error_type,
    })),
    entities: log.entities
      .filter(({ type, name }) => comparableEntities.has(type) && extractWords(name, hide).length > 0)
      .map(({ type, name }) => ({ type, name })),
  };
}

type ErrorMessage = ParsedLog["error_messages"][number];

/** What an error says: the root of its stack trace where it has one, else its message. */
export function tellError({ message, cause }: ErrorMessage): string {
  return cause ?? message;
}

/** Words that only say that something else failed are wrapped around a cause and tell none. */
function isWrapper(text: string): boolean {
  return rateTelling(text) < 1;
}

/** The errors that say something, and as errors of their own the rates that changed: silence and failing requests say a lot. */
export function listTold({ error_messages, watched = [], templates }: ParsedLog): ErrorMessage[] {
  const texts = new Map(templates.map(({ id, template }) => [id, template]));
  const rates = watched
    .filter(
      ({ kind, change }) => (kind === "template" && change === "stopped") || (kind === "route" && isRising(change)),
    )
    .slice(0, mostRates);
  const said = error_messages.filter((error) => !isWrapper(tellError(error)));
  return [
    ...(said.length > 0 ? said : error_messages),
    ...rates.map(({ kind, name, change, line, file, from }) => ({
      error_type: kind === "route" ? "FailingRequests" : "StoppedWork",
      message: `${change}: ${texts.get(name) ?? name}`,
      component: null,
      line: line ?? 1,
      file,
      template_id: null,
      level: null,
      timestamp: from,
      count: 1,
    })),
  ];
}

const mostRates = 4;

function isRising(change: string): boolean {
  return change === "started" || change === "more";
}

function isSalient({ level, template, change }: ParsedLog["templates"][number]): boolean {
  if (isFrame(template) || isWrapper(template)) return false;
  if (change === "new" || change === "more") return troubleWords.test(template) || isSevere(level);
  return isSevere(level) || troubleWords.test(template);
}

function isSevere(level: string | null): boolean {
  return level !== null && levels.indexOf(level as (typeof levels)[number]) >= levels.indexOf("WARN");
}
