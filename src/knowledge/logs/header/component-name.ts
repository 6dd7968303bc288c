import { copyText } from "../scan/copy-text.ts";
import { readLevel } from "./level.ts";

const nothing =
  /^(?:null|nil|none|undefined|unknown|n\/a|stdout|stderr|error|exception|warning|failure|traceback|log)$/i;
const fileEnding = /^\.?(?:log|txt|out|err|gz|json|jsonl|csv|conf|cfg|ya?ml|xml)$/i;
const exception = /(?:Exception|Error|Throwable|Failure)$/;
const thread =
  /^(?:main|.*threads?\b.*|pool-.*|https?-nio.*|nio-.*|exec.*|scheduling.*|reactor.*|nioEventLoop.*|.*[-#]\d+|\d.*)$/i;

/** Names are few and lines are many: what was found of a name is remembered. */
function remember(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= 4096) known.clear();
    const found = judge(name);
    known.set(copyText(name), found);
    return found;
  };
}

/** True for a name that a component can have: no log level, no `NULL`, no exception, no file ending, no bare number. */
export const isComponentName = remember(judgeComponent);

function judgeComponent(name: string): boolean {
  if (!/[A-Za-z]/.test(name) || name.length > 200) return false;
  const isLevel = name.length > 1 && readLevel(name) !== null && name.toLowerCase() !== "config";
  return !isLevel && !nothing.test(name) && !fileEnding.test(name) && !exception.test(name);
}

export function isExceptionName(name: string): boolean {
  return exception.test(name);
}

/** True for a name in brackets that is a component and not a thread, a request or a number. */
export const isBracketedComponent = remember(judgeBracketed);

function judgeBracketed(name: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(name) && !thread.test(name) && !/^req[-_]/.test(name) && isComponentName(name);
}

const templateHash = "(?=[a-z0-9]*\\d)[a-z0-9]{3,10}|[bcdfghjklmnpqrstvwxz2456789]{8,10}";
const podName = new RegExp(`^(.+?)-(?:(?:${templateHash})-[a-z0-9]{1,5}|\\d+)$`);

/** The workload that a pod belongs to: `search` for `search-7c9d6f8b9c-x2x9z`, `db` for `db-0`. */
export function nameWorkload(pod: string): string {
  return podName.exec(pod)?.[1] ?? pod;
}
