import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { call } from "../data/call.ts";
import { Empty, Failure, Skeleton } from "../text/states.tsx";

/** Studies that ran here, and those that come with Parley. */
export default function StudiesPage() {
  const [, go] = useLocation();
  const studies = useQuery({ queryKey: ["studies"], queryFn: () => call("listStudies", "/api/studies") });
  const start = useMutation({
    mutationFn: (name: string) => call("startStudy", "/api/studies", { name }),
    onSuccess: ({ name }) => go(`/studies/${name}`),
  });
  if (studies.isPending) return <Skeleton lines={6} />;
  if (studies.isError) return <Failure error={studies.error} />;
  const { ran, bundled } = studies.data;
  return (
    <>
      <h1>Studies</h1>
      {ran.length === 0 && <Empty command="parley study run FILE">No study has run here yet.</Empty>}
      {ran.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th scope="col">study</th>
              <th scope="col">pack</th>
              <th scope="col">arms</th>
              <th scope="col" className="number">
                runs
              </th>
            </tr>
          </thead>
          <tbody>
            {ran.map((study) => (
              <tr key={study.name}>
                <td>
                  <Link href={`/studies/${study.name}`}>{study.name}</Link>{" "}
                  {study.live && <span className="live">live</span>}
                </td>
                <td>{study.pack}</td>
                <td className="secondary">{study.arms.join(", ")}</td>
                <td className="number">{`${study.runs}/${study.planned}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <section className="section bundled">
        <h2>Ready to run</h2>
        {start.isError && <Failure error={start.error} />}
        {bundled.map(({ name, about }) => (
          <div key={name} className="step">
            <button className="plain" onClick={() => start.mutate(name)}>
              {name}
            </button>
            <span>{about}</span>
          </div>
        ))}
      </section>
    </>
  );
}
