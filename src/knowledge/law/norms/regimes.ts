import type { CaseFile } from "../case/case-file.ts";
import type { Evidence } from "../items/evidence.ts";
import { conceptIdsIn } from "../mentions/mentions.ts";

/** The bodies of law that a question names, by name or by whom it is about. */
export type NamedRegimes = { civil_code: boolean; islamic: boolean; not_islamic: boolean; communities: string[] };

/** Reads which regimes a question names; what it does not name is unknown, not excluded. */
export function namedRegimes({ query, retrieval }: CaseFile): NamedRegimes {
  const concepts = new Set(conceptIdsIn(query));
  return {
    civil_code: concepts.has("civil_code") || concepts.has("legitime"),
    islamic: concepts.has("muslim") || concepts.has("islamic_law"),
    not_islamic: concepts.has("non_muslim") || concepts.has("hindu"),
    communities: retrieval.communities,
  };
}

/** Fields in which Indonesian private law depends on who a person is. */
const personalTopics = ["inheritance", "wills", "marriage", "marriage_property", "legitimacy", "adoption", "debts"];

/** How an item's regime fits a question: `fits`, `unstated` (it binds only some, and the question does not say who), or `foreign`. */
export type RegimeFit = "fits" | "unstated" | "contested" | "foreign";

/** Judges whether a source binds the people a question is about. */
export function regimeFit(item: Evidence, named: NamedRegimes): RegimeFit {
  if (item.community && item.kind !== "rule" && item.kind !== "kg") return communityFit(item.community, named);
  if (!item.topics.some((topic) => personalTopics.includes(topic))) return "fits";
  if (item.regime === "civil_code") return civilCodeFit(named);
  return item.regime === "islamic" ? islamicFit(named) : "fits";
}

function communityFit(community: string, { communities }: NamedRegimes): RegimeFit {
  if (communities.length === 0) return "unstated";
  return communities.includes(community) ? "fits" : "foreign";
}

function civilCodeFit({ civil_code, islamic, communities }: NamedRegimes): RegimeFit {
  if (civil_code) return communities.length > 0 ? "contested" : "fits";
  if (islamic) return "foreign";
  return communities.length > 0 ? "contested" : "unstated";
}

function islamicFit({ islamic, not_islamic, civil_code, communities }: NamedRegimes): RegimeFit {
  if (islamic) return "fits";
  if (not_islamic || civil_code || communities.includes("bali")) return "foreign";
  return "unstated";
}
