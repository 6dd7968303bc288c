import type { Block } from "../../../contract/prompt.ts";
import { type CaseFile, findEvidence, selectSide } from "../../../knowledge/law/index.ts";
import { listBrought, listCited, listLimiting } from "../rules/heard.ts";
import { type Agent, opponentOf } from "../schemas/agent-output.ts";
import { critiqueOf, outputOf, type Round } from "../schemas/round.ts";
import { labelsOf } from "./labels.ts";
import { showItems } from "./show-evidence.ts";
import { type OpenPoints, showOpenPoints, subtractPoints } from "./show-open-points.ts";
import { showOutput } from "./show-output.ts";

/**
 * What was said so far as a side heard it: each turn once, in the order in which it was said, with the text of what the
 * other rests on and this side does not know yet. Whatever the side says next goes on from here (law spec §2.10).
 */
export function tellDebate(file: CaseFile, agent: Agent, rounds: Round[]): Block[] {
  const listener = listen(file);
  return rounds.flatMap((round, at) => [
    ...tellAnswers({ file, agent, round, before: rounds[at - 1] ?? null }, listener),
    ...tellCritiques({ file, agent, round }, listener),
  ]);
}

type Stage = { file: CaseFile; agent: Agent; round: Round };
const agents: Agent[] = ["NLA", "ALA"];

function tellAnswers({ file, agent, round, before }: Stage & { before: Round | null }, listener: Listener): Block[] {
  const labels = labelsOf(file.retrieval.language);
  const said = agents.map((speaker) => {
    const output = outputOf(round, speaker);
    const cited = listener.takeTexts(speaker === agent ? [] : listCited(output));
    const previous = before && outputOf(before, speaker);
    return { label: labels.answer(speaker, round.round), json: { ...showOutput(output, previous), cited } };
  });
  const limits = listener.takeTexts(listLimiting(file, outputOf(round, opponentOf(agent))));
  return [...said, ...(limits ? [{ label: labels.limits, json: limits }] : []), ...listener.takeOpenPoints()];
}

function tellCritiques({ file, agent, round }: Stage, listener: Listener): Block[] {
  const labels = labelsOf(file.retrieval.language);
  const said = agents.flatMap((speaker) => {
    const message = critiqueOf(round, speaker);
    if (!message) return [];
    const { verdicts, critiques, faults } = message;
    const brought = listener.takeTexts(speaker === agent ? [] : listBrought(message));
    return [{ label: labels.critique(speaker, round.round), json: { verdicts, critiques, faults, brought } }];
  });
  return [...said, ...listener.takeOpenPoints()];
}

type Listener = {
  /** The texts of those that were not shown yet; undefined when there are none. */
  takeTexts(ids: string[]): ReturnType<typeof showItems> | undefined;
  /** What rules leave open in the light of what was shown, beyond what was told before. */
  takeOpenPoints(): Block[];
};

/** Keeps what a side has been shown, so that nothing is shown to it twice. */
function listen(file: CaseFile): Listener {
  const { retrieval, brought = [], own_rules, side } = file;
  const { language, evidence } = retrieval;
  const shown = new Set(evidence.map(({ id }) => id).filter((id) => !brought.includes(id)));
  let told: OpenPoints = own_rules ?? retrieval.rules;
  return {
    takeTexts: (ids) => {
      const items = [...new Set(ids)].filter((id) => !shown.has(id)).flatMap((id) => findEvidence(file, id) ?? []);
      for (const { id } of items) shown.add(id);
      return items.length > 0 ? showItems(items, language) : undefined;
    },
    takeOpenPoints: () => {
      const { rules } = side ? selectSide(file, side, [...shown]).retrieval : retrieval;
      const known = [...shown].map((id) => ({ id }));
      const added = showOpenPoints(subtractPoints(rules, told), language, known);
      told = rules;
      const isEmpty = Object.values(added).every((list) => list.length === 0);
      return isEmpty ? [] : [{ label: labelsOf(language).moreOpenPoints, json: added }];
    },
  };
}
