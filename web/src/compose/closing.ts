// A menu of the composer that unfolds: it closes by Escape, and by a press or a step of the focus elsewhere.

import { useEffect, useRef } from "preact/hooks";

/** `isDone`: which keys close it. */
export const useClosing = (isDone: (event: KeyboardEvent) => boolean) => {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const { current } = details;
      if (current?.open && !current.contains(event.target as globalThis.Node)) current.open = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("focusin", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("focusin", close);
    };
  }, []);
  const close = (): void => {
    details.current!.open = false;
    details.current!.querySelector("summary")!.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!details.current!.open || !isDone(event)) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return { details, close, onKeyDown };
};
