// Sends the summary of what somebody missed, once a week while they are away, for a month.

import type { JobHandler } from "../../../platform/jobs/table.ts";
import { addDays, isoDate } from "../../../platform/ids/index.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Key } from "../../../platform/text/texts.ts";
import { findNotifications } from "../notifications/load.ts";
import "./events.ts";
import { KINDS, isMailKind } from "./kinds.ts";
import type { MailKind } from "./kinds.ts";
import { claimAbsent, countMissed, selectAddressee, selectMissedMentions } from "./queries.ts";
import { makeMail, quotationOf, sendCounted } from "./send.ts";

const AWAY_DAYS = 7;
/** Days of absence after which no more mails are sent. */
const LAST_DAYS = 35;
const BATCH = 200;
const MAX_COUNTED = 1000;
const MAX_MENTIONS = 5;

/** What the summary counts. */
const COUNTED: Partial<Record<MailKind, Key>> = {
  mention: "mail.count.mention",
  quote: "mail.count.quote",
  follow: "mail.count.follow",
  follow_request: "mail.count.follow_request",
  favourite: "mail.count.favourite",
  reblog: "mail.count.reblog",
};

/** Handles `mail.digests`: enqueues a job for each of a batch, and one for the next batch. */
export const enqueueDigests: JobHandler<"mail.digests"> = async (app, { from }) => {
  const now = app.clock.now();
  await app.sql.begin(async (tx) => {
    const absent = await claimAbsent(tx, {
      now,
      from: from ? new Date(from) : addDays(now, -LAST_DAYS),
      before: addDays(now, -AWAY_DAYS),
      on: KINDS.digest.on,
      limit: BATCH,
    });
    if (absent.length === 0) return;
    const jobs = absent.map(({ id: userId }) => ({ payload: { userId }, key: `digest:${userId}` }));
    await app.jobs.addMany(tx, "mail.digest", jobs);
    if (absent.length < BATCH) return;
    // Whoever is claimed here was active at some time.
    const last = Math.max(...absent.map((row) => row.last_active_at!.getTime()));
    await app.jobs.add(tx, "mail.digests", { from: new Date(last).toISOString() });
  });
};

/** Handles `mail.digest`. Sends nothing to somebody who came back, or missed nothing. */
export const sendDigest: JobHandler<"mail.digest"> = async (app, { userId }) => {
  const addressee = await selectAddressee(app.sql, userId);
  const since = addressee?.last_active_at;
  const now = app.clock.now();
  if (!addressee || !since || since > addDays(now, -AWAY_DAYS)) return;
  const { account_id: accountId, locale } = addressee;
  const missed = await countMissed(app.sql, accountId, since, MAX_COUNTED);
  const { t } = textsIn(locale);
  const lines = missed.flatMap(({ type, count }) => {
    const label = isMailKind(type) ? COUNTED[type] : undefined;
    return label ? [t("words.pair", { name: t(label), value: count })] : [];
  });
  if (lines.length === 0) return;
  const ids = await selectMissedMentions(app.sql, accountId, since, MAX_MENTIONS);
  const mentions = await findNotifications(app, ids);
  const site = app.config.site.localDomain;
  const mail = makeMail(app, addressee, "digest", {
    message: `digest.${userId}.${isoDate(now)}`,
    title: t("mail.digest", { site }),
    paragraphs: [lines.join("\n")],
    quotations: mentions.map(quotationOf).filter((quotation) => quotation !== null),
    button: { label: t("mail.open", { site }), url: app.config.site.origin },
  });
  await sendCounted(app, userId, mail);
};
