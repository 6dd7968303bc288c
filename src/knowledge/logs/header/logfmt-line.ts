import { readFields } from "./read-fields.ts";
import type { HeadReader } from "./header-format.ts";

const start = /^\s*[A-Za-z_][\w.@/-]*=(?:"(?:\\.|[^"\\])*"|[^\s"]*)(?:\s+[A-Za-z_][\w.@/-]*=|\s*$)/;
const pair = /([A-Za-z_][\w.@/-]*)=(?:"((?:\\.|[^"\\])*)"|([^\s"]*))/g;

/** Lines of `key=value` pairs (logfmt) that carry a message, a level or a time. */
export const logfmtReader: HeadReader = {
  name: "logfmt",
  read(line, times) {
    if (!start.test(line)) return null;
    const fields = new Map<string, string>();
    for (const [, key, quoted, bare] of line.matchAll(pair)) {
      if (key !== undefined && !fields.has(key)) fields.set(key, quoted?.replaceAll('\\"', '"') ?? bare ?? "");
    }
    const hasMessage = fields.has("msg") || fields.has("message") || fields.has("event");
    if (!hasMessage && !(fields.has("level") || fields.has("lvl"))) return null;
    const head = readFields([...fields.keys()], (name) => fields.get(name), times, line);
    const others = [...fields].filter(([key]) => !known.has(key)).map(([key, value]) => `${key}=${value}`);
    head.message = [head.message === line ? "" : head.message, ...others].join(" ").trim() || line;
    return head;
  },
};

/** The fields that the header takes; the others stay part of the message. */
const known = new Set(
  "time timestamp ts t level lvl severity msg message event logger component caller service svc app host hostname error err".split(
    " ",
  ),
);
