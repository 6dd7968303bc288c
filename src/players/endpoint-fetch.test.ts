import { spawn } from "node:child_process";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { createEndpointFetch } from "./endpoint-fetch.ts";

const endpointFetch = createEndpointFetch();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = { method: "POST", headers: { "content-type": "application/json", "x-api-key": "k" }, body: '{"é":1}' };

describe("fetching from an endpoint", () => {
  test("sends method, headers and body, and returns status, headers and body", async () => {
    const url = await serve((request, response) => {
      void text(request).then((body) => {
        response.writeHead(202, "Fine", {
          "x-seen": `${request.method} ${String(request.headers["x-api-key"])} ${request.headers["content-length"]}`,
        });
        response.end(body);
      });
    });
    const answer = await endpointFetch(url, post);
    expect([answer.status, answer.statusText, answer.headers.get("x-seen")]).toEqual([202, "Fine", "POST k 8"]);
    expect(await answer.text()).toBe('{"é":1}');
  });

  test("takes a body up to the limit and not a byte more", async () => {
    const url = await serve((_, response) => void response.end("x".repeat(1_000)));
    expect(await (await createEndpointFetch(1_000)(url, post)).text()).toHaveLength(1_000);
    await expect(createEndpointFetch(999)(url, post)).rejects.toThrow("larger than 999 bytes");
  });

  test("uses a connection again", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("{}");
    });
    for (const _ of [1, 2, 3]) await (await endpointFetch(url, post)).text();
    expect(ports.size).toBe(1);
  });

  test("does not follow a redirect, so that a key goes to no other address", async () => {
    const visited: string[] = [];
    const url = await serve((request, response) => {
      visited.push(request.url ?? "");
      response.writeHead(307, { location: "http://127.0.0.1:9/elsewhere" });
      response.end();
    });
    expect((await endpointFetch(`${url}/v1`, post)).status).toBe(307);
    expect(visited).toEqual(["/v1"]);
  });

  test("a connection lost after the status keeps the status", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.socket?.resetAndDestroy());
    });
    await expect(endpointFetch(url, post)).rejects.toMatchObject({ statusCode: 200 });
  });

  test("a streamed request that is answered with a page fails with the page", async () => {
    const url = await serve((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>"));
    const headers = { ...post.headers, accept: "text/event-stream" };
    await expect(endpointFetch(url, { ...post, headers })).rejects.toMatchObject({
      statusCode: 200,
      responseBody: "<p>hi</p>",
    });
  });

  test("goes through the environment's proxy, except to this machine", async () => {
    const asked: string[] = [];
    const proxy = await serve((request, response) => {
      asked.push(request.url ?? "");
      response.end("through the proxy");
    });
    const direct = await serve((_, response) => response.end("direct"));
    const script = `
      const { createEndpointFetch } = await import(${JSON.stringify(new URL("./endpoint-fetch.ts", import.meta.url).href)});
      for (const url of ["http://model.invalid/v1", ${JSON.stringify(direct)}]) console.log(await (await createEndpointFetch()(url)).text());
      process.exit();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: "", no_proxy: "" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await text(child.stdout)).toBe("through the proxy\ndirect\n");
    expect(asked).toEqual(["http://model.invalid/v1"]);
  });
});
