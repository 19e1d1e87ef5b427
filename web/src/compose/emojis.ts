// All emojis that can be written: those of the server, requested once, and those of Unicode, loaded when needed.

import type { CustomEmoji } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { byName } from "../../../texts/lists.ts";

let request: Promise<CustomEmoji[]> | null = null;

/** Returns the server's emojis; none where it does not answer. */
export const customEmojis = (get: Get): Promise<CustomEmoji[]> => {
  request ??= get<CustomEmoji[]>("/api/v1/custom_emojis").then(
    ({ body }) => body.filter(({ visible_in_picker }) => visible_in_picker),
    () => {
      request = null;
      return [];
    },
  );
  return request;
};

export type AnyEmoji = {
  /** Its name, without colons. */
  name: string;
  /** Text that is inserted. */
  text: string;
  /** Address of its picture. */
  url?: string;
  group: string;
};

/** Returns all emojis: first the server's, by category. */
export const allEmojis = async (get: Get, locale: string): Promise<AnyEmoji[]> => {
  const [own, { EMOJI_GROUPS }] = await Promise.all([customEmojis(get), import("./emoji-data.ts")]);
  return [
    ...byName(locale, own, ({ category }) => category ?? "").map(
      ({ shortcode, url, category }) => ({
        name: shortcode,
        text: `:${shortcode}:`,
        url,
        group: category || "custom",
      }),
    ),
    ...EMOJI_GROUPS.flatMap(({ name: group, emojis }) =>
      emojis.map(({ name, char }) => ({ name, text: char, group })),
    ),
  ];
};

/** Returns emojis whose names begin with the words, then those that contain them. */
export const findEmojis = (emojis: readonly AnyEmoji[], words: string): AnyEmoji[] => {
  const query = words.toLowerCase().replaceAll(/[\s-]+/g, "_");
  const rank = ({ name }: AnyEmoji): number => name.toLowerCase().indexOf(query);
  return emojis
    .filter((emoji) => rank(emoji) >= 0)
    .toSorted((a, b) => Math.sign(rank(a)) - Math.sign(rank(b)));
};
