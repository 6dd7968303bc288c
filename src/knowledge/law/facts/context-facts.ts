import type { Fact } from "../rules/rule.ts";
import { isNamed, type Reading } from "./reading.ts";

/** Whose law: communities, religion, and the body of law that the question points to. */
export function readContext(reading: Reading): Fact[] {
  const facts: Fact[] = reading.communities.map((community) => `community(${community})`);
  const cites = (prefix: string) => reading.cited.some(({ id }) => id?.startsWith(prefix));
  if (isNamed(reading, "muslim")) facts.push("religion(islam)");
  if (isNamed(reading, "muslim", "islamic_law") || cites("NAT-KHI-")) facts.push("subject_to(islamic)");
  if (isNamed(reading, "civil_code", "legitime", "non_muslim") || cites("NAT-KUHPER-"))
    facts.push("subject_to(civil_code)");
  if (isNamed(reading, "hindu")) facts.push("religion(hindu)");
  return facts;
}
