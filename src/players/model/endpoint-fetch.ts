/**
 * `fetch` that notices when an endpoint answers a streamed request with something that is no event stream (an HTML
 * page, a JSON error with status 200): the SDK would read it as a stream without a single event.
 */
export async function endpointFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.ok || new Headers(init?.headers).get("accept") !== "text/event-stream") return response;
  if (/event-stream/i.test(response.headers.get("content-type") ?? "")) return response;
  const responseBody = await response.text();
  if (/^data:/m.test(responseBody)) return new Response(responseBody, response);
  const error = new Error("a streamed request was not answered with an event stream");
  throw Object.assign(error, { statusCode: response.status, responseBody });
}
