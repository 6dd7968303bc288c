import type { OnDamaged } from "../../store/store.ts";
import type { Io } from "./io.ts";

/** Says of each run that can no longer be read what is wrong with it, goes on with the others, and fails in the end. */
export function sayDamaged(io: Io): OnDamaged {
  return (id, error) => {
    io.err(`parley: run ${id} is left out, it is damaged: ${error.message}\n`);
    io.exit.code = 1;
  };
}
