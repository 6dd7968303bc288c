import type { PackItem } from "../../contract/api/index.ts";

type Props = { pack: PackItem; value: Record<string, string>; onChange: (value: Record<string, string>) => void };

/** The pack's settings that one may want to change before the start; what is not touched keeps its default. */
export function Settings({ pack, value, onChange }: Props) {
  const settings = pack.settings.filter(({ kind }) => kind !== "other");
  const count = Object.keys(value).length;
  return (
    <details>
      <summary>{`Settings${count > 0 ? ` (${count} changed)` : ""}`}</summary>
      <div className="settings">
        {settings.map(({ key, about, kind, choices, default: usual }) => {
          const options = kind === "boolean" ? ["true", "false"] : choices;
          const set = (next: string) => {
            const { [key]: _before, ...rest } = value;
            onChange(next === "" || next === String(usual) ? rest : { ...rest, [key]: next });
          };
          return (
            <label key={key} title={about}>
              <span className="mono">{key}</span>
              {options.length > 0 ? (
                <select value={value[key] ?? String(usual)} onChange={(event) => set(event.target.value)}>
                  {options.map((option) => (
                    <option key={option}>{option}</option>
                  ))}
                </select>
              ) : (
                <input
                  type="number"
                  step="any"
                  placeholder={String(usual)}
                  value={value[key] ?? ""}
                  onChange={(event) => set(event.target.value)}
                />
              )}
            </label>
          );
        })}
      </div>
    </details>
  );
}

/** Settings by dotted key as the config object that a run takes. */
export function nestSettings(pack: PackItem, value: Record<string, string>): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(value)) {
    const kind = pack.settings.find((setting) => setting.key === key)?.kind;
    const parts = key.split(".");
    const last = parts.pop() ?? key;
    const place = parts.reduce((inner, part) => (inner[part] ??= {}) as Record<string, unknown>, config);
    place[last] = kind === "boolean" ? text === "true" : kind === "choice" ? text : Number(text);
  }
  return config;
}
