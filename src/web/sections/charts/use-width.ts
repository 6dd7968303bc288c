import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** How wide a box is, up to a bound: what is drawn in it keeps the size of its letters. */
export function useWidth(most: number): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(most);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setWidth(Math.max(240, Math.min(most, element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [most]);
  return [box, width];
}
