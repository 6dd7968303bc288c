/** What a debate of ten calls writes and leaves behind, against a bare loop that appends its answers to a file. */
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { bareDebate } from "./bare-debate.ts";
import { newQuestion } from "./debate-case.ts";
import { type Figure, figureOf, report } from "./figure.ts";
import { appendTo } from "./floor.ts";
import { mockModel } from "./mock-model.ts";
import { castOfPlayer, parleyDebate, playerOfModel } from "./parley-debate.ts";
import { withFolder } from "./with-folder.ts";

const debates = 300;

/** Bytes that this process has handed to write calls, as the kernel counts them. */
function countWritten(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

async function measure(folder: string): Promise<Figure[]> {
  const model = mockModel(0);
  const castOf = castOfPlayer(playerOfModel(model));
  const file = `${folder}/parley.db`;
  const began = countWritten();
  const store = sqliteStore(file);
  for (let n = 0; n < debates; n += 1) await parleyDebate(store, castOf);
  await store.close();
  const written = countWritten() - began;
  const floorFile = `${folder}/floor.jsonl`;
  const journal = openSync(floorFile, "a");
  for (let n = 0; n < debates; n += 1) await bareDebate(model, "parallel", appendTo(journal));
  closeSync(journal);
  const newText = statSync(floorFile).size / debates + JSON.stringify(newQuestion()).length;
  const perDebate = (bytes: number): string => `${(bytes / debates / 1000).toFixed(1)} KB`;
  const stored = statSync(file).size;
  return [
    figureOf("bytes written a debate of ten calls, in KB", [written / debates / 1000], {
      unit: "",
      target: { atMost: 60 },
      note: `write calls of the process over ${debates} debates, checkpoint included; the floor ${perDebate(newText * debates)}`,
    }),
    figureOf("bytes stored a debate / JSON of its new text", [stored / debates / newText], {
      unit: "×",
      target: { atMost: 2 },
      note: `${perDebate(stored)} of the file after the checkpoint; question and answers ${(newText / 1000).toFixed(1)} KB`,
    }),
  ];
}

report(await withFolder(measure));
