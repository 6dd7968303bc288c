import { useLocation } from "wouter";
import { toQuery } from "../data/call.ts";

type Props = { study: string; arms: readonly string[]; chosen: readonly [string, string] };

/** Chooses two arms of a study; the choice is in the address. */
export function ArmPicker({ study, arms, chosen: [a, b] }: Props) {
  const [, go] = useLocation();
  const show = (next: { a: string; b: string }) => go(`/compare${toQuery({ study, ...next })}`);
  return (
    <div className="arm-picker">
      <ArmChoice label="Compare" arms={arms} value={a} onChange={(arm) => show({ a: arm, b })} />
      <ArmChoice label="with" arms={arms} value={b} onChange={(arm) => show({ a, b: arm })} />
    </div>
  );
}

type ChoiceProps = { label: string; arms: readonly string[]; value: string; onChange: (arm: string) => void };

function ArmChoice({ label, arms, value, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {value === "" && <option value="">an arm</option>}
        {arms.map((arm) => (
          <option key={arm}>{arm}</option>
        ))}
      </select>
    </label>
  );
}
