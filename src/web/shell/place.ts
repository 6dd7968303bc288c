import { useEffect, useRef } from "react";
import { useLocation } from "wouter";

/** A new page begins at its top; going back leads to where one was on it. */
export function usePlace(): void {
  const [location] = useLocation();
  const places = useRef(new Map<string, number>());
  const isBack = useRef(false);
  useEffect(() => {
    history.scrollRestoration = "manual";
    const onBack = () => (isBack.current = true);
    const onScroll = () => places.current.set(window.location.pathname, window.scrollY);
    window.addEventListener("popstate", onBack);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      window.removeEventListener("popstate", onBack);
      window.removeEventListener("scroll", onScroll);
    };
  }, []);
  useEffect(() => {
    const top = isBack.current ? (places.current.get(location) ?? 0) : 0;
    isBack.current = false;
    const frame = requestAnimationFrame(() => window.scrollTo(0, top));
    document.getElementById("main")?.focus({ preventScroll: true });
    return () => cancelAnimationFrame(frame);
  }, [location]);
}
