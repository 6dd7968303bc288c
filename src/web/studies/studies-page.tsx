import { Link } from "wouter";
import { useApi } from "../data/use-api.ts";
import { Empty, Loaded } from "../text/parts.tsx";
import { sayName } from "../text/words.ts";

export default function StudiesPage() {
  const found = useApi("listStudies", {});
  return (
    <div className="studies">
      <h1>Studies</h1>
      <p className="secondary">Is a debate worth its cost on your cases? A study compares it with cheaper methods.</p>
      <Loaded query={found}>
        {({ studies }) =>
          studies.length === 0 ? (
            <Empty command="parley study run question_controls">
              No study has run here yet. One that works offline:
            </Empty>
          ) : (
            <ul className="plain-list" aria-label="Studies that ran here">
              {studies.map(({ name, pack, arms, runs, planned, cases }) => (
                <li key={name}>
                  <div>
                    <Link href={`/studies/${name}`} className="title">
                      {sayName(name)}
                    </Link>
                    <p className="secondary">{`${sayName(pack)}, ${cases} cases, arms: ${arms.join(", ")}`}</p>
                  </div>
                  <span className="number secondary">
                    {runs >= planned ? `${runs} runs` : `${runs} of ${planned} runs`}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}
