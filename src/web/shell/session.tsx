import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { callApi } from "../../contract/api/client.ts";
import { useApi } from "../data/use-api.ts";

export function useSession() {
  return useApi("readSession", {}, { retry: false });
}

export function SignIn({ problem }: { problem: string }) {
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const open = useMutation({
    mutationFn: () => callApi("openSession", { body: {} }, { token: token.trim() }),
    onSuccess: () => queries.invalidateQueries(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open.mutate();
  };
  return (
    <main>
      <form className="form" onSubmit={submit}>
        <h1>Parley</h1>
        <p>Open the link that `parley serve` printed, or paste its token.</p>
        <p className="secondary" role="status">
          {open.isError ? "That token is not known here." : problem}
        </p>
        <label>
          Token
          <input type="password" value={token} onChange={(event) => setToken(event.target.value)} autoComplete="off" />
        </label>
        <div>
          <button className="primary">Open</button>
        </div>
      </form>
    </main>
  );
}

/** The reviewer who signed in, or the name an operator gives. */
export function useWho(): { name: string; body: { reviewer?: string }; field: React.ReactNode } {
  const reviewer = useSession().data?.reviewer ?? null;
  const [name, setName] = useState(localStorage.getItem("parley-reviewer") ?? "");
  if (reviewer !== null) return { name: reviewer, body: {}, field: <p>{`You answer as ${reviewer}.`}</p> };
  const given = name.trim();
  const change = (value: string) => {
    setName(value);
    localStorage.setItem("parley-reviewer", value);
  };
  const field = (
    <>
      <label htmlFor="reviewer">Your name</label>
      <input id="reviewer" value={name} autoComplete="name" onChange={(event) => change(event.target.value)} />
    </>
  );
  return { name: given === "" ? "" : `${given} (operator)`, body: given === "" ? {} : { reviewer: given }, field };
}

/** New pages start at the top; going back restores the position. */
export function useTopOfPage(): void {
  const [location] = useLocation();
  const isBack = useRef(false);
  useEffect(() => {
    const onBack = () => (isBack.current = true);
    window.addEventListener("popstate", onBack);
    return () => window.removeEventListener("popstate", onBack);
  }, []);
  useEffect(() => {
    if (!isBack.current) window.scrollTo(0, 0);
    isBack.current = false;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [location]);
}
