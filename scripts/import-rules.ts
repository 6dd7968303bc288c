/** What each layer of src/ may import beside itself; `index` is the library's front door. */
const inner = ["contract", "text", "engine"];
const middle = [...inner, "print", "players", "store", "knowledge", "packs"];
const layers: Record<string, readonly string[]> = {
  contract: [],
  text: [],
  engine: ["contract", "text"],
  players: inner,
  store: inner,
  print: ["contract", "text"],
  knowledge: ["text"],
  packs: [...inner, "knowledge"],
  runs: middle,
  studies: [...middle, "runs"],
  fleet: [...middle, "runs", "studies"],
  server: [...middle, "runs", "studies", "fleet"],
  web: ["contract", "text"],
  index: [...middle, "runs"],
  cli: [...middle, "runs", "studies", "fleet", "server", "index"],
};

/** The shapes that knowledge shares with packs: what is wrong with an input, a parsed log, a past incident. */
const sharedFiles = ["error", "parsed-log", "incident"].map((name) => `src/contract/${name}.ts`);

/** The knowledge that may build on other knowledge. */
const knowledgeBelow: Record<string, readonly string[]> = { incidents: ["logs"] };

/** The parts of a pack, from the inside out; each may import itself and those before it. */
const packOrder = ["schemas", "rules", "roles", "protocol"];

/** Who may import a pack's experts: they are handed to the roles, which do not know them. */
const knowExperts = ["experts", "pack", "index"];

/** The parts of a pack that may ask what a program knows; whatever decides a debate knows schemas, config, material and turns. */
const knowKnowledge = ["prepare", "experts"];

/** Says why `file` may not import `target` (both from the root of the repository), or null when it may. */
export function problemOf(file: string, target: string): string | null {
  const door = doorProblem(file, target);
  if (door !== null || isTest(file) || !isSource(file)) return door;
  if (isTest(target)) return "imports a test";
  if (!isSource(target)) return /^(data\/|package\.json$)/.test(target) ? null : "leaves src/";
  return layerProblem(file, target) ?? insideProblem(file, target);
}

/** A pack is entered by its index.ts or pack.ts, knowledge by its index.ts; tests and benchmarks come in there too. */
function doorProblem(file: string, target: string): string | null {
  const room = roomOf(target);
  if (room === null || room === roomOf(file)) return null;
  const doors = room.startsWith("src/packs/") ? ["index.ts", "pack.ts"] : ["index.ts"];
  if (doors.some((door) => target === `${room}/${door}`)) return null;
  return `${room} is entered by its ${doors.join(" or ")}`;
}

function layerProblem(file: string, target: string): string | null {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (!Object.hasOwn(layers, from)) return `unknown layer "${from}"`;
  if (from === to) return betweenRooms(file, target);
  if (from === "knowledge" && sharedFiles.includes(target)) return null;
  const room = roomOf(file);
  if (to === "knowledge" && room !== null && !knowKnowledge.includes(partOf(file, room)))
    return "only a pack's prepare.ts and experts may import knowledge";
  return layers[from]?.includes(to) ? null : `${from} may not import ${to}`;
}

/** No pack imports another, and knowledge only what it builds on. */
function betweenRooms(file: string, target: string): string | null {
  const [room, other] = [roomOf(file), roomOf(target)];
  if (room === null || other === null || room === other) return null;
  const [from, to] = [nameOf(room), nameOf(other)];
  if (layerOf(file) === "packs") return `the ${from} pack may not import the ${to} pack`;
  return knowledgeBelow[from]?.includes(to) ? null : `knowledge/${from} may not import knowledge/${to}`;
}

/** Inside a pack: schemas ← rules ← roles ← protocol, and experts known to pack.ts alone. */
function insideProblem(file: string, target: string): string | null {
  const room = roomOf(file);
  if (room !== roomOf(target) || !room?.startsWith("src/packs/")) return null;
  const [part, other] = [partOf(file, room), partOf(target, room)];
  if (other === "experts" && !knowExperts.includes(part))
    return `${part} may not import experts: pack.ts hands them in`;
  if (part === "experts" || !packOrder.includes(part) || !packOrder.includes(other)) return null;
  return packOrder.indexOf(other) > packOrder.indexOf(part) ? `${part} may not import ${other}` : null;
}

/** Which knowledge several packs use: each belongs to one. */
export function sharedKnowledge(imports: readonly Import[]): string[] {
  const users = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (room?.startsWith("src/packs/") && other?.startsWith("src/knowledge/") && !isTest(from))
      users.set(other, (users.get(other) ?? new Set()).add(nameOf(room)));
  }
  return [...users]
    .filter(([, packs]) => packs.size > 1)
    .map(([room, packs]) => `${room} is used by the packs ${[...packs].join(" and ")}; knowledge belongs to one pack`);
}

/** An import of one file by another, both from the root of the repository. */
export type Import = { from: string; to: string };

/** True for test files, which may reach for whatever they test with. */
export function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

function isSource(path: string): boolean {
  return path.startsWith("src/");
}

/** The first folder below src/, or the name of a file there. */
function layerOf(path: string): string {
  const [, first = "", ...rest] = path.split("/");
  return rest.length > 0 ? first : first.replace(/\.ts$/, "");
}

/** The pack or the knowledge that a file belongs to; null for files of neither. */
function roomOf(path: string): string | null {
  return /^(src\/(?:packs|knowledge)\/[^/]+)\//.exec(path)?.[1] ?? null;
}

function nameOf(room: string): string {
  return room.slice(room.lastIndexOf("/") + 1);
}

/** Which part of its pack a file is: the folder below the pack, or the name of a file there. */
function partOf(path: string, room: string): string {
  const [first = ""] = path.slice(room.length + 1).split("/");
  return first.replace(/\.ts$/, "");
}
