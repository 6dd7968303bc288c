/**
 * How much of what is said reaches what is decided: over the bundled examples of each pack, every turn is left out once
 * and the protocol decides again. `node bench/influence.ts [PACK…]` prints, by role, on how many turns the decision depended.
 */
import { loadPack, packNames } from "../src/packs/registry.ts";
import { type Others, listInfluences } from "../test/support/influence.ts";

type Row = { pack: string; role: string; turns: number; decisive: number; alone: number };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(packNames as readonly string[]).includes(name));
if (unknown.length > 0) {
  console.error(`unknown pack ${unknown.join(", ")}; there are ${packNames.join(", ")}`);
  process.exit(2);
}

for (const name of asked.length > 0 ? asked : packNames) {
  const rows = await measurePack(name);
  console.log(`\n${name}`);
  console.log("role".padEnd(28), "turns".padStart(6), "decisive".padStart(9), "alone".padStart(6));
  for (const { role, turns, decisive, alone } of rows)
    console.log(role.padEnd(28), String(turns).padStart(6), String(decisive).padStart(9), String(alone).padStart(6));
}
console.log("\ndecisive: the decision changes when the turn is left out and the others answer what they then hear;");
console.log("alone: it changes although the others repeat what they said.");

async function measurePack(name: string): Promise<Row[]> {
  const pack = await loadPack(name);
  const rows = new Map<string, Row>();
  for (const { input, config } of pack.examples)
    for (const others of ["answer", "repeat"] satisfies Others[])
      for (const { turn, changed } of await listInfluences({ pack, input, config }, others)) {
        const role = turn.split("/").slice(1).join("/");
        const row = rows.get(role) ?? { pack: name, role, turns: 0, decisive: 0, alone: 0 };
        rows.set(role, row);
        if (others === "answer") {
          row.turns += 1;
          row.decisive += changed ? 1 : 0;
        } else row.alone += changed ? 1 : 0;
      }
  return [...rows.values()];
}
