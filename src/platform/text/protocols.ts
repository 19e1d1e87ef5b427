// The protocols that links in posts may have; links with other protocols become plain text.

/** Link protocols that posts may use, without the colon. */
export const LINK_PROTOCOLS = "http https dat dweb ipfs ipns ssb gopher xmpp magnet gemini".split(
  " ",
);

/** Part that a shortened link hides before its host. The host itself is always visible. */
export const HIDDEN_PREFIX = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i;

/** Returns the host part of a link whose hidden prefix has been removed. */
export const authorityOf = (link: string): string => /^[^/?#\\]*/.exec(link)?.[0] ?? "";
