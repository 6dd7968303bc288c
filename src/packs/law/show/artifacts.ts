import type { Artifact } from "../../../engine/pack.ts";
import { SupervisionSchema } from "../schemas/messages.ts";
import { type LawFinished, listFaults, showAnswer } from "./sections.ts";

/** The files of a run's folder, with exactly the names of the law document (law spec §6). */
export function artifacts({ result }: LawFinished): Artifact[] {
  const { decision, usage } = result;
  if (!decision) return [];
  const write = (name: string, value: unknown): Artifact => ({ name, content: `${JSON.stringify(value, null, 2)}\n` });
  const said = SupervisionSchema.keyof().options.map((key) => [key, decision[key]]);
  return [
    ...decision.rounds.flatMap(({ round, nla, ala, nla_on_ala, ala_on_nla }) => [
      write(`debate_round${round}_nla.json`, nla),
      write(`debate_round${round}_ala.json`, ala),
      ...(nla_on_ala ? [write(`critique_round${round}_nla_on_ala.json`, nla_on_ala)] : []),
      ...(ala_on_nla ? [write(`critique_round${round}_ala_on_nla.json`, ala_on_nla)] : []),
    ]),
    ...(decision.summary
      ? [write("debate_summary.json", { ...decision.summary, faults: listFaults(decision), usage })]
      : []),
    write("supervisor.json", Object.fromEntries(said)),
    { name: "answer.md", content: [{ kind: "group", title: decision.query, sections: showAnswer(decision) }] },
  ];
}
