import type { CastItem } from "../../contract/api/index.ts";

type Props = { casts: CastItem[]; value: string; onChange: (cast: string) => void };

/** Who may play, with the roles each plays and what it costs. */
export function CastPicker({ casts, value, onChange }: Props) {
  return (
    <fieldset className="choices cast-picker">
      <legend>Who plays</legend>
      {casts.map(({ cast, players }) => (
        <label key={cast}>
          <input type="radio" name="cast" checked={cast === value} onChange={() => onChange(cast)} />
          <span>
            <strong>{cast}</strong>
            {players.map(({ player, roles, price }) => (
              <span key={player} className="secondary">
                {`${players.length > 1 || player !== cast ? `${player}: ` : ""}${sayRoles(roles.length)}, ${sayPrice(player, price)}`}
              </span>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function sayRoles(count: number): string {
  return count === 1 ? "one role" : `${count} roles`;
}

function sayPrice(player: string, price: { input: number; output: number } | null): string {
  if (player === "person") return "a person, who answers in the inbox";
  if (price === null) return "price unknown";
  if (price.input === 0 && price.output === 0) return player === "expert" ? "built-in programs, free" : "free";
  return `$${price.input} in, $${price.output} out per million tokens`;
}
