// Says in a reader's language what was found, and why: findings of the health check, and faults of a set-up. Reasons
// come as `reasonOf` and the configuration say them in English, because they are stored so too.

import reasons from "../../../texts/en/reasons.json" with { type: "json" };
import { asTyped } from "../command-name.ts";
import { finderOf } from "./refusals.ts";
import type { Language, Said, Say, Texts } from "./texts.ts";

const find = finderOf(reasons);

/** Matches a reason, and the file or host in brackets that `reasonOf` adds. */
const REASON = /^(.+?)( \([^()]*\))?$/s;

/** Says a reason in the language of `t`; one that is not of the catalogue stays as it is. */
export const reasonIn = (t: Say, text: string): string => {
  const [, words = text, place = ""] = REASON.exec(text) ?? [];
  const bare = find(words);
  if (bare) return t(bare.key, bare.values) + place;
  const whole = find(text);
  return whole ? t(whole.key, whole.values) : text;
};

/** Formats `12 May 2026`. */
export const dayText = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "medium",
    timeZone: "UTC",
  }).format(at);

const END = /[.\u3002]$/;

/** Says it with commands as they are typed here. `reason` and `day` (in ISO 8601) are said in the language, too. */
export const spoken = ({ t, language }: Texts, { key, values }: Said): string => {
  const { reason, day } = values;
  return asTyped(
    t(key, {
      ...values,
      ...(reason !== undefined && { reason: reasonIn(t, String(reason)).replace(END, "") }),
      ...(day !== undefined && { day: dayText(language, new Date(day)) }),
    }),
  );
};
