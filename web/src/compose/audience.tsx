// Chooses who sees a post: a menu of choices, each with an icon and an explanation.

import { useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { Unfold } from "../elements/floating.tsx";
import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";
import { visibilitiesFrom } from "../api/visibility.ts";
import type { Visibility } from "../api/visibility.ts";

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

let count = 0;

export const Audience = ({ value, widest, disabled, onChange }: Props) => {
  const { t } = useApp();
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
      <span class="choice choice-fixed soft" title={text}>
        {face}
      </span>
    );
  }
  return (
    <Unfold label={label} title={text} face={face} buttonClass="choice" class="choice-options">
      {(close) =>
        visibilitiesFrom(widest).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={name}
              checked={each === value}
              onChange={() => onChange(each)}
              onClick={({ detail }) => {
                // The arrow keys choose, and leave the menu open.
                if (detail === 0) return;
                onChange(each);
                close();
              }}
            />
            <Icon name={ICONS[each]} />
            <span>
              <strong>{t(`visibility.${each}`)}</strong>
              <small class="soft">{t(`compose.visibility_${each}`)}</small>
            </span>
          </label>
        ))
      }
    </Unfold>
  );
};
