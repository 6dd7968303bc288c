import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { PackItem } from "../../contract/api/index.ts";
import { call } from "../data/call.ts";
import { Failure, Skeleton } from "../text/states.tsx";

/** Start a debate: a pack, a case as plain text or JSON, who plays, and what it may cost. */
export default function StartPage() {
  const packs = useQuery({ queryKey: ["packs"], queryFn: () => call("listPacks", "/api/packs") });
  if (packs.isPending) return <Skeleton lines={6} />;
  if (packs.isError) return <Failure error={packs.error} />;
  return <StartForm packs={packs.data.packs} casts={packs.data.casts} cast={packs.data.defaultCast} />;
}

type FormProps = { packs: PackItem[]; casts: string[]; cast: string };

function StartForm({ packs, casts, cast: usual }: FormProps) {
  const [name, setName] = useState(packs[0]?.name ?? "");
  const [text, setText] = useState("");
  const [isJson, setJson] = useState(false);
  const [cast, setCast] = useState(usual);
  const [calls, setCalls] = useState("");
  const [usd, setUsd] = useState("");
  const [, go] = useLocation();
  const pack = packs.find((one) => one.name === name);
  const start = useMutation({
    mutationFn: () => {
      const budget = { ...(calls !== "" && { calls: Number(calls) }), ...(usd !== "" && { usd: Number(usd) }) };
      const given = isJson ? { input: JSON.parse(text) as unknown } : { text };
      return call("startRun", "/api/runs", { pack: name, ...given, cast, budget });
    },
    onSuccess: ({ id }) => go(`/runs/${id}`),
  });
  const fill = (input: unknown) => {
    setJson(true);
    setText(JSON.stringify(input, null, 2));
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <h1>Start a debate</h1>
      <label>
        Pack
        <select value={name} onChange={(event) => setName(event.target.value)}>
          {packs.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </label>
      <p className="secondary">{pack?.summary}</p>
      <label>
        {isJson ? "The case as JSON" : "The case"}
        <textarea rows={isJson ? 14 : 5} value={text} required onChange={(event) => setText(event.target.value)} />
      </label>
      <div className="row">
        <label className="inline">
          <span>
            <input type="checkbox" checked={isJson} onChange={(event) => setJson(event.target.checked)} /> as JSON
          </span>
        </label>
        {pack?.examples.map((example) => (
          <button key={example.name} type="button" className="plain" onClick={() => fill(example.input)}>
            {`example: ${example.name}`}
          </button>
        ))}
      </div>
      <div className="row">
        <label>
          Who plays
          <input list="casts" value={cast} onChange={(event) => setCast(event.target.value)} />
          <datalist id="casts">
            {casts.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </datalist>
        </label>
        <label>
          At most calls
          <input type="number" min={0} value={calls} onChange={(event) => setCalls(event.target.value)} />
        </label>
        <label>
          At most USD
          <input type="number" min={0} step="0.01" value={usd} onChange={(event) => setUsd(event.target.value)} />
        </label>
      </div>
      {start.isError && <Failure error={start.error} />}
      <div>
        <button className="primary" disabled={start.isPending || text.trim() === ""}>
          Start
        </button>
      </div>
    </form>
  );
}
