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

function nameRoute(path: string): string {
  const parts = path.split("/").slice(1, 3);
  return `/${parts.map((part) => (/^v\d+$/.test(part) || !/\d|^[0-9a-f-]{8,}$|.{40}/i.test(part) ? part : "*")).join("/")}`;
}
