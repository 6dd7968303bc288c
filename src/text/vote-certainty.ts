/**
 * How certain it is that the leading answer stays ahead of the next one, however many more are asked: the share of a Beta
 * distribution of their votes that lies above one half (question spec §2.5). No votes are as good as a coin.
 */
export function measureCertainty(lead: number, next: number): number {
  const tosses = lead + next + 1;
  let term = 0.5 ** tosses;
  let sum = 0;
  for (let heads = 0; heads <= lead; heads += 1) {
    sum += term;
    term *= (tosses - heads) / (heads + 1);
  }
  return Number(Math.min(1, sum).toFixed(6));
}
