import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import type { RouteReply } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { type Field, listMissing, tidyValue } from "../../contract/form.ts";
import { PartsFields } from "../form/schema-field.tsx";
import { useWho } from "../shell/session.tsx";
import { Sections } from "../sections/section-view.tsx";
import { Failure } from "../text/parts.tsx";

const lines = { type: "array", items: { type: "string" } };
const schema: Field = {
  properties: {
    statement: { type: "string", title: "What is wrong with the decision?" },
    evidence: { ...lines, title: "On what evidence?" },
    targets: { ...lines, title: "Against which claims, quotes or rules?" },
  },
  required: ["statement"],
};
type Filed = { statement: string; evidence?: string[]; targets?: string[] };

export default function ContestForm({ id, onClose }: { id: string; onClose: () => void }) {
  const who = useWho();
  const [draft, setDraft] = useState<Record<string, unknown>>({ statement: "" });
  const contest = useMutation({
    mutationFn: () =>
      callApi("contestRun", {
        params: { id },
        body: { by: who.body.reviewer, ...(tidyValue(schema, draft) as Filed) },
      }),
  });
  const missing =
    who.name === "" ? "Give your name first." : listMissing(schema, draft).length > 0 ? "Say what is wrong." : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing === null) contest.mutate();
  };
  return (
    <form className="form notice" aria-label="Contest the decision" onSubmit={submit}>
      {contest.data ? (
        <Outcome contested={contest.data} />
      ) : (
        <>
          <div className="field">{who.field}</div>
          <PartsFields field={schema} value={draft} onChange={setDraft} />
          {missing && <p className="secondary">{missing}</p>}
        </>
      )}
      {contest.isError && <Failure error={contest.error} />}
      <div className="row">
        {!contest.data && (
          <button className="primary" disabled={missing !== null || contest.isPending}>
            {contest.isPending ? "Asking the affected roles again…" : "File it; the affected roles are asked again"}
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}

function Outcome({ contested: { run, branch, sections } }: { contested: RouteReply<"contestRun"> }) {
  return (
    <div role="status">
      <Sections sections={sections} />
      {branch && (
        <p>
          <Link href={`/runs/${branch}`}>Look at the branch</Link>{" "}
          <Link href={`/compare?a=${run}&b=${branch}`}>What differs</Link>
        </p>
      )}
    </div>
  );
}
