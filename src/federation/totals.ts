// Reads how many posts, followers and followed a remote account has, as its collections say: for the first response
// that shows it, and for the job that reads its posts.

import type { App } from "../platform/app.ts";
import { singleFlight } from "../platform/caches/single-flight.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import type { Json } from "../platform/json/read.ts";
import { totalOf } from "../platform/json/read.ts";
import { setRemoteTotals } from "../domain/people/accounts/counts.ts";
import type { RemoteTotals } from "../domain/people/accounts/counts.ts";
import { fetchDocument } from "./documents.ts";
import { nullOnAnyFault } from "./faults.ts";
import { selectUnread } from "./queries.ts";
import type { ActorToFill } from "./queries.ts";

/** `outbox` is the collection, where it can be read and is not large. */
type ReadCollections = { totals: RemoteTotals; outbox: Json | null };

const once = singleFlight("totals being read");

/** Seconds that collections are kept for the job, which begins soon, unless many wait. */
const KEPT_SECONDS = 600;
/** Length of a kept outbox; a longer one, with all posts in it, is read again. */
const MAX_KEPT_LENGTH = 256 * 1024;

const keyOf = (id: string): string => `totals:${id}`;

const documentOf = async (app: App, url: string | null, cause: Cause): Promise<Json | null> => {
  if (!url) return null;
  const fetched = await nullOnAnyFault(fetchDocument(app, url, { cause }));
  return fetched && fetched.document;
};

const fetchCollections = async (
  app: App,
  actor: ActorToFill,
  cause: Cause,
): Promise<ReadCollections> => {
  const urls = [actor.outbox_url, actor.followers_url, actor.following_url];
  const [outbox, followers, following] = await Promise.all(
    urls.map((url) => documentOf(app, url, cause)),
  );
  const total = (document: Json | null | undefined) => (document ? totalOf(document) : null);
  const totals = {
    statuses: total(outbox),
    followers: total(followers),
    following: total(following),
  };
  return { totals, outbox: outbox ?? null };
};

const keep = async (app: App, id: string, read: ReadCollections): Promise<void> => {
  const text = JSON.stringify(read);
  if (text.length <= MAX_KEPT_LENGTH) await app.kv.set(keyOf(id), text, KEPT_SECONDS);
};

/** Reads the totals; does nothing where the account was read before. */
export const readTotals = (app: App, id: string): Promise<void> =>
  once(app, id, async () => {
    const actor = await selectUnread(app.sql, id);
    if (!actor) return;
    const read = await fetchCollections(app, actor, "person");
    await keep(app, id, read);
    await setRemoteTotals(app.sql, id, read.totals);
  });

/** Returns what was read a moment ago, or reads it now. */
export const collectionsOf = async (app: App, actor: ActorToFill): Promise<ReadCollections> => {
  // This joins a read that runs in this process, so that the server is asked once.
  await readTotals(app, actor.id);
  const kept = await app.kv.get(keyOf(actor.id));
  if (kept === null) return fetchCollections(app, actor, "thread");
  await app.kv.delete(keyOf(actor.id));
  return JSON.parse(kept) as ReadCollections;
};
