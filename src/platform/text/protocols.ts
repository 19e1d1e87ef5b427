// The protocols a link in a post may have; every other one stays, or becomes, plain text.

/** Link protocols that posts may use, without the colon. */
export const LINK_PROTOCOLS = [
  "http",
  "https",
  "dat",
  "dweb",
  "ipfs",
  "ipns",
  "ssb",
  "gopher",
  "xmpp",
  "magnet",
  "gemini",
];

/** What a shortened link hides before its host. The host itself always stays visible. */
export const HIDDEN_PREFIX = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i;

/** The part of a link, its hidden prefix taken off, that names the host: up to the path. */
export const authorityOf = (link: string): string => /^[^/?#\\]*/.exec(link)?.[0] ?? "";
