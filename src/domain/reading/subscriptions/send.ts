// Sends mails to subscribers: the question whether they want the posts, and what is new, once a day at most.

import type { App } from "../../../platform/app.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { renderMail } from "../../../platform/mail/render.ts";
import type { MailContent } from "../../../platform/mail/render.ts";
import { shorten } from "../../../platform/text/cut.ts";
import { NOBODY } from "../../../platform/viewer.ts";
import { takesSubscribers } from "../../people/accounts/present.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import { postText } from "../notifications/texts.ts";
import { claimDue, selectNews, updateSeen } from "./queries.ts";
import { findSubscription, subscriptionUrl } from "./subscribe.ts";
import type { SubscriptionView } from "./subscribe.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Find subscribers with news who got no mail for a while, a batch at a time, with a higher id. */
    "subscriptions.due": { after: string };
    /** Send one of them the news, or the question whether they want any. */
    "subscriptions.send": { id: string };
  }
}

/** Days between two mails: a little less than one, since jobs are not done to the second. */
const PAUSE_DAYS = 0.98;
const BATCH = 200;
const MAX_POSTS = 10;
const MAX_TEXT = 1000;

/** Handles `subscriptions.due`: enqueues a job for each of a batch, and one for the next batch. */
export const enqueueSubscriptions: JobHandler<"subscriptions.due"> = async (app, { after }) => {
  const now = app.clock.now();
  const claim = { now, next: addDays(now, PAUSE_DAYS), after, limit: BATCH };
  await app.sql.begin(async (tx) => {
    const ids = await claimDue(tx, claim);
    const jobs = ids.map((id) => ({ payload: { id }, key: `subscription:${id}`, priority: 5 }));
    if (jobs.length > 0) await app.jobs.addMany(tx, "subscriptions.send", jobs);
    if (ids.length === BATCH) await app.jobs.add(tx, "subscriptions.due", { after: ids.at(-1)! });
  });
};

const send = (
  app: App,
  subscription: SubscriptionView,
  message: string,
  content: Omit<MailContent, "language" | "from">,
): Promise<void> => {
  const { id, email, author, texts } = subscription;
  const { localDomain: site } = app.config.site;
  const unsubscribe = subscriptionUrl(app, subscription);
  return app.mail.send({
    to: email,
    subject: content.title,
    list: {
      id: `posts.${author.username}.${site}`,
      unsubscribe,
      message: `posts.${id}.${message}`,
      thread: null,
    },
    ...renderMail({ language: texts.language, from: site, ...content }),
  });
};

const sendQuestion = (app: App, subscription: SubscriptionView): Promise<void> => {
  const { name, texts } = subscription;
  const values = { name, site: app.config.site.localDomain };
  return send(app, subscription, "question", {
    title: texts.t("mail.subscribe.title", values),
    paragraphs: [texts.t("mail.subscribe.text", values)],
    button: { label: texts.t("subscribe.confirm"), url: subscriptionUrl(app, subscription) },
  });
};

/** What was posted while the author took no subscribers is not sent later, either. */
const sendNews = async (app: App, subscription: SubscriptionView): Promise<void> => {
  const {
    id,
    author,
    name,
    texts: { t },
  } = subscription;
  const news = await selectNews(app.sql, id, MAX_POSTS);
  const [newest] = news;
  if (!newest) return;
  const ids = takesSubscribers(author) ? news.map((row) => row.id) : [];
  const posts = await loadVisible(app, ids, NOBODY);
  const more = newest.count - posts.length;
  if (posts.length > 0)
    await send(app, subscription, newest.id, {
      title: t("mail.posts.title", { name }),
      paragraphs: more > 0 ? [t("mail.posts.more", { count: more })] : [],
      quotations: posts.map((post) => ({
        name,
        text: `${shorten(postText(post), MAX_TEXT)}\n${post.url ?? post.uri}`.trim(),
      })),
      button: { label: t("mail.profile"), url: author.url },
      footer: {
        text: t("mail.posts.why", { name }),
        links: [{ label: t("mail.unsubscribe"), url: subscriptionUrl(app, subscription) }],
      },
    });
  await updateSeen(app.sql, id, newest.id);
};

/** Handles `subscriptions.send`. */
export const sendSubscription: JobHandler<"subscriptions.send"> = async (app, { id }) => {
  const subscription = await findSubscription(app, id);
  if (subscription?.expires_at === null) await sendNews(app, subscription);
  else if (subscription && takesSubscribers(subscription.author))
    await sendQuestion(app, subscription);
};
