/** A folder is not trusted because one stands in it: where keys go, whose code runs, where runs are kept. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EndpointSchema } from "../src/players/endpoints.ts";
import { newFolder, type Ran, runCli, spawnCli } from "./support/cli.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({
    respond: () => ({ value: { answer: "yes", reasoning: "so", confidence: 1, quotes: [] } }),
  });
});
afterAll(() => server.close());
beforeEach(() => void (server.seen.length = 0));

const keys = {
  OPENAI_API_KEY: "sk-openai-0123456789",
  LAB_KEY: "lab-secret-0123456789",
  AWS_SECRET_ACCESS_KEY: "aws!",
};
const ask = ["ask", "Is it?", "--protocol", "single", "--json"];

/** A folder with a configuration, and the command line in it with a home of its own. */
function openFolder(config: string) {
  const cwd = newFolder();
  const home = newFolder();
  writeFileSync(join(cwd, "parley.config.yaml"), config);
  const run = (args: string[], env: Record<string, string> = {}): Promise<Ran> =>
    runCli(args, { cwd, env: { ...keys, PARLEY_HOME: home, ...env } });
  return { cwd, home, run };
}

const override = () => `endpoints:\n  - name: openai\n    base_url: ${server.baseUrl}\n`;
const lab = (key: string) =>
  `cast: lab/m\nendpoints:\n  - name: lab\n    base_url: ${server.baseUrl}\n    key_env: ${key}\n`;
const sentKeys = (): (string | undefined)[] => server.seen.map(({ headers }) => headers.authorization);

describe("keys", () => {
  it.each([
    ["a built-in provider's address is another", override, ["--cast", "openai/gpt-5-mini"], "OPENAI_API_KEY"],
    ["a key is paired with an address", () => lab("LAB_KEY"), [], "LAB_KEY"],
    ["another provider's key is paired with an address", () => lab("OPENAI_API_KEY"), [], "OPENAI_API_KEY"],
  ])("where %s, nothing is sent before the folder is trusted", async (_, config, cast, key) => {
    const { run } = openFolder(config());
    const refused = await run([...ask, ...cast]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`it sends ${key} to ${server.baseUrl}`);
    expect(refused.err).toContain("parley doctor trust");
    expect(server.seen).toEqual([]);
    expect((await run(["doctor", "trust"])).out).toContain(`it sends ${key} to ${server.baseUrl}`);
    const done = await run([...ask, ...cast]);
    expect(done).toMatchObject({ code: 0 });
    expect(sentKeys()).toEqual([`Bearer ${keys[key as keyof typeof keys]}`]);
  });

  it.each([
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "NPM_TOKEN",
    "PARLEY_TOKEN",
    "HOME",
    "DATABASE_URL",
    "SSH_AUTH_SOCK",
  ])("%s is sent to nobody, whatever is trusted", async (name) => {
    const { run } = openFolder(lab(name));
    const refused = await run(ask, { PARLEY_TRUST: "1", [name]: "a-value-of-it" });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("endpoints[0].key_env");
    expect(server.seen).toEqual([]);
  });

  it.each([
    ["lab", "LAB_KEY"],
    ["openrouter", "OPENROUTER_API_KEY"],
    ["azure", "AZURE_OPENAI_API_KEY"],
    ["hf", "HF_TOKEN"],
    ["my-lab.2", "my_lab_2_key"],
    ["proxy", "OPENAI_API_KEY"],
  ])("the endpoint %s can have its key in %s", (name, key_env) =>
    expect(EndpointSchema.safeParse({ name, key_env }).success).toBe(true),
  );

  it.each([
    ["lab", "STRIPE_API_KEY"],
    ["lab", "LABOUR_KEY"],
    ["parley", "PARLEY_TOKEN"],
    ["parley", "PARLEY_READER_TOKEN"],
  ])("the endpoint %s cannot have its key in %s", (name, key_env) =>
    expect(EndpointSchema.safeParse({ name, key_env }).error?.issues[0]?.path).toEqual(["key_env"]),
  );

  it("a run with models says once where they are asked and with whose key, and never the key", async () => {
    const { run } = openFolder("");
    const { err, code } = await run([...ask, "--cast", "openai/gpt-5-mini", "--set", "samples=3"], {
      OPENAI_BASE_URL: server.baseUrl,
    });
    expect(code).toBe(0);
    expect(err.match(/^Asks .*$/gm)).toEqual([`Asks openai at ${server.baseUrl}, with OPENAI_API_KEY`]);
    expect(err).not.toContain(keys.OPENAI_API_KEY);
    expect((await run([...ask, "--cast", "expert"])).err).not.toContain("Asks");
  });

  it("an address that the user's own environment gives needs no trust", async () => {
    const { run } = openFolder("endpoints:\n  - name: openai\n    max_concurrency: 1\n");
    expect((await run([...ask, "--cast", "openai/gpt-5-mini"], { OPENAI_BASE_URL: server.baseUrl })).code).toBe(0);
  });

  it("an endpoint on this machine without a key needs no trust; one elsewhere does, since it is told what is asked", async () => {
    const here = openFolder(`cast: near/m\nendpoints:\n  - name: near\n    base_url: ${server.baseUrl}\n`);
    expect((await here.run(ask)).code).toBe(0);
    expect(sentKeys()).toEqual([undefined]);
    const away = openFolder("cast: far/m\nendpoints:\n  - name: far\n    base_url: https://models.example/v1\n");
    expect((await away.run(ask)).err).toContain("it sends what is asked to https://models.example/v1");
  });
});

describe("trust", () => {
  it("ends when the file changes, and is of one place: a copy elsewhere has none", async () => {
    const { cwd, home, run } = openFolder(lab("LAB_KEY"));
    expect((await run(["doctor", "trust"])).code).toBe(0);
    expect((await run(ask)).code).toBe(0);
    const copy = openFolder(lab("LAB_KEY"));
    expect((await copy.run(ask, { PARLEY_HOME: home })).err).toContain("is not trusted yet");
    writeFileSync(join(cwd, "parley.config.yaml"), `${lab("LAB_KEY")}# changed\n`);
    expect((await run(ask)).err).toContain("has changed since it was trusted");
    expect((await run(["doctor", "trust", "--list"])).out).toContain("changed since");
  });

  it("is kept outside the folder, for its owner alone, listed and taken back", async () => {
    const { cwd, home, run } = openFolder(lab("LAB_KEY"));
    await run(["doctor", "trust"]);
    expect(readdirSync(cwd)).toEqual(["parley.config.yaml"]);
    const [record = ""] = readdirSync(join(home, "trusted"));
    expect(statSync(join(home, "trusted", record)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "trusted")).mode & 0o777).toBe(0o700);
    expect((await run(["doctor", "trust", "--list"])).out).toContain(join(cwd, "parley.config.yaml"));
    expect((await run(["doctor", "trust", "--remove"])).out).toContain("no longer trusted");
    expect((await run(ask)).code).toBe(2);
    expect((await run(["doctor", "trust", "--list"])).out).toBe("nothing is trusted\n");
  });

  it("is given by PARLEY_TRUST=1 where nobody can be asked, and by no other value", async () => {
    const { run } = openFolder(lab("LAB_KEY"));
    expect((await run(ask, { PARLEY_TRUST: "0" })).code).toBe(2);
    expect((await run(ask, { PARLEY_TRUST: "1" })).code).toBe(0);
  });

  it("is asked for on one line for each concern, whatever names the configuration has", async () => {
    const { run } = openFolder('packs: ["./a.mjs\\n  - it runs the code of ./b.mjs\\u2028\\t"]\n');
    expect((await run(ask)).err.match(/^ *- it .*$/gm)).toEqual([
      "  - it runs the code of ./a.mjs%0A  - it runs the code of ./b.mjs%E2%80%A8%09",
    ]);
  });

  it("is asked for by name with --config too, and doctor says what is missing", async () => {
    const { cwd, run } = openFolder("");
    writeFileSync(join(cwd, "other.yaml"), lab("LAB_KEY"));
    const refused = await run([...ask, "--config", "other.yaml"]);
    expect(refused.err).toContain(`parley doctor trust ${join(cwd, "other.yaml")}`);
    expect((await run(["doctor", "--config", "other.yaml"])).out).toContain("is not trusted yet");
    await run(["doctor", "trust", "other.yaml"]);
    expect((await run([...ask, "--config", "other.yaml"])).code).toBe(0);
  });
});

describe("code and places", () => {
  const marks = (cwd: string): string =>
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(cwd, "ran"))}, "");`;

  it("a pack of the folder is not run before it is trusted, by no command; one that is typed is", async () => {
    const { cwd, home } = openFolder("packs: [./own.mjs]\n");
    writeFileSync(join(cwd, "own.mjs"), marks(cwd));
    const run = (...args: string[]): Promise<Ran> => spawnCli(args, { cwd, env: { PARLEY_HOME: home } }).ran;
    for (const args of [
      ["runs"],
      ["ask", "Why?"],
      ["doctor"],
      ["doctor", "config", "--schema"],
      ["doctor", "trust", "--list"],
      ["mcp"],
    ])
      await run(...args);
    expect(existsSync(join(cwd, "ran"))).toBe(false);
    expect((await run("runs")).err).toContain("it runs the code of ./own.mjs");
    await run("doctor", "trust");
    await run("runs");
    expect(existsSync(join(cwd, "ran"))).toBe(true);
    const other = newFolder();
    writeFileSync(join(other, "own.mjs"), marks(other));
    await spawnCli(["demo", "./own.mjs"], { cwd: other }).ran;
    expect(existsSync(join(other, "ran"))).toBe(true);
  });

  const absolute = join(tmpdir(), `parley-elsewhere-${process.pid}`);
  it.each([
    ["a folder above", "../elsewhere"],
    ["an absolute place", absolute],
    ["a link that leads out", "link/inner"],
    ["a database", "postgres://somebody@db.example/runs"],
  ])("a store in %s needs trust, and nothing is made there", async (_, store) => {
    const { cwd, run } = openFolder(`store: ${store}\n`);
    const outside = newFolder();
    symlinkSync(outside, join(cwd, "link"));
    const refused = await run(["ask", "Why?"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/keeps runs (?:outside its folder|in a database elsewhere)/);
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(absolute)).toBe(false);
  });

  it("a store inside the folder needs none", async () => {
    const { cwd, run } = openFolder("store: kept/runs\n");
    mkdirSync(join(cwd, "kept"));
    expect((await run(["ask", "Why?"])).code).not.toBe(2);
    expect(existsSync(join(cwd, "kept/runs/parley.db"))).toBe(true);
  });

  it("a store whose file, or a default store that is itself a link out of the folder, is not written", async () => {
    const outside = newFolder();
    const { cwd, run } = openFolder("store: st\n");
    mkdirSync(join(cwd, "st"));
    symlinkSync(join(outside, "not-there-yet.db"), join(cwd, "st/parley.db"));
    expect((await run(["ask", "Why?"])).err).toContain(`keeps runs outside its folder, in ${outside}`);
    for (const link of [".parley", ".parley/parley.db"]) {
      const bare = newFolder();
      if (link.includes("/")) mkdirSync(join(bare, ".parley"));
      symlinkSync(outside, join(bare, link));
      const refused = await runCli(["ask", "Why?"], { cwd: bare });
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.err).toContain(".parley keeps runs outside its folder");
    }
    expect(readdirSync(outside)).toEqual([]);
    const named = newFolder();
    symlinkSync(outside, join(named, ".parley"));
    expect((await runCli(["ask", "Why?", "--store", ".parley"], { cwd: named })).code).not.toBe(2);
    expect(readdirSync(outside)).toContain("parley.db");
  });

  it("`parley new pack` writes nothing where the folder of packs is a link", async () => {
    const { cwd, run } = openFolder("");
    const outside = newFolder();
    symlinkSync(outside, join(cwd, "packs"));
    expect((await run(["new", "pack", "triage"])).err).toContain("is a link");
    expect(readdirSync(outside)).toEqual([]);
  });

  it("a pack that the user has just written with `parley new` is trusted, beside nothing that was not", async () => {
    const fresh = openFolder("");
    expect((await fresh.run(["new", "pack", "triage"])).out).toContain("is trusted as it is now");
    const foreign = openFolder(lab("LAB_KEY"));
    expect((await foreign.run(["new", "pack", "triage"])).out).toContain(
      "read the rest of it, then: parley doctor trust",
    );
    expect((await foreign.run(["runs"])).code).toBe(2);
  });
});

it("a configuration that is a pipe, a device or endless is refused, and not waited for", async () => {
  for (const make of [
    (file: string) => execFileSync("mkfifo", [file]),
    (file: string) => symlinkSync("/dev/zero", file),
    (file: string) => writeFileSync(file, "# ".padEnd(1_000_001, "x")),
  ]) {
    const { cwd, run } = openFolder("");
    const file = join(cwd, "parley.config.yaml");
    rmSync(file);
    make(file);
    const { code, err } = await run(ask);
    expect([code, err]).toEqual([2, expect.stringMatching(/not a plain file|larger than 1 MB/)]);
  }
});

const thresholds = "experiments/configs/debate_thresholds.json";
const layer = ".parley/sentiment/layer-en.json";
const certified = ["law", "Siapa ahli waris?", "--max-wrong", "5%"];

it.runIf(process.platform === "linux").each<[string, (cwd: string) => void, string[], RegExp]>([
  ["a study's manifest", (cwd) => linkTo("/dev/zero", cwd, "s/manifest.json"), ["study", "report", "s"], /is a link/],
  ["a pipe in a study", (cwd) => makePipe(cwd, "s/manifest.json"), ["study", "report", "s"], /not a plain file/],
  ["a recording", (cwd) => linkTo("/dev/zero", cwd, "r/a.json"), ["redecide", "--check", "r"], /is a link/],
  ["a file of thresholds", (cwd) => linkTo("/dev/zero", cwd, thresholds), ["sentiment", "Good."], /not a plain file/],
  ["a project's layer", (cwd) => linkTo("/dev/zero", cwd, layer), ["sentiment", "Good."], /is a link/],
  ["a certificate", (cwd) => linkTo("/dev/zero", cwd, "law.certificate.json"), certified, /not a plain file/],
  ["a log", (cwd) => linkTo("/dev/zero", cwd, "logs/a.log"), ["rca", "logs"], /no log|no files/],
  ["a pack", (cwd) => linkTo("/dev/zero", cwd, "own.mjs"), ["demo", "./own.mjs"], /not a plain file/],
  ["a layer", () => undefined, ["sentiment", "Good.", "--set", "learnt.en=/dev/zero"], /failed . 1 turn/],
  [
    "a dataset",
    (cwd) => linkTo("/dev/zero", cwd, "d.jsonl"),
    ["study", "certify", "d.jsonl", "--pack", "law", "--max-wrong", "5%"],
    /device/,
  ],
])("%s of a stranger that never ends is refused, and not waited for", async (_, make, args, why) => {
  const cwd = newFolder();
  make(cwd);
  const { err, code } = await runCli(args, { cwd });
  expect(err).toMatch(why);
  expect(code).not.toBe(0);
});

function linkTo(target: string, cwd: string, name: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  symlinkSync(target, join(cwd, name));
}

function makePipe(cwd: string, name: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  execFileSync("mkfifo", [join(cwd, name)]);
}

describe("trust is for what was seen", () => {
  const mark = (cwd: string, name: string): string =>
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(cwd, name))}, "");`;
  const isMarked = (cwd: string, name: string): boolean => existsSync(join(cwd, name));

  /** A trusted folder with a pack in two files and a package. */
  async function openTrusted(code = 'import "./inner.mjs"; import "acme";') {
    const cwd = newFolder();
    const home = newFolder();
    const run = (folder: string, ...args: string[]): Promise<Ran> =>
      spawnCli(args, { cwd: folder, env: { PARLEY_HOME: home } }).ran;
    writeFileSync(join(cwd, "parley.config.yaml"), "packs: [./own.mjs]\n");
    writeFileSync(join(cwd, "own.mjs"), `${mark(cwd, "ran")}\n${code}`);
    writeFileSync(join(cwd, "inner.mjs"), "export {};");
    mkdirSync(join(cwd, "node_modules/acme"), { recursive: true });
    writeFileSync(join(cwd, "node_modules/acme/package.json"), '{"name":"acme","type":"module","exports":"./a.js"}');
    writeFileSync(join(cwd, "node_modules/acme/a.js"), "export {};");
    expect((await run(cwd, "doctor", "trust")).code).toBe(0);
    return { cwd, home, run };
  }

  it("what was seen is run; a pack, a file it imports or a package of it that changed asks again", async () => {
    const { cwd, run } = await openTrusted();
    expect((await run(cwd, "runs")).err).toContain("exports no pack");
    expect(isMarked(cwd, "ran")).toBe(true);
    for (const file of ["inner.mjs", "node_modules/acme/a.js", "own.mjs"]) {
      const before = readFileSync(join(cwd, file));
      writeFileSync(join(cwd, file), mark(cwd, "hostile"));
      const refused = await run(cwd, "runs");
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.err).toContain("has changed since it was trusted");
      expect(refused.err).toContain(join(cwd, file));
      await run(cwd, "doctor", "trust", "--remove");
      expect((await run(cwd, "runs")).code).toBe(2);
      writeFileSync(join(cwd, file), before);
      await run(cwd, "doctor", "trust");
    }
    expect(isMarked(cwd, "hostile")).toBe(false);
  });

  it("a configuration that is a link to a trusted one is not trusted, and names packs of the folder it leads to", async () => {
    const { cwd, run } = await openTrusted();
    const evil = newFolder();
    symlinkSync(join(cwd, "parley.config.yaml"), join(evil, "parley.config.yaml"));
    writeFileSync(join(evil, "own.mjs"), mark(evil, "hostile"));
    const refused = await run(evil, "runs");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain(`it is a link to ${join(cwd, "parley.config.yaml")}`);
    await run(evil, "doctor", "trust");
    await run(evil, "runs");
    expect(isMarked(evil, "hostile")).toBe(false);
    expect(isMarked(cwd, "ran")).toBe(true);
  });

  it.each([
    ["the folder is entered by a link", (cwd: string, evil: string) => symlinkSync(cwd, join(evil, "in"))],
    ["the configuration is copied", (cwd: string, evil: string) => cpSync(cwd, join(evil, "in"), { recursive: true })],
  ])("where %s, no foreign pack is run", async (_, lend) => {
    const { cwd, run } = await openTrusted();
    const evil = newFolder();
    lend(cwd, evil);
    writeFileSync(join(evil, "own.mjs"), mark(evil, "hostile"));
    await run(evil, "runs", "--config", "in/parley.config.yaml");
    expect(isMarked(evil, "hostile")).toBe(false);
  });

  it("a link to a harmless configuration is refused too, until it is trusted as itself and as long as it leads there", async () => {
    const [cwd, home, other] = [newFolder(), newFolder(), newFolder()];
    const run = (...args: string[]): Promise<Ran> => runCli(args, { cwd, env: { PARLEY_HOME: home } });
    for (const folder of [other, cwd]) writeFileSync(join(folder, "real.yaml"), "seed: 3\n");
    symlinkSync(join(other, "real.yaml"), join(cwd, "parley.config.yaml"));
    expect((await run("runs")).err).toContain("it is a link to");
    await run("doctor", "trust");
    expect((await run("runs")).code).toBe(0);
    rmSync(join(cwd, "parley.config.yaml"));
    symlinkSync("real.yaml", join(cwd, "parley.config.yaml"));
    expect((await run("runs")).err).toContain("has changed since it was trusted");
  });

  it("a pack that is a link is trusted where it leads; another target asks again", async () => {
    const { cwd, run } = await openTrusted("");
    rmSync(join(cwd, "own.mjs"));
    writeFileSync(join(cwd, "good.mjs"), "");
    symlinkSync("good.mjs", join(cwd, "own.mjs"));
    await run(cwd, "doctor", "trust");
    expect((await run(cwd, "runs")).err).toContain("exports no pack");
    rmSync(join(cwd, "own.mjs"));
    writeFileSync(join(cwd, "bad.mjs"), mark(cwd, "hostile"));
    symlinkSync("bad.mjs", join(cwd, "own.mjs"));
    expect((await run(cwd, "runs")).err).toContain("has changed since it was trusted");
    expect(isMarked(cwd, "hostile")).toBe(false);
  });

  it.each([
    ["a computed name", 'await import("./hid" + "den.mjs");'],
    ["require", 'import { createRequire } from "node:module"; createRequire(import.meta.url)("./hid" + "den.mjs");'],
    ["a package by a computed name", 'await import("ac" + "me2");'],
  ])("what a trusted pack loads by %s and nobody saw is refused", async (_, code) => {
    const { cwd, run } = await openTrusted(code);
    writeFileSync(join(cwd, "hidden.mjs"), mark(cwd, "hostile"));
    mkdirSync(join(cwd, "node_modules/acme2"));
    writeFileSync(join(cwd, "node_modules/acme2/index.mjs"), mark(cwd, "hostile"));
    writeFileSync(join(cwd, "node_modules/acme2/package.json"), '{"name":"acme2","exports":"./index.mjs"}');
    const refused = await run(cwd, "runs");
    expect(refused.err).toContain("was not seen when the packs were trusted");
    expect(isMarked(cwd, "hostile")).toBe(false);
  });
});
