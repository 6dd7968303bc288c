import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileEvent } from "./file-log.ts";

/**
 * What is on the disk after a loss of power of that which was never synced: asked for each 512-byte sector of what was
 * written to a file, and for each change of a folder, in order.
 */
export type Survival = (path: string) => boolean;

/** A file or folder: what is on the disk for certain, and what was done since it was last synced. */
type Node = { isFolder: boolean; synced: Buffer; names: Map<string, number>; waiting: Change[] };
type Change =
  | { kind: "write"; at: number; bytes: Buffer }
  | { kind: "cut"; length: number }
  | { kind: "name"; name: string; inode: number | null };

const sector = 512;

/** Writes to `target` what the watched folder may hold when power is lost after these events. */
export function writeLostDisk(root: string, events: readonly FileEvent[], target: string, survives: Survival): void {
  const disk = new Map<number, Node>();
  const rootInode = statSync(root).ino;
  const paths = new Map([[root, rootInode]]);
  disk.set(rootInode, newNode(true));
  for (const event of events) follow({ disk, paths }, event);
  writeFolder(disk, { inode: rootInode, path: "", target }, survives);
}

function newNode(isFolder: boolean): Node {
  return { isFolder, synced: Buffer.from(new ArrayBuffer(0)), names: new Map(), waiting: [] };
}

type State = { disk: Map<number, Node>; paths: Map<string, number> };

function follow({ disk, paths }: State, event: FileEvent): void {
  const change = (inode: number | undefined, what: Change): void => {
    const node = inode === undefined ? undefined : disk.get(inode);
    node?.waiting.push(what);
  };
  const name = (path: string, inode: number | null): void => {
    change(paths.get(dirname(path)), { kind: "name", name: basename(path), inode });
    if (inode === null) paths.delete(path);
    else paths.set(path, inode);
  };
  switch (event.kind) {
    case "create":
    case "makeFolder":
      disk.set(event.inode, newNode(event.kind === "makeFolder"));
      return name(event.path, event.inode);
    case "move": {
      const inode = paths.get(event.from) ?? null;
      name(event.to, inode);
      return name(event.from, null);
    }
    case "remove":
      return name(event.path, null);
    case "sync": {
      const node = disk.get(event.inode);
      if (!node) return;
      for (const what of node.waiting) apply(node, what);
      node.waiting = [];
      return;
    }
    default:
      return change(event.inode, event);
  }
}

function apply(node: Node, change: Change): void {
  if (change.kind === "name") {
    if (change.inode === null) node.names.delete(change.name);
    else node.names.set(change.name, change.inode);
    return;
  }
  if (change.kind === "cut") return void (node.synced = resize(node.synced, change.length));
  const end = change.at + change.bytes.length;
  const grown = end > node.synced.length ? resize(node.synced, end) : node.synced;
  change.bytes.copy(grown, change.at);
  node.synced = grown;
}

/** A file that grows gets room for more, so that it is not copied at every write; one that is cut begins anew. */
function resize(bytes: Buffer, length: number): Buffer {
  const isGrowing = length > bytes.length;
  if (isGrowing && bytes.buffer.byteLength >= length) return Buffer.from(bytes.buffer, 0, length);
  const room = Buffer.from(new ArrayBuffer(isGrowing ? 2 * length : length));
  bytes.copy(room);
  return room.subarray(0, length);
}

type Place = { inode: number; path: string; target: string };

/** The folder as it is found: changes of names survive in order, up to some point; sectors survive or not, each by itself. */
function writeFolder(disk: Map<number, Node>, { inode, path, target }: Place, survives: Survival): void {
  const node = disk.get(inode);
  if (!node) return;
  for (const what of node.waiting) {
    if (!survives(path)) break;
    apply(node, what);
  }
  mkdirSync(target, { recursive: true });
  for (const [name, child] of node.names) {
    const place = { inode: child, path: join(path, name), target: join(target, name) };
    const found = disk.get(child);
    if (!found || name.endsWith("-shm")) continue;
    if (found.isFolder) writeFolder(disk, place, survives);
    else writeFileSync(place.target, contentOf(found, place.path, survives));
  }
}

function contentOf(node: Node, path: string, survives: Survival): Buffer {
  for (const what of node.waiting) {
    if (what.kind !== "write") {
      if (survives(path)) apply(node, what);
      continue;
    }
    for (let from = 0; from < what.bytes.length; ) {
      const next = Math.min(what.bytes.length, from + sector - ((what.at + from) % sector));
      if (survives(path)) apply(node, { kind: "write", at: what.at + from, bytes: what.bytes.subarray(from, next) });
      from = next;
    }
  }
  return node.synced;
}
