// Reads a remote account from its server when somebody here looks at it or wants to follow it: its pinned posts, its
// recent public ones, and its counts of posts, followers and followed.

import type { App } from "../platform/app.ts";
import { idOf, isRecord, sameHost, typesOf } from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { asActor } from "../platform/viewer.ts";
import { setRemoteTotals } from "../domain/people/accounts/counts.ts";
import { FILL_DAYS, fillSubject } from "../domain/people/accounts/fill.ts";
import { addDays } from "../platform/ids/index.ts";
import { finishRefresh } from "../domain/base/refreshes/refreshes.ts";
import { loadVisible } from "../domain/posts/statuses/load.ts";
import { MAX_PINS, pin, unpin } from "../domain/posts/statuses/acts.ts";
import { openTo } from "../domain/posts/statuses/visibility.ts";
import { refreshLater } from "./actors.ts";
import { readCollection } from "./collections.ts";
import { nullOnAnyFault } from "./faults.ts";
import { isLocalUri } from "./hosts.ts";
import { statusByUri } from "./notes.ts";
import { claimFill, selectPins } from "./queries.ts";
import type { ActorToFill } from "./queries.ts";
import { collectionsOf } from "./totals.ts";

const MAX_POSTS = 20;
const READ = { cause: "thread", maxItems: MAX_POSTS, maxPages: 1 } as const;

/** Returns the stored post if it is the account's, and fetches it if needed. */
const ownPost = async (app: App, actor: ActorToFill, uri: string | null) => {
  if (!uri || !sameHost(uri, actor.uri) || isLocalUri(app, uri)) return null;
  const id = await nullOnAnyFault(statusByUri(app, uri, { cause: "thread", quiet: true }));
  const [view] = id === null ? [] : await loadVisible(app, [id], asActor(actor.id));
  return view?.account_id === actor.id && openTo("here", view) ? view : null;
};

/** Stores pinned posts in the order in which the server lists them. */
const fillPins = async (app: App, actor: ActorToFill): Promise<void> => {
  const url = actor.featured_url;
  const featured = url && (await nullOnAnyFault(readCollection(app, url, actor.uri, READ)));
  if (!featured) return;
  const isPost = (item: unknown) => !isRecord(item) || !typesOf(item).includes("Hashtag");
  const uris = featured.items.filter(isPost).map(idOf).slice(0, MAX_PINS);
  const views = [];
  for (const uri of uris) views.push(await ownPost(app, actor, uri));
  const ids = new Set(views.flatMap((view) => view?.id ?? []));
  for (const id of await selectPins(app.sql, actor.id)) {
    if (!ids.has(id)) await unpin(app, asActor(actor.id), id);
  }
  for (const view of views.toReversed()) if (view) await pin(app, asActor(actor.id), view.id);
};

/** Returns the address of the post that an item of an outbox creates. */
const createdIn = (item: unknown): string | null =>
  isRecord(item) && typesOf(item).includes("Create") ? idOf(item["object"]) : null;

/** Fetches the newest posts first, so that those are stored when the budget ends. */
const fillPosts = async (app: App, actor: ActorToFill, outbox: Json): Promise<void> => {
  const read = await nullOnAnyFault(readCollection(app, outbox, actor.uri, READ));
  for (const item of read ? read.items : []) await ownPost(app, actor, createdIn(item));
};

/** Handles the job `account.wanted`. Totals come last, because storing posts counts up. */
export const fillActor = async (app: App, { id }: JobPayloads["account.wanted"]): Promise<void> => {
  try {
    const now = app.clock.now();
    const actor = await claimFill(app.sql, id, now, addDays(now, -FILL_DAYS));
    if (!actor) return;
    await refreshLater(app, actor);
    const { totals, outbox } = await collectionsOf(app, actor);
    await fillPins(app, actor);
    if (actor.is_first && outbox) await fillPosts(app, actor, outbox);
    await setRemoteTotals(app.sql, actor.id, totals);
  } finally {
    await finishRefresh(app, fillSubject(id));
  }
};
