// What a person reads of an error, in their language.

import { TooManyRequests } from "../errors.ts";
import type { Say } from "../text/texts.ts";
import { isKnown } from "./http-error.ts";
import { OverLimit } from "./rate-limit.ts";

/** When there may be another attempt; rounded up. */
export const againText = (t: Say, error: TooManyRequests): string => {
  if (!(error instanceof OverLimit)) return t("again.later");
  const minutes = Math.max(1, Math.ceil(error.retryAfter / 60));
  if (minutes < 60) return t("again.minutes", { count: minutes });
  return t("again.hours", { count: Math.ceil(minutes / 60) });
};

/** What they can do about it; null where the error says nothing but its status. */
export const errorText = (t: Say, error: Error): string | null => {
  if (error instanceof TooManyRequests) return t("again.too_often", { again: againText(t, error) });
  const said = isKnown(error) ? error.said : undefined;
  return said ? t(said.key, said.values) : null;
};

/** The same on the page of a form, which says in English what has no translation. */
export const formErrorText = (t: Say, error: Error): string => errorText(t, error) ?? error.message;
