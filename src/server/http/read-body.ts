import { ParleyError } from "../../contract/error.ts";
import { RequestError } from "../http/request-error.ts";

const deepest = 200;

/** The JSON body of a request, read no further than it may be long. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (measureDepth(text) > deepest) throw new ParleyError("bad_input", `the body is nested more than ${deepest} deep`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `the body is not valid JSON: ${(cause as Error).message.slice(0, 200)}`, {
      cause,
    });
  }
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = (): RequestError =>
    new RequestError("too_large", `the body is larger than ${maxBytes} bytes, which is the most that is taken here`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new ParleyError("bad_input", "the body is not UTF-8 text", { cause });
  }
}

/** How deep brackets are nested; a text that only looks like JSON is measured too, which does no harm. */
function measureDepth(text: string): number {
  let [depth, most, inString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 92) at += 1;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 91 || char === 123) most = Math.max(most, (depth += 1));
    else if (char === 93 || char === 125) depth -= 1;
  }
  return most;
}
