// Shows how much of a post's length is used: a ring that fills, and the number of remaining characters near the end.

import { useApp } from "../app.ts";
import { ReadAtFocus } from "../elements/read-at-focus.tsx";

/** Remaining characters from which on they are shown. */
const NEAR = 60;
/** Remaining characters that screen readers announce. */
const SPOKEN = new Set([50, 20, 10, 5, 0]);

export const Counter = ({ used, limit, id }: { used: number; limit: number; id: string }) => {
  const { t } = useApp();
  const left = limit - used;
  const share = Math.min(100, (used / limit) * 100);
  const words = left < 0 ? t("compose.over", { count: -left }) : t("compose.left", { count: left });
  return (
    <span class={left < 0 ? "counter over" : left <= 20 ? "counter near" : "counter"} title={words}>
      {left <= NEAR && <span aria-hidden="true">{left}</span>}
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <circle class="ring" cx="12" cy="12" r="9" />
        {used > 0 && (
          <circle
            class="used"
            cx="12"
            cy="12"
            r="9"
            pathLength="100"
            stroke-dasharray={`${share} 100`}
            transform="rotate(-90 12 12)"
          />
        )}
      </svg>
      <ReadAtFocus id={id} words={words} />
      <span class="invisible" role="status">
        {left < 0 || SPOKEN.has(left) ? words : ""}
      </span>
    </span>
  );
};
