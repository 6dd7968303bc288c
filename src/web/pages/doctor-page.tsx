import { useQuery } from "@tanstack/react-query";
import { call } from "../data/call.ts";
import { Failure, Skeleton } from "../text/states.tsx";

const tones = { ok: "good", note: "neutral", wrong: "bad" } as const;

/** What is set up here, what is not, and how to mend it. */
export default function DoctorPage() {
  const doctor = useQuery({ queryKey: ["doctor"], queryFn: () => call("runDoctor", "/api/doctor") });
  if (doctor.isPending) return <Skeleton lines={6} />;
  if (doctor.isError) return <Failure error={doctor.error} />;
  return (
    <>
      <h1>Doctor</h1>
      {doctor.data.checks.map(({ name, state, message, fix }) => (
        <div key={name} className="step">
          <span className={`chip ${tones[state]}`}>{name}</span>
          <span>{message}</span>
          {fix && <p className="detail">{fix}</p>}
        </div>
      ))}
    </>
  );
}
