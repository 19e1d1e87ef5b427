// Writes a message with the members that apps expect of Mastodon's.

import { createHash } from "node:crypto";
import type { FullConfig } from "../../../platform/config/config.ts";
import { plainText } from "../../../platform/text/plain.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import type { NotificationView } from "../notifications/tables.ts";
import { nameOf, postText } from "../notifications/texts.ts";
import { shorten } from "../../../platform/text/cut.ts";
import { titleOf } from "../notifications/titles.ts";

const MAX_BODY = 140;
/** Bytes of a message; push services take 4096, and encrypting adds about 100. */
const MAX_BYTES = 3900;

const bodyOf = ({ status, account }: NotificationView): string =>
  status ? postText(status) : plainText(account.note);

export type Message = { json: Buffer; urgency: "high" | "normal"; topic: string };

/**
 * Returns the topic of messages that replace each other at the push service while the device is away: the same act on
 * the same post.
 */
const topicOf = ({ type, status, id, account_id }: NotificationView): string => {
  const repeats = type === "favourite" || type === "reblog" || type === "update";
  const what = repeats && status ? `${account_id} ${type} ${status.id}` : id;
  return createHash("sha256").update(what).digest("base64url").slice(0, 32);
};

/** Types that wake a sleeping device, since somebody waits for them. */
const URGENT = new Set(["mention", "follow_request", "poll", "admin.report"]);

export const makeMessage = (
  view: NotificationView,
  { locale, token, site }: { locale: string; token: string; site: FullConfig["site"] },
): Message => {
  const account = accountEntity(view.account, site);
  const text = {
    access_token: token,
    preferred_locale: locale,
    // This is a number, as Mastodon sends it: apps on iPhones read nothing else.
    notification_id: Number(view.id),
    notification_type: view.type,
    // Our own client may keep several accounts with one subscription of the browser.
    ...(token === "" && { account_id: view.account_id }),
    icon: account.avatar_static,
    title: titleOf(view.type, locale, nameOf(view.account)),
    body: shorten(bodyOf(view), MAX_BODY),
  };
  const json = Buffer.from(JSON.stringify(text));
  return {
    // A remote avatar's address may be as long as that, so that it is left out.
    json: json.length <= MAX_BYTES ? json : Buffer.from(JSON.stringify({ ...text, icon: "" })),
    urgency: URGENT.has(view.type) ? "high" : "normal",
    topic: topicOf(view),
  };
};
