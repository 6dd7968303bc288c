const request =
  /\b(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) (\/[^\s"?]*)(?:\?[^\s"]*)?(?: HTTP\/[\d.]+)?"?[ ,]*(?:(?:status|code|responded|returned)?[:=]? ?"?([1-5]\d\d)\b)?/;
const statusWord = /\b(?:status|status_?code|http_?code)["']?[ :=]+"?([1-5]\d\d)\b/i;

/** A request that a message tells of, and how it was answered. */
export type Request = { route: string | null; status: number | null };

/** True when messages of this kind may tell of requests; asked once per kind of message. */
export function mayTellRequest(message: string): boolean {
  return request.test(message) || statusWord.test(message);
}

/** The request of a message: its method and the first two parts of its path, without numbers, and its status. */
export function readRequest(message: string): Request {
  const [, method, path, answer] = request.exec(message) ?? [];
  const status = answer ?? statusWord.exec(message)?.[1];
  const route = method === undefined || path === undefined ? null : `${method} ${nameRoute(path)}`;
  return { route, status: status === undefined ? null : Number(status) };
}

/** Without regular expressions and lists: this runs for every request of a log. */
function nameRoute(path: string): string {
  const middle = path.indexOf("/", 1);
  if (middle < 0) return `/${namePart(path.slice(1))}`;
  const end = path.indexOf("/", middle + 1);
  return `/${namePart(path.slice(1, middle))}/${namePart(path.slice(middle + 1, end < 0 ? undefined : end))}`;
}

const longestPart = 40;

/** A part of a path, `*` when it is a number, an id or too long to be a name. */
function namePart(part: string): string {
  if (part.length >= longestPart) return "*";
  for (let at = 0; at < part.length; at += 1) {
    const code = part.charCodeAt(at);
    if (code >= 48 && code <= 57) return /^v\d+$/.test(part) ? part : "*";
  }
  return part.length >= 8 && /^[a-f-]+$/i.test(part) ? "*" : part;
}
