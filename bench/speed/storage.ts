/** What the store keeps of a debate of ten calls, against the JSON of what is new in it: its question and its answers. */
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { sqliteStore } from "../../src/store/sqlite.ts";
import { bareDebate, type Record } from "./bare-debate.ts";
import { newQuestion } from "./debate-case.ts";
import { type Figure, figureOf, report } from "./figure.ts";
import { mockModel } from "./mock-model.ts";
import { castOfPlayer, parleyDebate, playerOfModel } from "./parley-debate.ts";
import { withFolder } from "./with-folder.ts";

const debates = 300;

async function measure(folder: string): Promise<Figure[]> {
  const model = mockModel(0);
  const castOf = castOfPlayer(playerOfModel(model));
  const file = `${folder}/parley.db`;
  const store = sqliteStore(file);
  for (let n = 0; n < debates; n += 1) await parleyDebate(store, castOf);
  await store.close();
  const floorFile = `${folder}/floor.jsonl`;
  const journal = openSync(floorFile, "a");
  const append: Record = (round, speaker, answer) =>
    void writeSync(journal, `${JSON.stringify({ round, speaker, answer })}\n`);
  for (let n = 0; n < debates; n += 1) await bareDebate(model, "parallel", append);
  closeSync(journal);
  const newText = statSync(floorFile).size / debates + JSON.stringify(newQuestion()).length;
  const perDebate = (bytes: number): string => `${(bytes / debates / 1000).toFixed(1)} KB`;
  const stored = statSync(file).size;
  return [
    figureOf("bytes stored / JSON of what is new", [stored / debates / newText], {
      unit: "×",
      target: { atMost: 3 },
      note: `${perDebate(stored)} of the file after the checkpoint; question and answers ${(newText / 1000).toFixed(1)} KB`,
    }),
  ];
}

report(await withFolder(measure));
