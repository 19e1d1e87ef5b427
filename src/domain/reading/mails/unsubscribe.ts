// Makes the link that ends mails of one kind without sign-in (RFC 8058). Its token names the person and the kind; it is
// encrypted, so that nobody can make one, and never expires, since a mail may be read years later.

import type { App } from "../../../platform/app.ts";
import { readToken, tokenOf } from "../../../platform/seal.ts";
import { isMailKind } from "./kinds.ts";
import type { MailKind } from "./kinds.ts";

const PURPOSE = { what: "unsubscribe", owner: "" };

export const PATH = "/unsubscribe";

export const unsubscribeUrl = (app: App, userId: string, kind: MailKind): string =>
  `${app.config.site.origin}${PATH}/${tokenOf(app, PURPOSE, `${userId} ${kind}`)}`;

/** Returns null for a token that is not one of ours. */
export const readUnsubscribe = (
  app: App,
  token: string,
): { userId: string; kind: MailKind } | null => {
  const [userId = "", kind = ""] = readToken(app, PURPOSE, token)?.split(" ") ?? [];
  return isMailKind(kind) ? { userId, kind } : null;
};
