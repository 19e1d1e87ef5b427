// Finds the emojis of other servers in texts that came from there.

import type { EmojiRow } from "./uses.ts";
import { selectEmojisOf } from "./queries-source.ts";
import type { Context } from "./step.ts";

const SHORTCODE = /:([a-zA-Z0-9_]{2,100}):/g;

const shortcodesIn = (texts: string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(SHORTCODE)].map(([, name]) => name!))),
];

/** Returns the emojis of each item's texts. */
export const emojisIn = async <T extends { domain: string | null; texts: string[] }>(
  { old }: Context,
  items: T[],
): Promise<EmojiRow[][]> => {
  const named = items.map(({ domain, texts }) => (domain === null ? [] : shortcodesIn(texts)));
  const shortcodes = [...new Set(named.flat())];
  if (shortcodes.length === 0) return items.map(() => []);
  const domains = [...new Set(items.flatMap(({ domain }) => domain ?? []))];
  const rows = await selectEmojisOf(old, domains, shortcodes);
  const urls = new Map(rows.map((row) => [`${row.domain} ${row.shortcode}`, row.image_remote_url]));
  return items.map(({ domain }, n) =>
    named[n]!.flatMap((shortcode) => {
      const url = urls.get(`${domain} ${shortcode}`);
      return url ? { shortcode, url, static_url: url } : [];
    }),
  );
};
