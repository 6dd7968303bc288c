import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { callApi } from "../../contract/api/client.ts";

export function useSession() {
  return useQuery({ queryKey: ["session"], queryFn: () => callApi("readSession", {}), retry: false });
}

export function SignIn({ problem }: { problem: string }) {
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const [said, setSaid] = useState(problem);
  const open = async (event: FormEvent) => {
    event.preventDefault();
    const response = await fetch("/api/session", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token.trim()}` },
      body: "{}",
    });
    if (!response.ok) return setSaid("That token is not known here.");
    await queries.invalidateQueries();
  };
  return (
    <main>
      <form className="form" onSubmit={(event) => void open(event)}>
        <h1>Parley</h1>
        <p>Open the link that `parley serve` printed, or paste its token.</p>
        <p className="secondary" role="status">
          {said}
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

export function useWho(): { name: string; body: { reviewer?: string }; field: React.ReactNode } {
  const reviewer = useSession().data?.reviewer ?? null;
  const [name, setName] = useState(localStorage.getItem("parley-reviewer") ?? "");
  if (reviewer !== null) return { name: reviewer, body: {}, field: <p>{`You answer as ${reviewer}.`}</p> };
  const given = name.trim();
  const field = (
    <>
      <label htmlFor="reviewer">Your name</label>
      <input
        id="reviewer"
        value={name}
        autoComplete="name"
        onChange={(event) => {
          setName(event.target.value);
          localStorage.setItem("parley-reviewer", event.target.value);
        }}
      />
    </>
  );
  return { name: given === "" ? "" : `${given} (operator)`, body: given === "" ? {} : { reviewer: given }, field };
}

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
