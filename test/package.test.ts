import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { newFolder } from "./support/cli.ts";

const root = resolve(import.meta.dirname, "..");
const project = newFolder();
const node = process.execPath;

/** An empty project with the packed package in it, built unless that was just done; the dependencies are this checkout's, without the optional ones. */
beforeAll(() => {
  const out = newFolder();
  const build = process.env.PARLEY_BUILT === "yes" ? ["--ignore-scripts"] : [];
  execFileSync("npm", ["pack", "--silent", ...build, "--pack-destination", out], { cwd: root, stdio: "pipe" });
  const modules = join(project, "node_modules");
  mkdirSync(modules);
  const { peerDependenciesMeta } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package;
  for (const name of readdirSync(join(root, "node_modules")))
    if (!name.startsWith(".") && !Object.hasOwn(peerDependenciesMeta, name))
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  mkdirSync(join(modules, "parley"));
  const tarball = readdirSync(out).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", join(out, tarball), "-C", join(modules, "parley"), "--strip-components=1"]);
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
});

type Package = { peerDependenciesMeta: object };

const run = (...args: string[]): string =>
  execFileSync(node, args, { cwd: project, encoding: "utf8", env: { PATH: process.env.PATH } });

it("the sample of the README runs against the packed package", () => {
  const sample = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1] ?? "";
  expect(sample.trim().split("\n").length).toBeLessThanOrEqual(16);
  writeFileSync(join(project, "sample.ts"), sample);
  expect(run("sample.ts")).toBe(
    "decided The cracks were caused by the wrong steel grade, the survey found.\n3 turns, 0 abstained\n",
  );
});

it("brings the data of its studies, and neither a Node nor the sets that benches measure with", () => {
  const files = readdirSync(join(project, "node_modules/parley"), { recursive: true, encoding: "utf8" });
  for (const study of files.filter((file) => /^studies\/\w+\.yaml$/.test(file))) {
    const [, data = ""] =
      /path: ([^,}\s]+)/.exec(readFileSync(join(project, "node_modules/parley", study), "utf8")) ?? [];
    expect(existsSync(join(project, "node_modules/parley/studies", data)), `${study}: ${data}`).toBe(true);
  }
  const measured = ["examples/incidents", "document-questions", "told-", "unseen-", "misreadings"];
  expect(files.filter((file) => /(?:^|\/)node$/.test(file) || measured.some((name) => file.includes(name)))).toEqual(
    [],
  );
});

it("the packed command line runs the demo", () => {
  expect(run("node_modules/parley/bin/parley.js", "demo")).toMatch(/\d debates in/);
});

it("reviews and serves without the packages of a shared store", async () => {
  const parley = "node_modules/parley/bin/parley.js";
  expect(run(parley, "review")).toBe("nothing waits for a person\n");
  const server = spawn(node, [parley, "serve", "--port", "0"], { cwd: project, env: { PATH: process.env.PATH } });
  let said = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (data) => (said += String(data)));
  await expect.poll(() => said, { timeout: 120_000 }).toMatch(/http:/);
  server.kill();
  await once(server, "exit");
});

it("every entry point of the package can be imported and has types", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, { types: string }>;
  };
  const names = Object.keys(exports).map((name) => `parley${name.slice(1)}`);
  const lines = names.map((name) => `console.log("${name}", Object.keys(await import("${name}")).length > 0);`);
  writeFileSync(join(project, "entries.ts"), lines.join("\n"));
  expect(run("entries.ts").trim().split("\n")).toEqual(names.map((name) => `${name} true`));
  for (const { types } of Object.values(exports))
    expect(existsSync(join(project, "node_modules/parley", types)), types).toBe(true);
});

it("a consumer's project passes tsc --strict without skipLibCheck, and its types are kept", () => {
  const names = Object.keys(
    (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: Record<string, unknown> }).exports,
  ).map((name) => `parley${name.slice(1)}`);
  const imports = names.map((name, index) => `import * as entry${index} from "${name}";\nvoid entry${index};`);
  writeFileSync(
    join(project, "consumer.ts"),
    `${imports.join("\n")}
import { definePack, defineRole, type Player, runDebate, sqliteStore, startRun, castOfStrings, memoryStore } from "parley";
import * as z from "zod";
const speaker = defineRole({
  name: "speaker",
  reply: z.strictObject({ said: z.string() }),
  prompt: ({ text }: { text: string }) => ({ instructions: "Repeat.", blocks: [], own: [{ label: "TEXT", text }] }),
});
const pack = definePack({
  name: "echo", summary: "Says it again.", input: z.strictObject({ text: z.string() }), config: z.strictObject({}),
  decision: z.strictObject({ said: z.string() }), roles: () => [speaker],
  async protocol(debate, { input }) {
    const reply = await debate.tryAsk(speaker, input);
    return reply ? { outcome: "decided", reasons: [], decision: reply } : { outcome: "undecided", reasons: ["silence"] };
  },
});
const own: Player = { id: "own", play: async () => ({ reply: { value: { said: "me" } }, usage: { calls: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, costUsd: 0 }, finish: null }) };
const done = await runDebate(pack, { text: "hear" }, { cast: { speaker: own }, store: sqliteStore("kept") });
const said: string | undefined = done.result.decision?.said;
const store = memoryStore();
const { finished } = await startRun({ store, castOf: castOfStrings(store) }, { pack, input: { text: "x" }, cast: "expert" }).catch(() => ({ finished: done }));
const again: string | undefined = finished.result.decision?.said;
console.log(said, again);
`,
  );
  const options = {
    strict: true,
    module: "NodeNext",
    target: "ES2024",
    types: ["node"],
    noEmit: true,
    skipLibCheck: false,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["consumer.ts"] }));
  const tsc = join(root, "node_modules/.bin/tsc");
  let said = "";
  try {
    execFileSync(tsc, ["-p", "tsconfig.json", "--singleThreaded"], { cwd: project, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    said = (error as { stdout: string }).stdout;
  }
  expect(said).toBe("");
  expect(run("consumer.ts")).toBe("me me\n");
});
