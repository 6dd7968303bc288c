import { createContext, useContext } from "react";
import type { TurnDetail } from "../../contract/api/index.ts";
import { call } from "./call.ts";

/** Where a run's heavy parts come from: the server, or the file that the page is in. */
export type RunSource = {
  readTurn(run: string, turn: string): Promise<TurnDetail>;
  /** True where decisions can be made again and runs branched. */
  canAct: boolean;
};

export const serverSource: RunSource = {
  readTurn: (run, turn) => call("readTurn", `/api/runs/${run}/turns/${encodeURIComponent(turn)}`),
  canAct: true,
};

export const RunSourceContext = createContext<RunSource>(serverSource);

export function useRunSource(): RunSource {
  return useContext(RunSourceContext);
}
