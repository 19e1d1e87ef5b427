// Lets visitors subscribe to somebody's posts by mail: they ask, and confirm by a link that is sent to them.

import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import { addressKey, countAttempt, tally } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { addDays, idAt } from "../../../platform/ids/index.ts";
import { readToken, tokenOf } from "../../../platform/seal.ts";
import { says, textsIn } from "../../../platform/text/texts.ts";
import { canonicalHash, judgeEmail } from "../../base/blocklists/emails.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { mayHaveSubscribers, takesSubscribers } from "../../people/accounts/present.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { checkEmail } from "../../people/users/create.ts";
import { nameOf } from "../notifications/texts.ts";
import {
  confirmSubscription,
  countConfirmed,
  deleteSubscription,
  insertSubscription,
  selectSubscription,
} from "./queries.ts";

const PER_ADDRESS: Limit = { name: "subscriptions:ip", by: "address", count: 20, seconds: 3600 };
/** Mails with a link to confirm that one mailbox gets in a day, whoever asks for them. */
const PER_MAILBOX: Limit = { name: "subscriptions:mail", by: "login", count: 3, seconds: 86_400 };
const MAX_SUBSCRIBERS = 10_000;
const UNCONFIRMED_DAYS = 7;
const PURPOSE = { what: "email-subscription", owner: "" };

type Asking = { email: string; ip: string; locale: string };

/** Sends a link to confirm. Says nothing about who has subscribed already: the answer is the same. */
export const subscribe = async (
  app: App,
  view: AccountView,
  { email: typed, ip, locale }: Asking,
): Promise<void> => {
  if (!takesSubscribers(view)) throw new NotFound();
  const email = typed.trim().toLowerCase();
  checkEmail(app, email);
  await countAttempt(app, PER_ADDRESS, addressKey(ip));
  await judgeEmail(app, email, ip);
  if ((await tally(app, PER_MAILBOX, canonicalHash(email))).over) return;
  const expires = addDays(app.clock.now(), UNCONFIRMED_DAYS);
  const row = { account_id: view.id, email, locale, expires_at: expires };
  await app.sql.begin(async (tx) => {
    const id = await insertSubscription(tx, row, MAX_SUBSCRIBERS);
    if (id !== null) await app.jobs.add(tx, "subscriptions.send", { id });
  });
};

/**
 * Returns the page on which a subscriber confirms and ends the subscription, without sign-in. Its token names the
 * author too, so that the page says whose posts no longer come once the subscription is gone.
 */
export const subscriptionUrl = (app: App, { id, author }: SubscriptionView): string =>
  `${app.config.site.origin}/subscriptions/${tokenOf(app, PURPOSE, `${id} ${author.id}`)}`;

/** Returns null for a subscription that has ended. */
export const findSubscription = async (app: App, id: string) => {
  const row = await selectSubscription(app.sql, id);
  if (!row) return null;
  const author = await getAccount(app, row.account_id);
  return { ...row, author, name: nameOf(author), texts: textsIn(row.locale) };
};

export type SubscriptionView = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;

/** `row` is null once it has ended. Throws NotFound for a token that is not one of ours, or whose author is gone. */
export const readSubscription = async (app: App, token: string) => {
  const [id, authorId] = readToken(app, PURPOSE, token)?.split(" ") ?? [];
  if (!id || !authorId) throw new NotFound(says("mails.bad_link"));
  const author = await getAccount(app, authorId);
  return { author, name: nameOf(author), row: await selectSubscription(app.sql, id) };
};

export const confirm = async (app: App, id: string): Promise<void> => {
  const now = app.clock.now();
  await confirmSubscription(app.sql, id, now, idAt(now));
};

export const end = async (app: App, id: string): Promise<void> => {
  await deleteSubscription(app.sql, id);
};

/** Returns how many people get the posts; null where the role lets nobody get them. */
export const countSubscribers = async (app: App, accountId: string): Promise<number | null> =>
  mayHaveSubscribers(await getAccount(app, accountId)) ? countConfirmed(app.sql, accountId) : null;
