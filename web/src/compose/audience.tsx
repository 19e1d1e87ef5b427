// Chooses who sees a post: a menu of choices, each with an icon and an explanation.

import { useApp } from "../app.ts";
import { Unfold } from "../elements/floating.tsx";
import { AUDIENCE_ICONS } from "../elements/audience-icons.ts";
import { Icon } from "../elements/icons.tsx";
import { RadioRows } from "../elements/radio-rows.tsx";
import { visibilitiesFrom } from "../api/visibility.ts";
import type { Visibility } from "../api/visibility.ts";
import type { Draft } from "./draft.ts";
import { mentionsIn } from "./mentions-in.ts";
import { listed } from "../../../texts/lists.ts";

type Props = {
  value: Visibility;
  widest: Visibility;
  disabled?: boolean;
  onChange(value: Visibility): void;
};

export const Audience = ({ value, widest, disabled, onChange }: Props) => {
  const { t } = useApp();
  const label = t("compose.audience");
  const text = t("words.pair", { name: label, value: t(`visibility.${value}`) });
  const face = (
    <>
      <Icon name={AUDIENCE_ICONS[value]} /> <span>{t(`visibility.${value}`)}</span>
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
      {(close) => (
        <RadioRows
          values={visibilitiesFrom(widest)}
          chosen={value}
          onChange={onChange}
          close={close}
        >
          {(each) => (
            <>
              <Icon name={AUDIENCE_ICONS[each]} />
              <span>
                <strong>{t(`visibility.${each}`)}</strong>
                <small class="soft">{t(`compose.visibility_${each}`)}</small>
              </span>
            </>
          )}
        </RadioRows>
      )}
    </Unfold>
  );
};

/** Names that are told; of others the number. */
const MAX_NAMED = 5;

/** Says in a sentence who gets the post, and whom it notifies. */
export const Reach = ({ draft: { parts, visibility } }: { draft: Draft }) => {
  const { t, locale } = useApp();
  const handles = parts.flatMap(({ text }) =>
    mentionsIn(text).map(({ start, end }) => text.slice(start, end)),
  );
  const all = [...new Set(handles)];
  const more = all.length > MAX_NAMED ? [`+${all.length - MAX_NAMED}`] : [];
  const names = listed(locale, [...all.slice(0, MAX_NAMED), ...more]);
  const isAlone = visibility === "direct" && all.length === 0;
  return (
    <p class="composer-reach soft small">
      {t(isAlone ? "compose.reaches_nobody" : `compose.visibility_${visibility}`)}
      {names && " · "}
      {names && <bdi>{t("compose.notifies", { names })}</bdi>}
    </p>
  );
};
