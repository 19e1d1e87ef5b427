// Ends every question and small form in the same way: a way out, then the act. A sheet closes by what has `data-cancel`;
// on a page of its own the link leads back.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";

type Props = {
  /** Where the way out leads without a sheet. */
  back: string;
  /** Fills the button with red, for what cannot be undone; `warns` writes red letters. */
  tone?: "final" | "warns";
  /** Called by the act's button, which sends its form otherwise. */
  onAct?: () => void;
  /** True while the act is under way, when there is no way out. */
  isDisabled?: boolean;
  children: ComponentChildren;
};

const TONES = { final: "button bad", warns: "button plain warns" };

export const Decision = ({ back, tone, onAct, isDisabled, children }: Props) => {
  const { t } = useApp();
  return (
    <div class="decision-end">
      <a
        class="button plain"
        href={isDisabled ? undefined : back}
        role="button"
        aria-disabled={isDisabled}
        data-cancel={isDisabled ? undefined : ""}
      >
        {t("compose.cancel")}
      </a>
      <button
        type={onAct ? "button" : "submit"}
        class={tone ? TONES[tone] : "button"}
        disabled={isDisabled}
        onClick={onAct}
      >
        {children}
      </button>
    </div>
  );
};
