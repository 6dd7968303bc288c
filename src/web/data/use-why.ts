import { useQuery } from "@tanstack/react-query";
import type { RunDetail } from "../../contract/api/index.ts";
import { call } from "./call.ts";

/** What a run's decision hangs on; asked for once there is a decision, and kept: a finished run does not change. */
export function useWhy({ run, result, withheld }: RunDetail) {
  const isDecided = result !== null && result.decision !== null && run.outcome !== "failed" && !withheld;
  return useQuery({
    queryKey: ["why", run.id, run.outcome],
    queryFn: () => call("explainRun", `/api/runs/${run.id}/why`),
    enabled: isDecided,
    staleTime: Infinity,
    retry: false,
  });
}
