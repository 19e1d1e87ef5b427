// A button of the composer: an icon with a label, pressed while what it opens is there; and how the focus moves into that.

import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";

type ToolProps = {
  icon: IconName;
  label: string;
  pressed?: boolean;
  disabled?: boolean;
  class?: string;
  onClick(button: HTMLElement): void;
};

/** Moves the focus into a field that the button opens, once it is drawn, so that what is typed at once is in it. */
export const focusOpened = (button: HTMLElement, field: string): void => {
  const place = button.closest(".composer-part, form");
  requestAnimationFrame(() => place?.querySelector<HTMLElement>(field)?.focus());
};

export const Tool = ({ icon, label, pressed, disabled, onClick, ...more }: ToolProps) => (
  <button
    type="button"
    class={more.class ? `icon-button ${more.class}` : "icon-button"}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    disabled={disabled}
    onClick={({ currentTarget }) => onClick(currentTarget)}
  >
    <Icon name={icon} />
  </button>
);
