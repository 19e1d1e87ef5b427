// Who sees a post: a menu of choices, each with an icon and a line that says what it means.

import { useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { Icon } from "../views/icons.tsx";
import type { IconName } from "../views/icons.tsx";
import { visibilitiesFrom } from "../api/visibility.ts";
import type { Visibility } from "../api/visibility.ts";
import { useClosing } from "./closing.ts";

const ICONS: Record<Visibility, IconName> = {
  public: "globe",
  unlisted: "moon",
  local: "home",
  private: "lock",
  local_followers: "home",
  circle: "people",
  direct: "at",
};

type Props = {
  value: Visibility;
  widest: Visibility;
  disabled?: boolean;
  onChange(value: Visibility): void;
};

const isDone = ({ key, target }: KeyboardEvent): boolean =>
  key === "Escape" || (key === "Enter" && (target as HTMLElement).localName !== "summary");

let count = 0;

export const Audience = ({ value, widest, disabled, onChange }: Props) => {
  const { t } = useApp();
  const { details, close, onKeyDown } = useClosing(isDone);
  const [name] = useState(() => `audience-${(count += 1)}`);
  const label = t("compose.audience");
  const text = `${label}: ${t(`visibility.${value}`)}`;
  const face = (
    <>
      <Icon name={ICONS[value]} /> <span>{t(`visibility.${value}`)}</span>
    </>
  );
  if (disabled) {
    return (
      <span class="choice-fixed soft" title={text}>
        {face}
      </span>
    );
  }
  return (
    <details
      class="choice"
      ref={details}
      onKeyDown={onKeyDown}
      onToggle={({ currentTarget }) => {
        // The arrow keys choose at once.
        if (currentTarget.open) currentTarget.querySelector<HTMLElement>("input:checked")?.focus();
      }}
    >
      <summary aria-label={text} title={text}>
        {face}
      </summary>
      <fieldset class="choice-options">
        <legend>{label}</legend>
        {visibilitiesFrom(widest).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={name}
              checked={each === value}
              onChange={() => onChange(each)}
              onClick={(event) => event.detail > 0 && close()}
            />
            <Icon name={ICONS[each]} />
            <span>
              <strong>{t(`visibility.${each}`)}</strong>
              <small class="soft">{t(`compose.visibility_${each}`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
};
