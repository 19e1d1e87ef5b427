// Lists emojis of other servers that their accounts and posts use, and fetches them to be copied here.

import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { mediaRejectedAmong } from "../blocklists/domains.ts";
import { AT_ONCE, OWN_EMOJI_LIMITS } from "./limits.ts";
import { selectKnownEmojis } from "./queries.ts";
import type { KnownEmoji } from "./queries.ts";

export type { KnownEmoji };

const SHOWN = 200;
const TIMEOUT_MS = 10_000;

const requireShown = async (app: App, domain: string): Promise<void> => {
  if ((await mediaRejectedAmong(app, [domain])).has(domain)) {
    throw new Unprocessable(says("staff.emojis.rejected", { domain }));
  }
};

/** Returns the first emojis by shortcode. */
export const knownEmojis = async (
  app: App,
  domain: string,
  part: string,
): Promise<readonly KnownEmoji[]> => {
  await requireShown(app, domain);
  const like = `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return selectKnownEmojis(app.sql, domain, { like, shortcodes: null, limit: SHOWN });
};

type FetchedEmoji = { shortcode: string; bytes: Buffer | null };

const fetchEmoji = async (app: App, { shortcode, url }: KnownEmoji): Promise<FetchedEmoji> => {
  try {
    const { status, body } = await app.fetch.request(url, {
      headers: { accept: "image/*" },
      maxBytes: OWN_EMOJI_LIMITS.bytes,
      timeoutMs: TIMEOUT_MS,
    });
    return { shortcode, bytes: status === 200 ? body : null };
  } catch (error) {
    app.log.debug({ err: error, url }, "an emoji that is to be copied could not be fetched");
    return { shortcode, bytes: null };
  }
};

/** Fetches known emojis only. `bytes` is null where their server did not send the picture. */
export const fetchKnownEmojis = async (
  app: App,
  domain: string,
  shortcodes: string[],
): Promise<FetchedEmoji[]> => {
  await requireShown(app, domain);
  if (shortcodes.length > AT_ONCE.copied) {
    throw new Unprocessable(says("staff.emojis.many", { count: AT_ONCE.copied }));
  }
  const known = await selectKnownEmojis(app.sql, domain, {
    like: "%",
    shortcodes,
    limit: AT_ONCE.copied,
  });
  return Promise.all(known.map((emoji) => fetchEmoji(app, emoji)));
};
