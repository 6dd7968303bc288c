import { useEffect, useRef, useState } from "react";

/** What a scroll of the page's own may take before it counts as the reader's. */
const ownMs = 250;

/** Keeps the newest in sight while a run goes on; lets go when the reader scrolls up. `news` changes with every word. */
export function useFollowing(isOn: boolean, news: string) {
  const [isFollowing, setFollowing] = useState(true);
  const own = useRef({ atMs: 0, top: 0 });
  useEffect(() => {
    if (!isOn) return undefined;
    const onScroll = () => {
      const isOwn = performance.now() - own.current.atMs < ownMs;
      if (!isOwn && window.scrollY < own.current.top - 8) setFollowing(false);
      own.current.top = window.scrollY;
    };
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && setFollowing(false);
    const onKey = (event: KeyboardEvent) => /^(?:ArrowUp|PageUp|Home)$/.test(event.key) && setFollowing(false);
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("wheel", onWheel, { passive: true });
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("wheel", onWheel);
      window.removeEventListener("keydown", onKey);
    };
  }, [isOn]);
  useEffect(() => {
    if (!isOn || !isFollowing) return;
    own.current.atMs = performance.now();
    window.scrollTo(0, document.documentElement.scrollHeight);
  }, [isOn, isFollowing, news]);
  return { isFollowing, setFollowing };
}
