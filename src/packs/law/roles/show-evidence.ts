import { ownSourceKind, type RetrievedEvidence, statementOf, titleOf } from "../../../knowledge/law/index.ts";
import type { Language } from "../prompts/read-prompts.ts";

/** Items as they are shown: under the law that they belong to and whom it binds, each group where its first item stands. */
export function showItems(items: RetrievedEvidence[], language: Language) {
  const scopeOf = ({ scope, scope_en }: RetrievedEvidence) => (language === "en" ? scope_en : scope);
  const groups = Map.groupBy(items, (item) => JSON.stringify([item.regime, item.community, scopeOf(item)]));
  return [...groups.values()].map((group) => {
    const [first] = group as [RetrievedEvidence];
    return {
      regime: first.regime,
      community: first.community ?? undefined,
      scope: scopeOf(first) ?? undefined,
      items: group.map((item) => showItem(item, language)),
    };
  });
}

/** An item in the language of the answer; its source where its title does not name it. */
function showItem(item: RetrievedEvidence, language: Language) {
  const { id, confidence } = item;
  const isNamed = item.source_kind !== ownSourceKind && namesSource(item);
  return {
    id,
    title: titleOf(item, language),
    statement: statementOf(item, language),
    source: isNamed ? undefined : item.source.replaceAll(foreignIds, ""),
    unconfirmed: confidence === "unconfirmed" ? true : undefined,
  };
}

/** A provision is its own source: where a copy of it was read is for whoever checks the data. */
function namesSource({ title, source }: RetrievedEvidence): boolean {
  const [named = ""] = source.replaceAll(foreignIds, "").split(";");
  return title.includes(named.trim()) || named.startsWith(title);
}

/** A derived item names the ids it rests on; only what is shown itself may be cited. */
const foreignIds = / \((?:NAT|ADT)-[^)]*\)/g;
