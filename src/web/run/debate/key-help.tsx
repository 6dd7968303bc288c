import { useEffect, useRef } from "react";
import { keyHelp } from "./turn-keys.ts";

/** The keys of this page. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} className="key-help" onClose={onClose} aria-label="Keys">
      <h2>Keys</h2>
      <dl className="pairs">
        {keyHelp.map(([keys, what]) => (
          <div key={keys} className="bar-row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button onClick={() => box.current?.close()}>Close</button>
    </dialog>
  );
}
