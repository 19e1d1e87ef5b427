// Recognises e-mail addresses as people type them.

import type { FullConfig } from "../config/config.ts";

/**
 * Catches typing errors; the confirmation mail is the real test. Refuses what some mail servers take for the way to
 * another one (`%` and `!` as source routes, `=?` as encoded words, `|` as programs, invisible characters), and hosts
 * that no server has. Before the @, dots may be anywhere: such addresses exist.
 */
const ADDRESS =
  /^(?!-)(?![^@]*=\?)(?![^@]*@(?:[.-]|.*(?:\.[.-]|-\.|[.-]$)))[^\s@"<>()[\]\\,;:%!|`\p{Cc}\p{Cf}]{1,64}@[^\s@"<>()[\]\\,;:%!|`=?/#\p{Cc}\p{Cf}]{1,255}$/u;

const hostOf = (address: string): string =>
  address
    .slice(address.lastIndexOf("@") + 1)
    .replace(/>\s*$/, "")
    .toLowerCase();

/** A host without a dot is one of the network of the server itself, so only that from which it sends mails is real. */
export const isEmailAddress = (text: string, { mail }: Pick<FullConfig, "mail">): boolean =>
  ADDRESS.test(text) && (hostOf(text).includes(".") || hostOf(text) === hostOf(mail.from));
