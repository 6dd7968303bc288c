import { ParleyError } from "../contract/error.ts";
import type { JournalEntry } from "../contract/journal.ts";
import type { Run } from "../contract/run.ts";
import type { Journal } from "../engine/journal.ts";
import type { Store } from "../store/store.ts";
import { readEntries, requireChain, requirePrompt } from "./read-run.ts";

type Copied = "copied" | "there already" | "being run";

/**
 * Copies a run to another store, checking the hash chain on both sides. Damaged runs are not copied; a run already
 * there with other entries is an error and stays.
 */
export async function copyRun(from: Store, to: Store, id: string, held: ReadonlySet<string>): Promise<Copied> {
  if (held.has(id)) return "being run";
  const { run, entries } = await readEntries(from, id);
  requireChain(run, entries);
  const there = await to.get(id);
  if (there) return compare(run, there, to);
  const { headHash: _, entryCount: __, ...facts } = run;
  const source = await from.journal(id);
  const prompts = await Promise.all(entries.map((entry) => readPrompt(source, id, entry)));
  const target = await to.journal(id);
  // In one step, so that no run is stored without all its entries.
  await Promise.all([
    to.create(facts),
    ...entries.map(({ body }, index) => target.append(body, prompts[index] ?? [])),
    to.setStatus(id, {
      from: entries.some(({ body }) => body.kind === "end") ? "finished" : run.status,
      to: run.status,
      outcome: run.outcome,
    }),
  ]);
  const copy = await readEntries(to, id);
  requireChain(copy.run, copy.entries);
  return compare(run, copy.run, to) && "copied";
}

function compare(run: Run, there: Run, { location }: Store): Copied {
  if (there.headHash === run.headHash) return "there already";
  throw new ParleyError("bad_input", `run ${run.id} is in ${location} with other entries; it was left as it is`);
}

async function readPrompt(journal: Journal, id: string, { body }: JournalEntry): Promise<string[]> {
  if (body.kind !== "attempt") return [];
  return requirePrompt(journal, id, { ...body, key: body.turn });
}
