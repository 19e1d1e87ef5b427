// The end of a list: the next page is loaded as the end comes near the window; without scripts by a link.

import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { keepFocus } from "../window/keep-focus.ts";
import { on } from "../window/live.ts";
import { Skeletons } from "./skeletons.tsx";

const NEAR = "3000px";

type Phase = "idle" | "loading" | "failed";

type Props = {
  /** Query of the next page. */
  next: Record<string, string>;
  label: string;
  /** Appends the next page. */
  load(): Promise<void>;
};

export const Pager = ({ next, label, load }: Props) => {
  const { t, place } = useApp();
  const [phase, setPhase] = useState<Phase>("idle");
  const end = useRef<HTMLDivElement>(null);
  const isBusy = useRef(false);
  const href = `?${new URLSearchParams({ ...place.query, ...next })}`;
  const more = async (): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    const keep = keepFocus();
    setPhase("loading");
    try {
      await load();
      setPhase("idle");
    } catch {
      setPhase("failed");
    } finally {
      isBusy.current = false;
      requestAnimationFrame(keep);
    }
  };
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void more();
      },
      { rootMargin: NEAR },
    );
    observer.observe(end.current!);
    return () => observer.disconnect();
  }, [href]);
  useEffect(() => {
    if (phase !== "failed") return undefined;
    const again = (): void => void more();
    const stop = on("open", again);
    addEventListener("online", again);
    return () => {
      stop();
      removeEventListener("online", again);
    };
  }, [phase]);
  return (
    <div class="pager" ref={end}>
      {phase === "loading" && <Skeletons count={3} />}
      <div role="status">
        {phase === "failed" && (
          <p>
            {t("feed.failed")}{" "}
            <button class="button plain small" type="button" onClick={() => void more()}>
              {t("feed.retry")}
            </button>
          </p>
        )}
      </div>
      {phase === "idle" && (
        <a class="button plain" href={href}>
          {label}
        </a>
      )}
    </div>
  );
};
