// How a person wants to read, by the preferences that apps share: what is covered, unfolded, and moves by itself.

import { useApp } from "../app.ts";
import type { App } from "../app.ts";

/** Of `reading:expand:media`. */
export const EXPAND_MEDIA = ["default", "show_all", "hide_all"] as const;

export type Reading = {
  media: (typeof EXPAND_MEDIA)[number];
  /** Warnings are unfolded. */
  spoilers: boolean;
  /** Moving pictures play by themselves. */
  autoplay: boolean;
};

/** Ours in the entity's `source`, beside what the API's documents name. */
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

/** Whether media lie behind a cover, those that are marked as sensitive or others. */
export const coversMedia = ({ media }: Reading, isSensitive: boolean): boolean =>
  media === "hide_all" || (media === "default" && isSensitive);
