/** `node bench/law-rules.ts`: how the rule engine reads the 30 Minangkabau cases of shared/data (weak gold: read, not obeyed). */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { extractFacts, runRules, loadRules } from "../src/knowledge/law/index.ts";

type Case = { id: string; scenario: string; expected_symbolic_result: string };

const data = process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../shared/data");
const file = resolve(data, "legal_id/nusantara_rule_test_cases_30.json");
const refuses = /^not (?:inherits|owns|may|valid)\(minangkabau/;
const grants = /^(?:inherits|may|enjoys|owns)\(minangkabau/;
const passes = /^passes\(minangkabau/;

/** Which conclusions would agree with a case's expectation. */
const agrees: Record<string, (facts: string[]) => boolean> = {
  deny_inheritance: (facts) => facts.some((fact) => refuses.test(fact)),
  allow_inheritance: (facts) => facts.some((fact) => grants.test(fact)),
  conflict_detected: (facts) => facts.some((fact) => refuses.test(fact) || /^(?:first_forum|half_each)\(/.test(fact)),
  punah_detected: (facts) => facts.some((fact) => passes.test(fact)),
  not_punah: (facts) => !facts.some((fact) => passes.test(fact)),
};

if (!existsSync(file)) {
  console.log(`skipped: ${file} is not there`);
} else {
  const cases = JSON.parse(readFileSync(file, "utf8")) as Case[];
  const rows = cases.map(({ id, scenario, expected_symbolic_result: expected }) => {
    const { conclusions } = runRules(extractFacts(scenario), loadRules());
    const facts = conclusions.map(({ fact }) => fact);
    return { id, expected, conclusions: facts.length, agrees: agrees[expected]?.(facts) ?? false };
  });
  for (const row of rows.filter((one) => !one.agrees))
    console.log(`${row.id}  expected ${row.expected}, ${row.conclusions} conclusions`);
  const empty = rows.filter(({ conclusions }) => conclusions === 0).length;
  console.log(`agree ${rows.filter((row) => row.agrees).length}/${rows.length}; without any conclusion ${empty}`);
}
