// Host names as people write and read them: in any script, with emojis, and with invisible characters. Addresses and
// tables have the ASCII form; people are shown the letters.

import { domainToUnicode } from "node:url";

const ASCII_HOST = /^[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*(?::\d{1,5})?$/;

/** Returns a host in lower case and ASCII, as in addresses (UTS 46), with its port; null if it is no host name. */
export const asciiHost = (text: string): string | null => {
  const lower = text.toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return ASCII_HOST.test(lower) ? lower : null;
  const [, name = "", port = ""] = /^([^:]*)(:\d{1,5})?$/.exec(lower) ?? [];
  if (/[/?#@\\\s]/.test(name) || !URL.canParse(`http://${name}`)) return null;
  const { hostname } = new URL(`http://${name}`);
  // Digits of another script would become a number.
  return ASCII_HOST.test(hostname) && /[^\d.]/.test(hostname) ? hostname + port : null;
};

/** Returns a host in the letters of its language. */
export const shownHost = (host: string): string => {
  const [name = "", port] = host.split(":", 2);
  const shown = /(?:^|\.)xn--/i.test(name) ? domainToUnicode(name) || name : name;
  return port === undefined ? shown : `${shown}:${port}`;
};
