// Plans when the page of a link is fetched: when the first post has it, and again with a post that has it when the card
// is old. There is one fetch for all posts with the link.

import type { App } from "../../../platform/app.ts";
import { takeFetch } from "../../../platform/fetch/budget.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { linkHash, shownLink } from "../statuses/links.ts";
import type { StatusView } from "../statuses/tables.ts";
import "./events.ts";
import { askFor } from "./queries.ts";

export { selectWithCard as statusesWithCard } from "./queries.ts";

type WantedCard = {
  hash: string;
  url: string;
  /** URI of the author, if on another server. */
  remoteAuthor: string | null;
};

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
/** Milliseconds over which fetches are spread, because many servers get a post at the same time. */
const JITTER_MS = 60 * SECOND_MS;
/** Days after which it is checked whether a post still has the card. */
export const KEPT_DAYS = 30;

const laterFor = ({ remoteAuthor }: WantedCard, now: Date): { runAt?: Date } =>
  remoteAuthor === null ? {} : { runAt: new Date(now.getTime() + Math.random() * JITTER_MS) };

/** Limits preview fetches caused by one server's posts. */
const mayAsk = (app: App, { remoteAuthor }: WantedCard): boolean =>
  remoteAuthor === null || takeFetch(app, "card for", remoteAuthor);

const wantedBy = ({ config }: App, view: StatusView): WantedCard[] => {
  const url = shownLink(view, config.site);
  const hash = url && linkHash(url);
  if (!hash) return [];
  const remoteAuthor = view.local ? null : view.account.uri;
  return [{ hash: hash.toString("hex"), url, remoteAuthor }];
};

/** Enqueues the fetches of new links and old cards of these posts; is idempotent. */
export const planCards = async (app: App, views: StatusView[]): Promise<void> => {
  const cards = views.flatMap((view) => wantedBy(app, view));
  if (!app.config.previewCards || cards.length === 0) return;
  const now = app.clock.now();
  const byHash = new Map(cards.map((card) => [card.hash, card]));
  await app.sql.begin(async (tx) => {
    const hashes = await askFor(tx, {
      links: [...byHash.values()].map(({ hash, url }) => ({ hash, url })),
      now,
      again: new Date(now.getTime() + HOUR_MS),
      keptUntil: addDays(now, KEPT_DAYS),
    });
    const allowed = hashes.map((hash) => byHash.get(hash)!).filter((card) => mayAsk(app, card));
    const jobs = allowed.map((card) => ({
      payload: { hash: card.hash },
      key: `card:${card.hash}`,
      ...laterFor(card, now),
    }));
    await app.jobs.addMany(tx, "card.wanted", jobs);
  });
};
