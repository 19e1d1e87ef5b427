// Reading preferences that apps share: what is covered, what is unfolded, and what plays by itself.

import { useApp } from "../app.ts";
import type { App } from "../app.ts";

/** Values of `reading:expand:media`. */
export const EXPAND_MEDIA = ["default", "show_all", "hide_all"] as const;

export type Reading = {
  media: (typeof EXPAND_MEDIA)[number];
  /** True when content warnings are unfolded. */
  spoilers: boolean;
  /** True when moving pictures play by themselves. */
  autoplay: boolean;
};

/** Our members of the entity's `source`, in addition to the documented ones. */
type Source = {
  expand_media?: Reading["media"];
  expand_spoilers?: boolean;
  autoplay_gifs?: boolean;
};

export const readingOf = ({ me }: Pick<App, "me">): Reading => {
  const source = (me?.source ?? {}) as Source;
  return {
    media: source.expand_media ?? "default",
    spoilers: source.expand_spoilers ?? false,
    autoplay: source.autoplay_gifs ?? false,
  };
};

export const useReading = (): Reading => readingOf(useApp());

/** Whether media are covered. */
export const coversMedia = ({ media }: Reading, isSensitive: boolean): boolean =>
  media === "hide_all" || (media === "default" && isSensitive);
