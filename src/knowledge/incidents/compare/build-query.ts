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
  const errors = log.error_messages.filter(({ template_id }) => template_id === null || !usual.has(template_id));
  return {
    templates: telling.slice(0, mostTemplates).map((template) => ({
      text: template.template,
      words: extractWords(template.template, hide),
      salient: isSalient(template),
    })),
    errors: errors.map((error) => ({
      text: error.message,
      words: extractWords(error.message, hide),
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

function isSalient({ level, template, change }: ParsedLog["templates"][number]): boolean {
  if (change === "new" || change === "more") return troubleWords.test(template) || isSevere(level);
  return isSevere(level) || troubleWords.test(template);
}

function isSevere(level: string | null): boolean {
  return level !== null && levels.indexOf(level as (typeof levels)[number]) >= levels.indexOf("WARN");
}
