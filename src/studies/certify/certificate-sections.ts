import type { Section } from "../../contract/view.ts";
import type { Certificate } from "../../runs/certificate/certificate.ts";
import { countNeeded } from "./choose-threshold.ts";

/** A certificate in words: what is promised, what it rests on, what would shift it. */
export function buildCertificateSections(certificate: Certificate): Section[] {
  const { promise, act_above, found_on, made_with, pack } = certificate;
  const coverage = found_on.cases === 0 ? 0 : found_on.acted / found_on.cases;
  const answer =
    act_above === null
      ? `No: no confidence keeps wrong decisions under ${percent(promise.max_wrong)} on these cases`
      : `Yes, where the stated confidence is ${round(act_above)} or more: ${percent(coverage)} of the cases`;
  return [
    {
      kind: "verdict",
      title: `May the ${pack} pack act by itself?`,
      answer,
      tone: act_above === null ? "bad" : "good",
      points: listPoints(certificate),
    },
    {
      kind: "facts",
      title: "What it rests on",
      rows: [
        { label: "labelled cases", value: `${found_on.cases} (${found_on.source})` },
        { label: "acted on", value: `${found_on.acted}, ${found_on.wrong} of them wrong` },
        ...(found_on.bound === null
          ? []
          : [
              {
                label: "wrong at most",
                value: `${percent(found_on.bound)}, with ${percent(promise.certainty)} certainty`,
              },
            ]),
        { label: "decided with", value: `${made_with.cast ?? "unknown cast"}, Parley ${made_with.parley}` },
      ],
    },
  ];
}

function listPoints({ promise, act_above }: Certificate): string[] {
  const needed = countNeeded(promise.max_wrong, promise.certainty);
  if (act_above === null)
    return [
      `To promise this it takes at least ${needed} decisions without an error among the most confident; more labelled cases, a better cast or a looser promise may do.`,
    ];
  return [
    `Promise: of the decisions acted on at most ${percent(promise.max_wrong)} are wrong, with ${percent(promise.certainty)} certainty over the draw of the labelled cases. Everything else goes to a person.`,
    "It holds for cases drawn like the labelled ones, decided with the same cast and settings. Another model, other settings, other texts shift it: label some of them and certify again. A batch says when its cases look different.",
  ];
}

function percent(value: number): string {
  return `${Number((100 * value).toFixed(1))} %`;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
