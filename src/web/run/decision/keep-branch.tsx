import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { RunDetail } from "../../../contract/api/index.ts";
import { call } from "../../data/call.ts";
import { Failure } from "../../text/states.tsx";

type Props = { detail: RunDetail; set: string[]; from: string | null };

/** Makes a change stay: a branch with these settings, which shares every turn before the first that would not be asked again. */
export function KeepBranch({ detail, set, from }: Props) {
  const [, navigate] = useLocation();
  const branch = useMutation({
    mutationFn: () => call("branchRun", `/api/runs/${detail.run.id}/branch`, { from, set }),
    onSuccess: ({ id }) => navigate(`/runs/${id}`),
  });
  if (from === null) return null;
  return (
    <>
      <button
        className="primary"
        title={`Shares every turn before ${from}`}
        disabled={branch.isPending}
        onClick={() => branch.mutate()}
      >
        Keep it as a branch
      </button>
      {branch.isError && <Failure error={branch.error} />}
    </>
  );
}
