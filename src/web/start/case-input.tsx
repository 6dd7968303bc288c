import type { PackItem } from "../../contract/api/index.ts";
import { FileDrop } from "../form/file-drop.tsx";
import { PartsFields } from "../form/schema-field.tsx";

/** How a case is given: as plain text, field by field, or as JSON. */
export type CaseDraft = {
  way: "text" | "fields" | "json";
  text: string;
  fields: Record<string, unknown>;
  json: string;
};

const wayWords = { text: "As text", fields: "Field by field", json: "As JSON" } as const;

type Props = { pack: PackItem; value: CaseDraft; onChange: (changes: Partial<CaseDraft>) => void };

/** The case of a debate, from the pack's schema. */
export function CaseInput({ pack, value, onChange }: Props) {
  const ways = pack.takesText ? (["text", "fields", "json"] as const) : (["fields", "json"] as const);
  return (
    <section className="form" aria-label="The case">
      <div className="page-head">
        <h2>The case</h2>
        <div className="segments" role="group" aria-label="How the case is given">
          {ways.map((way) => (
            <button key={way} type="button" aria-pressed={value.way === way} onClick={() => onChange({ way })}>
              {wayWords[way]}
            </button>
          ))}
        </div>
      </div>
      {value.way === "text" && (
        <>
          <div className="field">
            <textarea
              id="case-text"
              aria-label="The case as text"
              placeholder="A question, a sentence, a log"
              rows={5}
              value={value.text}
              onChange={(event) => onChange({ text: event.target.value })}
            />
          </div>
          <FileDrop
            label="Or take the text from files"
            onFiles={(files) => onChange({ text: files.map((file) => file.text).join("\n") })}
          />
        </>
      )}
      {value.way === "fields" && (
        <PartsFields
          field={pack.input}
          words={{}}
          value={value.fields}
          hidden={["id"]}
          onChange={(fields) => onChange({ fields })}
        />
      )}
      {value.way === "json" && (
        <div className="field">
          <label htmlFor="case-json">The case as JSON</label>
          <textarea
            id="case-json"
            className="mono"
            rows={12}
            spellCheck={false}
            value={value.json}
            onChange={(event) => onChange({ json: event.target.value })}
          />
        </div>
      )}
      <p className="row">
        <span className="secondary">Or begin with an example:</span>
        {pack.examples.map((example) => (
          <button
            key={example.name}
            type="button"
            className="plain"
            onClick={() =>
              onChange({
                way: "fields",
                fields: example.input as CaseDraft["fields"],
                json: JSON.stringify(example.input, null, 2),
              })
            }
          >
            {example.name}
          </button>
        ))}
      </p>
    </section>
  );
}
