import { useEffect, useRef } from "react";
import { useApi } from "../data/use-api.ts";
import { Loaded } from "../text/parts.tsx";
import { formatDuration } from "../../text/format.ts";
import { showHidden } from "../text/words.ts";

type Props = { run: string; turn: string; onClose: () => void };

export function TurnDrawer({ run, turn, onClose }: Props) {
  const detail = useApi("readTurn", { params: { id: run, turn } });
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    close.current?.focus();
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && onClose();
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    <div className="drawer" role="dialog" aria-label={`Turn ${turn}`}>
      <header className="bar">
        <h2 className="grow">{turn}</h2>
        <button ref={close} onClick={onClose}>
          Close
        </button>
      </header>
      <Loaded query={detail}>
        {({ player, usage, attempts, prompt }) => (
          <>
            <p className="secondary">
              {`${player} · ${usage.inputTokens.toLocaleString("en")} tokens in, ${usage.outputTokens.toLocaleString("en")} out`}
            </p>
            {attempts.map((attempt, at) => (
              <section key={at} className="section">
                <h3>
                  {at === 0 ? "Reply" : "Repair"}{" "}
                  <span className="secondary">{formatDuration(attempt.durationMs)}</span>
                </h3>
                {attempt.problems.map((problem, index) => (
                  <p key={index} className={problem.severity === "reject" ? "bad" : "warn"}>
                    {showHidden(problem.message)}
                  </p>
                ))}
                <pre tabIndex={0}>{showHidden(attempt.raw.slice(0, 200_000))}</pre>
              </section>
            ))}
            <section className="section">
              <h3>Prompt</h3>
              {prompt.map((piece, at) => (
                <pre key={at} tabIndex={0}>
                  {showHidden(piece.slice(0, 200_000))}
                </pre>
              ))}
            </section>
          </>
        )}
      </Loaded>
    </div>
  );
}
