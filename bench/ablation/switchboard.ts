import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { GaruWasm } from "garu-ko/pkg/garu_wasm.js";
import { addSwitches, findRules, type Rule } from "./find-rules.ts";

/** Rows of data that may be left out, by file; what a row says stands before its first bar. */
export const dataFiles = ["ko/context.txt", "en/context.txt", "en/idle.txt", "en/phrases.txt"];

/** Where rules about texts are: what reads words is below them, what is learnt above. */
const ruled =
  /knowledge\/opinions\/((english|korean)\/(?!.*(marks|token|analyser|jamo|morpheme)\.ts)|reading\/read-aspects|aspect-views|category-reading|doubtful-target)/;

const most = 3_000_000;

/** What is left out of the program, and which rules acted while a text was read. */
export const ablation = {
  rules: [] as Rule[],
  out: new Set<number>(),
  rowsOut: new Set<string>(),
  acted: null as Set<number> | null,
  /** Counts up whenever nothing that was remembered holds any more: of a text, and of the data. */
  text: 0,
  data: 0,
  /** How often rules were asked about the text; a loop that has lost its way out asks for ever. */
  asked: 0,
  use(id: number, instead: unknown, value: unknown): unknown {
    ablation.asked += 1;
    if (ablation.asked > most) throw new Error("without this rule the text is never done");
    if (ablation.out.has(id)) return instead;
    if (ablation.acted !== null && (instead === undefined ? value !== undefined : Boolean(value) !== instead))
      ablation.acted.add(id);
    return value;
  },
};

const remembering = `
export function remember(_size, make) {
  const lasting = make.name === "tagText";
  let kept = new Map(), text = -1;
  return (key) => {
    if (!lasting && text !== globalThis.ablation.text) { kept = new Map(); text = globalThis.ablation.text; }
    if (!kept.has(key)) kept.set(key, make(key));
    return kept.get(key);
  };
}
export function loadOnce(load) {
  let held, data = -1;
  return () => {
    if (data !== globalThis.ablation.data) { held = load(); data = globalThis.ablation.data; }
    return held;
  };
}`;

/** From now on the modules that are loaded have switches in them. */
export function installSwitches(): void {
  Object.assign(globalThis, { ablation });
  const analyse = GaruWasm.prototype.analyze;
  const pieces = new Map<string, unknown>();
  GaruWasm.prototype.analyze = function (this: GaruWasm, piece: string): unknown {
    if (!pieces.has(piece)) pieces.set(piece, analyse.call(this, piece));
    return pieces.get(piece);
  };
  registerHooks({
    load(url, context, next) {
      if (url.endsWith("/reading/remember.ts")) return { format: "module", source: remembering, shortCircuit: true };
      if (url.endsWith("/reading/data-file.ts")) return { format: "module", source: dropRows(url), shortCircuit: true };
      return ruled.test(url) ? { format: "module", source: switchOn(url), shortCircuit: true } : next(url, context);
    },
  });
}

function readPlain(url: string): string {
  return stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"));
}

function switchOn(url: string): string {
  const source = readPlain(url);
  const found = findRules(source, fileURLToPath(url).replace(/^.*knowledge\/opinions\//, ""));
  const first = ablation.rules.length;
  ablation.rules.push(...found);
  return addSwitches(source, found, first);
}

function dropRows(url: string): string {
  return readPlain(url).replace(
    'line.trim() !== ""',
    'line.trim() !== "" && !globalThis.ablation.rowsOut.has(`${path}: ${line}`)',
  );
}
