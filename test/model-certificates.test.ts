import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { newFolder, type Ran, spawnCli } from "./support/cli.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

type Shown = { certificate: string; port: number; seen: { handshakes: number; requests: number } };

/** A server on loopback with a certificate that it made itself, for a name. */
async function serveWith(name: string): Promise<Shown> {
  const folder = newFolder();
  const [key, certificate] = ["key.pem", "certificate.pem"].map((file) => join(folder, file)) as [string, string];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=parley test"];
  execFileSync("openssl", [...args, "-addext", `subjectAltName=${name}`, "-keyout", key, "-out", certificate], {
    stdio: "ignore",
  });
  const seen = { handshakes: 0, requests: 0 };
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    seen.requests += 1;
    request.resume();
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"seen"}}');
  });
  server.on("connection", () => (seen.handshakes += 1));
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { certificate, port: (server.address() as AddressInfo).port, seen };
}

/** Asks a model there; what is printed comes as one line. */
async function ask({ port }: Shown, env: Record<string, string> = {}): Promise<Pick<Ran, "code"> & { said: string }> {
  const cwd = newFolder();
  writeFileSync(
    join(cwd, "parley.config.yaml"),
    `endpoints:\n  - name: lab\n    base_url: https://127.0.0.1:${port}/v1\n`,
  );
  const args = ["ask", "Is it?", "--cast", "lab/m", "--set", "max_rounds=1", "--quiet"];
  const { code, out, err } = await spawnCli(args, { cwd, env: { ...env, PARLEY_TRUST: "1" } }).ran;
  return { code, said: `${out} ${err}`.replaceAll(/\s+/g, " ") };
}

/** Three speakers ask at once; five tries of each would be fifteen. */
const speakers = 3;

it("a certificate that nobody vouches for is told as what it is, and not asked for again", async () => {
  const shown = await serveWith("IP:127.0.0.1");
  const { code, said } = await ask(shown);
  expect(code).toBe(1);
  expect(said).toContain("its certificate is refused (DEPTH_ZERO_SELF_SIGNED_CERT)");
  expect(said).toContain("NODE_EXTRA_CA_CERTS");
  expect(shown.seen.requests).toBe(0);
  expect(shown.seen.handshakes).toBeLessThanOrEqual(speakers);
});

it("with the certificate as an authority of one's own, calls are made", async () => {
  const shown = await serveWith("IP:127.0.0.1");
  const { said } = await ask(shown, { NODE_EXTRA_CA_CERTS: shown.certificate });
  expect(said).not.toContain("certificate");
  expect(shown.seen.requests).toBeGreaterThan(0);
});

it("a certificate of another host is refused although its issuer is known", async () => {
  const shown = await serveWith("DNS:other.example");
  const { code, said } = await ask(shown, { NODE_EXTRA_CA_CERTS: shown.certificate });
  expect(code).toBe(1);
  expect(said).toContain("its certificate is refused (ERR_TLS_CERT_ALTNAME_INVALID)");
  expect(shown.seen.requests).toBe(0);
  expect(shown.seen.handshakes).toBeLessThanOrEqual(speakers);
});
