import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../contract/api/client.ts";
import { Failure, Skeleton } from "../text/parts.tsx";
import { showHidden } from "../text/words.ts";

const tones = { ok: "good", note: "neutral", wrong: "bad" } as const;
const words = { ok: "as it should be", note: "not set up", wrong: "wrong" } as const;

/** What is set up here, what is not, and how to mend it. */
export default function DoctorPage() {
  const doctor = useQuery({ queryKey: ["doctor"], queryFn: () => callApi("runDoctor", {}), staleTime: 0 });
  if (doctor.isPending) return <Skeleton lines={6} />;
  if (doctor.isError) return <Failure error={doctor.error} again={() => void doctor.refetch()} />;
  const { checks } = doctor.data;
  const wrong = checks.filter(({ state }) => state === "wrong").length;
  return (
    <div className="doctor">
      <header className="page-head">
        <h1>Doctor</h1>
        <button onClick={() => void doctor.refetch()} disabled={doctor.isFetching}>
          {doctor.isFetching ? "Looking" : "Look again"}
        </button>
      </header>
      <p className="say" role="status">
        {wrong === 0 ? "Nothing is wrong here." : wrong === 1 ? "One thing is wrong." : `${wrong} things are wrong.`}
      </p>
      <ul className="plain-list">
        {checks.map(({ name, state, message, fix }) => (
          <li key={name}>
            <span className={`chip ${tones[state]}`} title={words[state]}>
              {name}
            </span>
            <div>
              <span>{showHidden(message)}</span>
              {fix && <p className="secondary">{showHidden(fix)}</p>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
