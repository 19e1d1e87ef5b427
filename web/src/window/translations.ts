// Translations that were requested in this window, by post.

import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { Translation } from "../api/entities.ts";
import type { App } from "../app.ts";
import { say } from "./messages.ts";

const translations = new Map<string, Signal<Translation | null>>();
/** Number of translations; posts without one look again when it changes. */
const count = signal(0);

export const translationOf = (id: string): Translation | null => {
  const known = translations.get(id);
  if (known) return known.value;
  void count.value;
  return null;
};

const keep = (id: string, translation: Translation): void => {
  translations.set(id, signal(translation));
  count.value += 1;
};

export const dropTranslation = (id: string): void => {
  const known = translations.get(id);
  if (known) known.value = null;
  translations.delete(id);
};

/** Shows the translation below the original. */
export const translate = async ({ send, t, locale }: App, id: string): Promise<void> => {
  try {
    const path = `/api/v1/statuses/${id}/translate`;
    const { body } = await send<Translation>("POST", path, { body: { lang: locale } });
    keep(id, body);
  } catch {
    say(t("translate.failed"));
  }
};
