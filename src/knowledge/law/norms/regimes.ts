import type { CaseFile } from "../case/case-file.ts";
import type { Evidence } from "../items/evidence.ts";
import { findConceptIds } from "../mentions/mentions.ts";

/** The bodies of law that a question names, by name or by whom it is about. */
export type NamedRegimes = { civil_code: boolean; islamic: boolean; not_islamic: boolean; communities: string[] };

/** Reads which regimes a question names; what it does not name is unknown, not excluded. */
export function readNamedRegimes({ read, retrieval }: CaseFile): NamedRegimes {
  const concepts = new Set(findConceptIds(read));
  return {
    civil_code: concepts.has("civil_code") || concepts.has("legitime"),
    islamic: concepts.has("muslim") || concepts.has("islamic_law"),
    not_islamic: concepts.has("non_muslim") || concepts.has("hindu"),
    communities: retrieval.communities,
  };
}

/** Fields in which Indonesian private law depends on who a person is. */
const personalTopics = ["inheritance", "wills", "marriage", "marriage_property", "legitimacy", "adoption", "debts"];

/**
 * How an item's regime fits a question: `fits`; `unstated` (it binds only some people, and the question does not say who
 * it is about); `contested` (the parties may be under another law); or `foreign`.
 */
export type RegimeFit = "fits" | "unstated" | "contested" | "foreign";

/** Judges whether a source binds the people a question is about. */
export function judgeFit(item: Evidence, named: NamedRegimes): RegimeFit {
  if (item.community && item.kind !== "rule" && item.kind !== "kg") return fitCommunity(item.community, named);
  if (!item.topics.some((topic) => personalTopics.includes(topic))) return "fits";
  if (item.regime === "civil_code") return fitCivilCode(named);
  return item.regime === "islamic" ? fitIslamic(named) : "fits";
}

function fitCommunity(community: string, { communities }: NamedRegimes): RegimeFit {
  if (communities.length === 0) return "unstated";
  return communities.includes(community) ? "fits" : "foreign";
}

function fitCivilCode({ civil_code, islamic, communities }: NamedRegimes): RegimeFit {
  if (civil_code) return communities.length > 0 ? "contested" : "fits";
  if (islamic) return "foreign";
  return communities.length > 0 ? "contested" : "unstated";
}

function fitIslamic({ islamic, not_islamic, civil_code, communities }: NamedRegimes): RegimeFit {
  if (islamic) return "fits";
  if (not_islamic || civil_code || communities.includes("bali")) return "foreign";
  return "unstated";
}
