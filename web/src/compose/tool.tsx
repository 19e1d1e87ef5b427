// A button of the composer: an icon with a label, pressed while what it opens is there.

import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";

type ToolProps = {
  icon: IconName;
  label: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick(): void;
};

export const Tool = ({ icon, label, pressed, disabled, onClick }: ToolProps) => (
  <button
    type="button"
    class="icon-button"
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);
