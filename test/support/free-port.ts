import { createServer } from "node:net";

/**
 * A port that nobody listens on. It is below those that the system hands out by itself (32768 and above on Linux), so that
 * no connection of another test takes it before it is used, nor while its server restarts.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });
}
