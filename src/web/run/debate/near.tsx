import { type ReactNode, startTransition, useEffect, useRef, useState } from "react";

type Props = { children: ReactNode; height: number; isForced: boolean };

/** Draws its children once they are near the window, and keeps their place while they are not; paper gets everything. */
export function Near({ children, height, isForced }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const kept = useRef(height);
  const [isNear, setNear] = useState(isForced);
  const isShown = isNear || isForced;
  useEffect(() => {
    const watch = ([entry]: IntersectionObserverEntry[]) => {
      if (!entry) return;
      if (entry.boundingClientRect.height > 0) kept.current = entry.boundingClientRect.height;
      startTransition(() => setNear(entry.isIntersecting));
    };
    const watcher = new IntersectionObserver(watch, { rootMargin: "900px 500px" });
    if (box.current) watcher.observe(box.current);
    const all = () => setNear(true);
    window.addEventListener("beforeprint", all);
    return () => {
      watcher.disconnect();
      window.removeEventListener("beforeprint", all);
    };
  }, []);
  return (
    <div ref={box} className="near" style={isShown ? undefined : { minHeight: kept.current }}>
      {isShown && children}
    </div>
  );
}
