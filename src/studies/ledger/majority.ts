/** The answers given most often; several when they tie, none without an answer. */
export function listMostCommon(answers: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].filter(([, count]) => count === most).map(([answer]) => answer);
}

/** The answer that more than half gave, or null. */
export function findMajority(answers: readonly string[]): string | null {
  const [first, ...tied] = listMostCommon(answers);
  if (first === undefined || tied.length > 0) return null;
  return answers.filter((answer) => answer === first).length * 2 > answers.length ? first : null;
}
