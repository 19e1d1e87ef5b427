// Calls for what follows while the end of a list is near the window.

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

const NEAR = "1500px";

/** `next`: the query of what follows; null: nothing does. Without an answer the link at the end stays, and works. */
export const useNearEnd = (
  end: RefObject<HTMLElement | null>,
  next: Record<string, string> | null,
  load: (next: Record<string, string>) => Promise<void>,
): void => {
  useEffect(() => {
    if (!end.current || !next) return;
    let isLoading = false;
    const observer = new IntersectionObserver(
      (entries) => {
        if (isLoading || !entries.some(({ isIntersecting }) => isIntersecting)) return;
        isLoading = true;
        load(next)
          .catch(() => {})
          .finally(() => (isLoading = false));
      },
      { rootMargin: NEAR },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [next]);
};
