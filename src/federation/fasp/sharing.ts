// Tells auxiliary providers of public posts and of profiles whose authors want them found, by their addresses alone: of
// what happens from now on, of what was there before, and of posts that trend here. What was told is stored, so
// that its end is told too.

import { randomUUID } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { JobHandler } from "../../platform/jobs/table.ts";
import type { Json } from "../../platform/json/read.ts";
import type { StatusView } from "../../domain/posts/statuses/tables.ts";
import { listedPublicly } from "../../domain/posts/statuses/visibility.ts";
import { isInUse } from "../../domain/base/settings/providers.ts";
import { askInJob } from "./ask.ts";
import { changeWishes, withProviders } from "./providers.ts";
import { selectProvider } from "./queries.ts";
import {
  ENDED,
  noteObjects,
  noteRemoved,
  noteWithdrawn,
  selectTold,
  settleBatch,
  takeBatch,
  takeOlder,
  takeTrending,
} from "./queries-sharing.ts";
import { mayUse } from "./tables.ts";
import type { ProviderRow, Wish } from "./tables.ts";

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A provider has to be told of something. */
    "fasp.announce": { providerId: string };
    /** Tell providers what trends here, and what a crash prevented. */
    "fasp.due": Record<string, never>;
    /** Ask providers what trends (find.ts). */
    "fasp.trends": Record<string, never>;
    /** Look for what was withdrawn without anything having been said. */
    "fasp.withdrawn": { after: string };
  }
}

const MAX_BATCH = 500;
/** Rows that a step reads which looks for what was withdrawn. */
const STEP = 1000;

const enqueue = (app: App, providerIds: string[]): Promise<void> =>
  app.jobs.addMany(
    app.sql,
    "fasp.announce",
    [...new Set(providerIds)].map((providerId) => ({
      payload: { providerId },
      key: `fasp.announce:${providerId}`,
    })),
  );

/** Stores a wish in place of the provider's former one of its kind. Returns its id. */
export const want = async (
  app: App,
  { id: providerId }: ProviderRow,
  wish: Omit<Wish, "id">,
): Promise<string> => {
  const id = randomUUID();
  const most = Math.max(1, Math.min(wish.most, MAX_BATCH));
  await changeWishes(app, providerId, (all) => [
    ...all.filter(({ category, kind }) => category !== wish.category || kind !== wish.kind),
    { ...wish, id, most },
  ]);
  await enqueue(app, [providerId]);
  return id;
};

/** Changes a wish, or ends it. Throws NotFound for one that the provider does not have. */
export const changeWish = async (
  app: App,
  provider: ProviderRow,
  id: string,
  change: Partial<Wish> | null,
): Promise<void> => {
  if (!provider.wishes.some((wish) => wish.id === id)) throw new NotFound();
  const changed = (wish: Wish): Wish[] => (change === null ? [] : [{ ...wish, ...change }]);
  await changeWishes(app, provider.id, (all) =>
    all.flatMap((wish) => (wish.id === id ? changed(wish) : [wish])),
  );
  await enqueue(app, [provider.id]);
};

const tell = (app: App, provider: ProviderRow, body: Json): Promise<unknown> =>
  askInJob(app, provider, { method: "POST", path: "/data_sharing/v0/announcements", body });

/** Tells the next changes; returns whether there were any. */
const tellChanges = async (app: App, provider: ProviderRow, wish: Wish): Promise<boolean> => {
  const batch = await takeBatch(app.sql, provider.id, wish);
  if (!batch) return false;
  const { change: eventType, uris: objectUris } = batch;
  const source = { subscription: { id: wish.id } };
  if (objectUris.length > 0)
    await tell(app, provider, { source, category: wish.category, eventType, objectUris });
  await settleBatch(app.sql, provider.id, wish, batch);
  return true;
};

/** Tells the next part of what was there before, and the end by an empty one. */
const tellOlder = async (app: App, provider: ProviderRow, wish: Wish): Promise<void> => {
  const { uris: objectUris, next } = await takeOlder(app.sql, provider.id, wish);
  const moreObjectsAvailable = next !== null;
  const isNews = objectUris.length > 0 || !moreObjectsAvailable;
  const source = { backfillRequest: { id: wish.id } };
  const { category } = wish;
  if (isNews) await tell(app, provider, { source, category, objectUris, moreObjectsAvailable });
  await changeWish(app, provider, wish.id, next === null ? null : { before: next, isDue: !isNews });
};

/** Handles the job `fasp.announce`: one announcement of each kind, after which others have their turn. */
export const announce: JobHandler<"fasp.announce"> = async (app, { providerId }) => {
  const provider = await selectProvider(app.sql, providerId);
  if (!provider || !mayUse(provider, "data_sharing")) return;
  let isMore = false;
  for (const wish of provider.wishes) {
    if (wish.kind === "lifecycle" && (await tellChanges(app, provider, wish))) isMore = true;
    if (wish.isDue) await tellOlder(app, provider, wish);
  }
  if (isMore) await enqueue(app, [providerId]);
};

/** Handles the job `fasp.due`: tells what trends, and what a crash prevented. */
export const announceDue = (app: App): Promise<void> =>
  withProviders(app, "data_sharing", async (provider) => {
    await enqueue(app, [provider.id]);
    const wish = provider.wishes.find(
      ({ kind, category }) => kind === "trends" && category === "content",
    );
    if (!wish) return;
    const { id, category, most } = wish;
    const objectUris = await takeTrending(app.sql, provider.id, most, app.clock.now());
    const source = { subscription: { id } };
    if (objectUris.length > 0)
      await tell(app, provider, { source, category, eventType: "trending", objectUris });
  });

/** Stores changes where anybody is told of them, and enqueues the jobs that tell. */
const note = async (app: App, work: () => Promise<string[]>): Promise<void> => {
  if (await isInUse(app, "data_sharing")) await enqueue(app, await work());
};

/** Tells of new posts, and of their authors where a provider does not know them. */
export const sharePosts = async (app: App, views: StatusView[]): Promise<void> => {
  const open = views.filter((view) => listedPublicly(view) && view.reblog_of_id === null);
  const posts = open.filter(({ account }) => account.indexable).map(({ id }) => id);
  const authors = open.filter(({ account }) => account.discoverable).map((view) => view.account_id);
  if (posts.length > 0) await note(app, () => noteObjects(app.sql, "content", posts, false));
  if (authors.length > 0) await note(app, () => noteObjects(app.sql, "account", authors, false));
};

export const shareEditedPost = (app: App, id: string): Promise<void> =>
  note(app, () => noteObjects(app.sql, "content", [id], true));

/** Tells of a changed profile, or of its end and that of its posts where they are no longer to be found. */
export const shareProfile = (app: App, id: string): Promise<void> =>
  note(app, async () => [
    ...(await noteObjects(app.sql, "account", [id], true)),
    ...(await noteWithdrawn(app.sql, [id])),
  ]);

export const shareRemoved = (app: App, removed: { id: string }[]): Promise<void> => {
  const ids = removed.map(({ id }) => id);
  return note(app, () => noteRemoved(app.sql, ids));
};

/** Handles the job `fasp.withdrawn`: a step over those of whom anything was told. */
export const shareWithdrawn: JobHandler<"fasp.withdrawn"> = (app, { after }) =>
  note(app, async () => {
    const ids = await selectTold(app.sql, after, STEP);
    const ended = await noteWithdrawn(app.sql, ids);
    const next = ended.length < ENDED ? ids.at(-1) : after;
    if (next !== undefined) await app.jobs.add(app.sql, "fasp.withdrawn", { after: next });
    return ended;
  });
