import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { callApi } from "../../contract/api/client.ts";
import { Empty, Failure, Skeleton } from "../text/parts.tsx";
import { sayName } from "../text/words.ts";

export default function StudiesPage() {
  const studies = useQuery({ queryKey: ["studies"], queryFn: () => callApi("listStudies", {}) });
  if (studies.isPending) return <Skeleton lines={6} />;
  if (studies.isError) return <Failure error={studies.error} again={() => void studies.refetch()} />;
  return (
    <div className="studies">
      <h1>Studies</h1>
      <p className="secondary">Is a debate worth its cost on your cases? A study holds it against doing without.</p>
      {studies.data.studies.length === 0 && <Empty command="parley study run FILE">No study has run here yet.</Empty>}
      <ul className="plain-list" aria-label="Studies that ran here">
        {studies.data.studies.map(({ name, pack, arms, runs, planned, cases }) => (
          <li key={name}>
            <div>
              <Link href={`/studies/${name}`} className="title">
                {sayName(name)}
              </Link>
              <p className="secondary">{`${sayName(pack)}, ${cases} cases, arms: ${arms.join(", ")}`}</p>
            </div>
            <span className="number secondary">{runs >= planned ? `${runs} runs` : `${runs} of ${planned} runs`}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
