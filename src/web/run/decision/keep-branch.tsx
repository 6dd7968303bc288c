import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { RunDetail } from "../../../contract/api/index.ts";
import { call } from "../../data/call.ts";
import { Failure } from "../../text/states.tsx";

/** Makes a change stay: a branch with these settings, which plays only the last step again. */
export function KeepBranch({ detail, set }: { detail: RunDetail; set: string[] }) {
  const [, navigate] = useLocation();
  const last = detail.turns.at(-1)?.id;
  const branch = useMutation({
    mutationFn: () => call("branchRun", `/api/runs/${detail.run.id}/branch`, { from: last, set }),
    onSuccess: ({ id }) => navigate(`/runs/${id}`),
  });
  if (!last) return null;
  return (
    <>
      <button
        className="primary"
        title={`Plays ${last} again, and nothing before it`}
        disabled={branch.isPending}
        onClick={() => branch.mutate()}
      >
        Keep it as a branch
      </button>
      {branch.isError && <Failure error={branch.error} />}
    </>
  );
}
