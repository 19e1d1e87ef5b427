// Writes errors for people, in their language.

import { TooManyRequests, Unauthorized } from "../errors.ts";
import { saidOf } from "../text/refusals.ts";
import { textsIn } from "../text/texts.ts";
import type { Said, Say } from "../text/texts.ts";
import { acceptedRanges } from "./accept-language.ts";
import { faultsOf } from "./field-faults.ts";
import type { Faults } from "./field-faults.ts";
import { isKnown } from "./http-error.ts";
import { OverLimit } from "./rate-limit.ts";

/** Says when another attempt is possible, rounded up. */
export const againText = (t: Say, error: TooManyRequests): string => {
  if (!(error instanceof OverLimit)) return t("again.later");
  const minutes = Math.max(1, Math.ceil(error.retryAfter / 60));
  if (minutes < 60) return t("again.minutes", { count: minutes });
  return t("again.hours", { count: Math.ceil(minutes / 60) });
};

/** Returns why a request was refused. People who are not signed in are asked to sign in, whatever the API says. */
const saidBy = (error: Error): Said | null => {
  if (!isKnown(error)) return null;
  return error.said ?? (error instanceof Unauthorized ? null : saidOf(error.message));
};

/** Returns what people can do about an error; null where the error says nothing but its status. */
export const errorText = (t: Say, error: Error): string | null => {
  if (error instanceof TooManyRequests) return t("again.too_often", { again: againText(t, error) });
  const said = saidBy(error);
  return said ? t(said.key, said.values) : null;
};

/**
 * Adds what people read to an error that programs compare: in the language that was asked for, where it says something
 * else, and a sentence for each input that is wrong. A program that asks for no language ("*" is what `fetch` sends)
 * gets the error alone.
 */
export const errorTextFor = (
  language: string | undefined,
  error: Error,
): { error_text?: string; error_texts?: Faults } => {
  const ranges = acceptedRanges(language);
  if (ranges.every((range) => range === "*")) return {};
  const { t } = textsIn(ranges);
  const text = errorText(t, error);
  const faults = faultsOf(t, error);
  return {
    ...(text !== null && text !== error.message && { error_text: text }),
    ...(faults && { error_texts: faults }),
  };
};

/** Returns the error for the page of a form. */
export const formErrorText = (t: Say, error: Error): string => errorText(t, error) ?? error.message;
