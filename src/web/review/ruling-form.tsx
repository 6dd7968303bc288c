import { useState } from "react";
import type { ReviewDetail } from "../../contract/api/index.ts";

type Props = { detail: ReviewDetail; isOff: boolean; onSend: (body: Record<string, unknown>) => void };

/** A ruling on an escalated decision: it stands, or this is right instead, and why. */
export function RulingForm({ detail, isOff, onSend }: Props) {
  const [why, setWhy] = useState("");
  const [gold, setGold] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const correct = () => {
    try {
      onSend({ verdict: "correct", why, gold: JSON.parse(gold) as unknown });
      setProblem(null);
    } catch {
      setProblem("What is right must be JSON in the pack's shape of gold.");
    }
  };
  return (
    <>
      <label>
        Why
        <textarea rows={3} value={why} onChange={(event) => setWhy(event.target.value)} required />
      </label>
      {detail.gold && (
        <details>
          <summary>It should have been otherwise</summary>
          <label>
            What is right, as JSON with {Object.keys(detail.gold.properties ?? {}).join(", ")}
            <textarea rows={6} className="mono" value={gold} onChange={(event) => setGold(event.target.value)} />
          </label>
          <button type="button" disabled={isOff || why.trim() === "" || gold.trim() === ""} onClick={correct}>
            Correct it
          </button>
        </details>
      )}
      {problem && <p className="bad">{problem}</p>}
      <div>
        <button
          className="primary"
          type="button"
          disabled={isOff || why.trim() === ""}
          onClick={() => onSend({ verdict: "uphold", why })}
        >
          Let it stand
        </button>
      </div>
    </>
  );
}
