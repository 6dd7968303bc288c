import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { commands } from "../src/cli/commands.ts";
import { migrateFleet, openFleet } from "../src/fleet/fleet.ts";
import { migrateStore } from "../src/store/postgres.ts";
import { durationMs } from "../src/text/format.ts";
import { newFolder, spawnCli, runCli } from "./support/cli.ts";
import { postgresPrograms, runOn, sayWithoutPostgres, startPostgres } from "./support/postgres.ts";

const folder = resolve(import.meta.dirname, "../deploy");
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

type Container = { image: string; args: string[]; livenessProbe?: object; readinessProbe?: object };
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    selector?: { matchLabels: object };
    template?: {
      metadata?: { labels: object };
      spec: { terminationGracePeriodSeconds?: number; securityContext?: object; containers: Container[] };
    };
  };
};
type Service = {
  image: string;
  command?: string[];
  stop_grace_period?: string;
  depends_on?: object;
  environment?: Record<string, string>;
  env_file?: string;
};
const manifests = readdirSync(join(folder, "kubernetes")).flatMap((name) =>
  parseAllDocuments(read(join("kubernetes", name))).map((document) => {
    expect(document.errors, name).toEqual([]);
    return document.toJS() as Manifest;
  }),
);
const find = (name: string): Manifest | undefined => manifests.find((one) => one.metadata.name === name);

/** Holds the words of a container against the command line: the command is there, and takes its options. */
async function expectRuns(args: readonly string[]): Promise<void> {
  const [name = ""] = args;
  expect(Object.keys(commands)).toContain(name);
  const sub = name === "store" ? args.slice(0, 2) : [name];
  const { out } = await runCli([...sub, "--help"]);
  expect(out).toContain(`parley ${sub.join(" ")} [options]`);
  for (const option of args.filter((word) => word.startsWith("--"))) expect(out).toContain(option);
}

/** How long a worker's own grace is, in seconds. */
function graceOf(args: readonly string[]): number {
  return (durationMs(args.find((arg) => arg.startsWith("grace="))?.slice(6) ?? "") ?? Infinity) / 1000;
}

describe("what is deployed", () => {
  it("Kubernetes manifests name what exists, stop gracefully, drop their rights and are probed", async () => {
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["Deployment", "Service", "Ingress", "Job", "PersistentVolumeClaim"]),
    );
    for (const { apiVersion, kind, metadata, spec } of manifests) {
      expect(apiVersion, metadata.name).toMatch(/^(v1|apps\/v1|batch\/v1|networking\.k8s\.io\/v1)$/);
      for (const { args } of spec.template?.spec.containers ?? []) await expectRuns(args);
      if (kind !== "Deployment") continue;
      expect(spec.template?.metadata?.labels).toMatchObject(spec.selector?.matchLabels ?? {});
      expect(spec.template?.spec.securityContext).toMatchObject({ runAsNonRoot: true });
      expect(spec.template?.spec.containers[0]?.livenessProbe).toBeDefined();
    }
    const worker = find("parley-worker")?.spec.template?.spec;
    expect(worker?.terminationGracePeriodSeconds).toBeGreaterThan(graceOf(worker?.containers[0]?.args ?? []));
    expect(find("parley-server")?.spec.template?.spec.containers[0]?.readinessProbe).toBeDefined();
  });

  it("the compose file starts what exists, in order, and keeps secrets out of it", async () => {
    const text = read("compose.yaml");
    const { services } = parse(text, { merge: true }) as {
      services: Record<string, Service>;
    };
    for (const { image, command } of Object.values(services)) if (image === "parley") await expectRuns(command ?? []);
    expect(Object.keys(services.worker?.depends_on ?? {})).toEqual(["role"]);
    expect((durationMs(services.worker?.stop_grace_period ?? "") ?? 0) / 1000).toBeGreaterThan(
      graceOf(services.worker?.command ?? []),
    );
    expect(text).not.toMatch(/password: (?!\$)/i);
    for (const name of ["server", "worker"]) {
      const { environment, env_file: file } = services[name] ?? {};
      expect(environment?.PARLEY_STORE).toMatch(/^postgres:\/\/parley:/);
      expect(JSON.stringify(environment)).not.toContain("POSTGRES_PASSWORD");
      expect([undefined, "models.env"]).toContain(file);
    }
    expect(Object.keys(services.worker?.environment ?? {})).toEqual(["PARLEY_STORE"]);
  });

  it("the Dockerfile installs the package, runs what exists as nobody special, and keeps secrets out of it", async () => {
    const text = read("Dockerfile")
      .replaceAll(/^#.*\n/gm, "")
      .replaceAll("\\\n", " ");
    const steps = text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);
    const known = "FROM ARG COPY RUN ENV USER WORKDIR EXPOSE STOPSIGNAL ENTRYPOINT CMD".split(" ");
    expect(steps.map(([step]) => step).filter((step) => !known.includes(step))).toEqual([]);
    const step = (name: string): string => steps.find(([one]) => one === name)?.[1] ?? "";
    const project = JSON.parse(readFileSync(resolve(folder, "../package.json"), "utf8")) as {
      version: string;
      engines: { node: string };
      bin: Record<string, string>;
      peerDependencies: Record<string, string>;
    };
    const [, major = "0"] = /^node:(\d+)/.exec(step("FROM")) ?? [];
    expect(Number(major)).toBeGreaterThan(Number.parseInt(project.engines.node.slice(2), 10));
    expect(project.bin).toHaveProperty(...(JSON.parse(step("ENTRYPOINT")) as [string]));
    await expectRuns(JSON.parse(step("CMD")) as string[]);
    for (const [name, range] of Object.entries(project.peerDependencies))
      expect(step("RUN")).toContain(` ${name}@${Number.parseInt(range.slice(1), 10)} `);
    expect(step("COPY")).toBe("${PACKAGE} /opt/parley.tgz");
    expect(read("Dockerfile")).toContain(`parley-${project.version}.tgz`);
    expect(Number(step("USER"))).toBeGreaterThan(0);
    expect(text).not.toMatch(/_KEY|_TOKEN|PASSWORD/);
  });

  it("the systemd unit starts what exists, and waits longer than the worker does", async () => {
    const unit = new Map(
      read("parley-worker.service")
        .split("\n")
        .filter((line) => line !== "" && !/^[#[]/.test(line))
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const),
    );
    const args = (unit.get("ExecStart") ?? "").split(" ").slice(2);
    await expectRuns(args);
    expect(Number(unit.get("TimeoutStopSec"))).toBeGreaterThan(graceOf(args));
    expect(unit.get("KillSignal")).toBe("SIGTERM");
    expect(unit.get("NoNewPrivileges")).toBe("yes");
  });
});

if (postgresPrograms === null) sayWithoutPostgres();

it.skipIf(postgresPrograms === null)("the role of deploy/role.sql can work and can change no table", async () => {
  const server = await startPostgres();
  const owner = await server.newDatabase();
  await migrateFleet(owner);
  for (let times = 0; times < 2; times += 1) await runOn(owner, read("role.sql"));
  const address = owner.replace("postgres@", "parley@");
  const { child, ran } = spawnCli(["worker", "--set", "grace=1s"], { env: { PARLEY_STORE: address } });
  const fleet = await openFleet(address);
  try {
    const args = ["run", "sentiment", '{"text":"Good food."}', "--fleet", "--json", "--store", address];
    const played = await runCli(args, { cwd: newFolder() });
    expect(played.code, played.err).toBe(0);
    await expect(runOn(address, "DROP TABLE parley.run")).rejects.toThrow("must be owner");
    await expect(runOn(address, "INSERT INTO parley.layout (version) VALUES (99)")).rejects.toThrow("denied");
    await expect(migrateStore(`${address}?schema=another`)).rejects.toMatchObject({ code: "bad_config" });
  } finally {
    child.kill("SIGTERM");
    await ran;
    await fleet.close();
    await server.stop();
  }
});
