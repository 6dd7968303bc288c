/** What each layer of src/ may import; `index` is the library's front door. */
const inner = ["contract", "text", "engine"];
const middle = [...inner, "print", "players", "store", "knowledge", "packs"];
const allowed: Record<string, readonly string[]> = {
  contract: [],
  text: [],
  engine: ["contract", "text"],
  players: inner,
  store: inner,
  print: ["contract", "text"],
  knowledge: ["contract", "text"],
  packs: [...inner, "knowledge", "print"],
  runs: middle,
  studies: [...middle, "runs"],
  server: [...middle, "runs", "studies"],
  web: ["contract"],
  index: [...middle, "runs"],
  cli: [...middle, "runs", "studies", "server", "index"],
};

/** Says why `file` may not import `target` (both relative to src/), or null when it may. */
export function problemOf(file: string, target: string): string | null {
  if (target.startsWith("..")) return isTest(file) || /^\.\.\/(data|package\.json)/.test(target) ? null : "leaves src/";
  const from = layerOf(file);
  const to = layerOf(target);
  if (isTest(file)) return null;
  if (isTest(target)) return "imports a test";
  if (from === to) return from === "packs" ? packProblem(file, target) : null;
  if (!(from in allowed)) return `unknown layer "${from}"`;
  return allowed[from]?.includes(to) ? null : `${from} may not import ${to}`;
}

function packProblem(file: string, target: string): string | null {
  const [, pack, inside] = file.split("/");
  const [, other] = target.split("/");
  return inside !== undefined && pack !== other ? `the ${pack} pack may not import the ${other} pack` : null;
}

function layerOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? path) : path.replace(/\.ts$/, "");
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}
