// Mutes a hashtag, on its page: for a time or until it is undone.

import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { TagForm } from "./tag-form.tsx";

const DURATIONS: readonly [seconds: number, text: Key][] = [
  [0, "tag.mute_forever"],
  [86_400, "mute.day"],
  [604_800, "mute.week"],
];

export const UnmuteTag = ({ name }: { name: string }) => {
  const { t } = useApp();
  return (
    <TagForm name={name} act="unmute">
      <button class="button plain small">{t("tag.unmute")}</button>
    </TagForm>
  );
};

export const MuteTag = ({ name, isMuting }: { name: string; isMuting: boolean }) => {
  const { t } = useApp();
  if (isMuting)
    return (
      <div class="mute-tag">
        <p class="soft small">{t("tag.muted")}</p>
        <UnmuteTag name={name} />
      </div>
    );
  return (
    <details class="mute-tag">
      <summary class="soft small">{t("tag.mute_title")}</summary>
      <TagForm name={name} act="mute">
        <p class="soft small">{t("tag.mute_text")}</p>
        <label>
          {t("mute.duration")}{" "}
          <select name="duration">
            {DURATIONS.map(([seconds, text]) => (
              <option key={seconds} value={seconds}>
                {t(text)}
              </option>
            ))}
          </select>
        </label>{" "}
        <button class="button plain small">{t("tag.mute")}</button>
      </TagForm>
    </details>
  );
};
