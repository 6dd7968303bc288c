import { ParleyError } from "../../contract/error.ts";
import type { Section } from "../../contract/view.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { explainRun, limitRuns } from "../influence/explain-run.ts";
import { makeSaidSections } from "../influence/why-sections.ts";
import { whyWords } from "../influence/why-words.ts";
import { findLanguage, finishedOf } from "../record/show-run.ts";
import type { StoredRun } from "../record/read-run.ts";
import { findWhatWouldChange } from "../redecide/what-would-change.ts";
import type { Weighing } from "./export-page.ts";

/** What a decision hangs on, found within a bound; a run that cannot be decided again says so in its place. */
export async function weighRun(pack: AnyPack, stored: StoredRun): Promise<Weighing> {
  try {
    const why = await explainRun(pack, stored, limitRuns(stored));
    return { change: why.change, why: nameSections(makeSaidSections(why, findLanguage(pack, finishedOf(stored)))) };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const text = `This cannot be told: ${error.message}.`;
    const why: Section[] = [
      { kind: "text", title: whyWords[findLanguage(pack, finishedOf(stored))].question, id: "hangs-on", text },
    ];
    return { change: await findWhatWouldChange(pack, stored), why };
  }
}

/** The first has an address of its own; the rest belong to it. */
function nameSections([first, ...rest]: Section[]): Section[] {
  return first ? [{ ...first, id: "hangs-on" }, ...rest] : [];
}
