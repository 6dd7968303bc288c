import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openTestServer, operatorToken, runToEnd, until } from "../../test/support/server.ts";
import { type Listening, listen } from "./start-server.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server on a socket of its own; its names are those of the tests, so each request says its Host. */
async function start(patience: Parameters<typeof listen>[3] = {}) {
  const server = openTestServer({ rules: { maxBodyBytes: 20_000 } });
  const listening: Listening = await listen(server.app, "127.0.0.1", 0, patience);
  open.push(listening.stop);
  return { ...server, port: listening.port };
}

const head = (method: string, path: string, lines: string[] = []): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1:4180",
    `Authorization: Bearer ${operatorToken}`,
    "Content-Type: application/json",
    ...lines,
    "",
    "",
  ].join("\r\n");

/** Writes to a socket of its own and reads until the server ends it. */
async function speak(port: number, write: (socket: Socket) => void): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket.on("data", (data: Buffer) => void (said += data.toString()));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const closed = new Promise((done) => socket.once("close", done));
  write(socket);
  await closed;
  return said;
}

/** Asks for the session of a token, on a connection that is used again. */
async function askAs(port: number, token: string): Promise<{ status: number; retryAfter: number }> {
  const headers = { host: "127.0.0.1:4180", authorization: `Bearer ${token}` };
  const asked = request({ port, path: "/api/session", headers, agent }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode ?? 0, retryAfter: Number(answer.headers["retry-after"]) };
}
const agent = new Agent({ keepAlive: true, maxSockets: 20 });

describe("over a real socket", () => {
  it("a body that says it is too large is refused before it is read", async () => {
    const { port, store } = await start();
    const said = await speak(port, (socket) =>
      socket.write(head("POST", "/api/runs", ["Content-Length: 900000000", "Connection: close"])),
    );
    expect(said).toContain("413");
    expect(said).toContain("too_large");
    expect(await store.ids()).toEqual([]);
  });

  const piece = "x".repeat(10_000);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;

  it("a body that does not say how large it is is refused where it becomes too large", async () => {
    const { port, store } = await start();
    const said = await speak(port, (socket) =>
      socket.write(head("POST", "/api/runs", ["Transfer-Encoding: chunked", "Connection: close"]) + chunk.repeat(3)),
    );
    expect(said).toContain("413");
    expect(said).toContain("too_large");
    expect(await store.ids()).toEqual([]);
  });

  it("a body that never ends is read no further than it may be, and the connection ends", async () => {
    const { port, store } = await start();
    let sent = 0;
    await speak(port, (socket) => {
      socket.write(head("POST", "/api/runs", ["Transfer-Encoding: chunked"]));
      const feed = (): void => {
        if (socket.destroyed || !socket.writable) return;
        sent += piece.length;
        if (socket.write(chunk)) setImmediate(feed);
        else socket.once("drain", feed);
      };
      feed();
    });
    expect(sent).toBeLessThan(50_000_000);
    expect(await store.ids()).toEqual([]);
  });

  it("so many requests are answered and no more, and the others are told when to come back", async () => {
    const { port } = await start();
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 400 }, () => askAs(port, operatorToken)));
    const seconds = (performance.now() - startedMs) / 1000;
    const taken = answers.filter(({ status }) => status === 200).length;
    expect(taken).toBeGreaterThanOrEqual(200);
    expect(taken).toBeLessThanOrEqual(Math.ceil(200 + 50 * seconds));
    const refused = answers.filter(({ status }) => status === 429);
    expect(taken + refused.length).toBe(400);
    expect(refused.every(({ retryAfter }) => retryAfter >= 1)).toBe(true);
  });

  it("a token that is guessed is guessed a few times, then nobody listens for a while", async () => {
    const { port } = await start();
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => askAs(port, `guess-${n}`)));
    const seconds = (performance.now() - startedMs) / 1000;
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(Math.ceil(10 + 0.5 * seconds));
  });

  it("a header or a body that trickles in is cut off; others are served meanwhile", async () => {
    const patience = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };
    const server = await start(patience);
    const slowHead = speak(server.port, (socket) => socket.write("GET /healthz HTTP/1.1\r\nHost: 127"));
    const slowBody = speak(server.port, (socket) =>
      socket.write(`${head("POST", "/api/runs", ["Content-Length: 500"])}{"pack"`),
    );
    await runToEnd(server, { pack: "sentiment", text: "Cold coffee." });
    expect(await slowHead).toContain("408");
    expect(await slowBody).toContain("408");
    await until(() => server.lines.some((line) => line.includes("POST /api/runs")));
    expect(server.lines.filter((line) => /"status":5|"event":"error"/.test(line))).toEqual([]);
  });

  it("so many connections are open and no more", async () => {
    const { port } = await start({ maxConnections: 3 });
    const sockets = Array.from({ length: 3 }, () => connect(port, "127.0.0.1"));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    const one = sockets[0] as Socket;
    one.write(head("GET", "/healthz"));
    await once(one, "data");
    expect(await speak(port, (socket) => socket.write(head("GET", "/healthz")))).toBe("");
    for (const socket of sockets) socket.destroy();
  });

  it.each([
    ["/api/runs/../../etc/passwd", 200],
    ["/api/runs/..%2f..%2fetc%2fpasswd", 401],
    ["http://evil.example/api/session", 421],
    ["//evil.example/api/session", 200],
    ["/enter/../api/session", 401],
  ])("the raw address %s opens nothing: at most the page that anyone may see", async (address, status) => {
    const { port } = await start();
    const read = async (path: string) => {
      const said = await speak(port, (socket) =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:4180\r\nConnection: close\r\n\r\n`),
      );
      return { status: Number(said.split(" ")[1]), body: said.slice(said.indexOf("\r\n\r\n")) };
    };
    const said = await read(address);
    expect(said.status).toBe(status);
    if (status === 200) expect(said.body).toBe((await read("/")).body);
    else expect(said.body).toMatch(/"code":"(?:unauthorized|wrong_host)"/);
  });

  it("two Host headers, or none, are refused", async () => {
    const { port } = await start();
    for (const hosts of ["", "Host: 127.0.0.1:4180\r\nHost: evil.example\r\n", "Host: evil.example\r\n"])
      expect(
        await speak(port, (socket) => socket.write(`GET /healthz HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)),
      ).toMatch(/^HTTP\/1\.1 (400|421)/);
  });
});
