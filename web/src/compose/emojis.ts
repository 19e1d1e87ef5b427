// All emojis that can be written: those of the server, requested once, and those of Unicode, loaded when needed.

import type { CustomEmoji } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { byName } from "../../../texts/lists.ts";

export type AnyEmoji = {
  /** Its name, without colons. */
  name: string;
  /** Text that is inserted. */
  text: string;
  /** Address of its picture. */
  url?: string;
  group: string;
};

const offered = ({ shortcode, url, category }: CustomEmoji): AnyEmoji => ({
  name: shortcode,
  text: `:${shortcode}:`,
  url,
  group: category || "custom",
});

let request: Promise<AnyEmoji[]> | null = null;

/** Returns the server's emojis, by category; none where it does not answer. */
const customEmojis = (get: Get, locale: string): Promise<AnyEmoji[]> => {
  request ??= get<CustomEmoji[]>("/api/v1/custom_emojis").then(
    ({ body }) => {
      const shown = body.filter(({ visible_in_picker }) => visible_in_picker);
      return byName(locale, shown, ({ category }) => category ?? "").map(offered);
    },
    () => {
      request = null;
      return [];
    },
  );
  return request;
};

/** Returns all emojis: first the server's. */
export const allEmojis = async (get: Get, locale: string): Promise<AnyEmoji[]> => {
  const [own, { EMOJI_GROUPS }] = await Promise.all([
    customEmojis(get, locale),
    import("./emoji-data.ts"),
  ]);
  return [
    ...own,
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
