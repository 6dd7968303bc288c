import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { GaruWasm, initSync } from "garu-ko/pkg/garu_wasm.js";

/** A morpheme as the analyser gives it; `start` and `end` are those of its word, in code points of the analysed piece. */
export type RawMorpheme = { text: string; pos: string; start: number; end: number };

let wasm: GaruWasm | undefined;

/** The morphemes of a short piece of Korean text (the analyser's time grows with the square of the length). */
export function analysePiece(piece: string): RawMorpheme[] {
  wasm ??= load();
  const result = wasm.analyze(piece) as { tokens: RawMorpheme[] };
  return result.tokens;
}

function load(): GaruWasm {
  const entry = pathToFileURL(createRequire(import.meta.url).resolve("garu-ko"));
  initSync({ module: readFileSync(new URL("../pkg/garu_wasm_bg.wasm", entry)) });
  return new GaruWasm(new Uint8Array(readFileSync(new URL("../models/base.gmdl", entry))));
}
