/** What the store takes from newer Nodes, looked up rather than imported: an older Node could not even link the imports. */
import "../contract/require-node.ts";
import zlib from "node:zlib";

export const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
export type DatabaseSync = InstanceType<typeof DatabaseSync>;
export const { constants, zstdCompressSync, zstdDecompressSync } = zlib;
