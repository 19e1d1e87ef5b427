// Collections of other servers (FEP-7aa9) are fetched when somebody here asks for one or follows its owner. The consent
// of each account in them is read from that account's own server.

import type { App } from "../platform/app.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { httpUrl, idOf, sameHost } from "../platform/json/read.ts";
import { parseCollection } from "../domain/people/collections/parse.ts";
import {
  dropItems,
  listUrlOf,
  remoteUri,
  remoteUris,
  settle,
  uncheckedItems,
} from "../domain/people/collections/remote.ts";
import {
  removeRemoteCollection,
  storeCollection,
} from "../domain/people/collections/store-remote.ts";
import type { UncheckedItem } from "../domain/people/collections/tables.ts";
import { actorByUri } from "./actors.ts";
import { isAuthorized } from "./authorizations.ts";
import { readCollection } from "./collections.ts";
import { fetchDocument } from "./documents.ts";
import type { Fetched } from "./documents.ts";
import { RemoteFault, nullOnAnyFault, nullUnlessTemporary, unacceptable } from "./faults.ts";
import { isLocalUri } from "./hosts.ts";

/** Stores a collection that was fetched from its own id. Throws RemoteFault. */
export const storeFetchedCollection = async (
  app: App,
  { id, document }: Fetched,
  cause: Cause,
): Promise<string> => {
  const parsed = parseCollection(document, app.clock.now());
  if (!parsed || parsed.row.uri !== id)
    throw unacceptable("The document is not a usable collection");
  const owner = await actorByUri(app, parsed.ownerUri, cause === "person" ? cause : "actor");
  if (owner.suspended_at !== null) throw unacceptable("The owner is suspended");
  const stored = await storeCollection(app, owner.id, parsed);
  if (stored === null) throw unacceptable("The collection belongs to another account");
  return stored;
};

/** Fetches a collection and stores it, whether it is stored already or not. Throws RemoteFault. */
export const fetchCollection = async (app: App, uri: string, cause: Cause): Promise<string> =>
  storeFetchedCollection(app, await fetchDocument(app, uri, { cause }), cause);

/** Fetches a collection again, and deletes it where its server has it no more. */
const refresh = async (app: App, id: string, uri: string): Promise<void> => {
  try {
    await fetchCollection(app, uri, "collection");
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    if (error.kind === "gone") await removeRemoteCollection(app, id);
    else if (error.kind === "unreachable") throw error;
  }
};

/** Handles the job `collection.refresh`. */
export const refreshCollection = async (
  app: App,
  { collectionId }: JobPayloads["collection.refresh"],
): Promise<void> => {
  const uri = await remoteUri(app, collectionId);
  if (uri !== null) await refresh(app, collectionId, uri);
};

const MAX_LISTED = 50;

/** Handles the job `collections.refresh`: reads the collections that the account lists, and checks those stored. */
export const refreshCollections = async (
  app: App,
  { accountId }: JobPayloads["collections.refresh"],
): Promise<void> => {
  const url = await listUrlOf(app, accountId);
  const options = { cause: "collection", maxItems: MAX_LISTED, maxPages: 1 } as const;
  const list = url && (await nullUnlessTemporary(readCollection(app, url, url, options)));
  if (!url || !list) return;
  const listed = list.items.flatMap((item) => httpUrl(idOf(item)) ?? []);
  for (const uri of listed.filter((address) => sameHost(address, url))) {
    await nullOnAnyFault(fetchCollection(app, uri, "collection"));
  }
  for (const { id, uri } of await remoteUris(app, accountId)) {
    if (!listed.includes(uri)) await nullOnAnyFault(refresh(app, id, uri));
  }
};

/** Returns the id of the account whose consent is given, or null. Throws RemoteFault (503). */
const consentOf = async (
  app: App,
  { object_uri: uri, approval_uri: approvalUri }: UncheckedItem,
  collectionUri: string,
): Promise<string | null> => {
  if (isLocalUri(app, uri) || !sameHost(approvalUri, uri)) return null;
  const isGiven = await isAuthorized(app, {
    kind: "feature",
    uri: approvalUri,
    target: { uri, authorUri: uri },
    interactingUri: collectionUri,
  });
  const account = isGiven ? await nullUnlessTemporary(actorByUri(app, uri, "actor")) : null;
  return account?.uri === uri ? account.id : null;
};

/** Items checked at once, and attempts while a server does not answer. */
const CHECKED_AT_ONCE = 20;
const ATTEMPTS = 4;
const AGAIN_MS = 10 * 60 * 1000;

/** Checks an item; returns false if its server did not answer. */
const check = async (app: App, item: UncheckedItem, uri: string): Promise<boolean> => {
  try {
    const accountId = await consentOf(app, item, uri);
    if (accountId === null) await dropItems(app, [item.id]);
    else await settle(app, item.id, accountId);
    return true;
  } catch (error) {
    if (error instanceof RemoteFault) return false;
    throw error;
  }
};

/** Handles the job `collection.check`. Items without a valid consent are dropped. */
export const checkConsents = async (
  app: App,
  { collectionId, attempt = 0 }: JobPayloads["collection.check"],
): Promise<void> => {
  const uri = await remoteUri(app, collectionId);
  if (uri === null) return;
  const items = await uncheckedItems(app, collectionId, CHECKED_AT_ONCE);
  const silent: string[] = [];
  for (const item of items) if (!(await check(app, item, uri))) silent.push(item.id);
  if (attempt >= ATTEMPTS) await dropItems(app, silent);
  const isMore = items.length === CHECKED_AT_ONCE && silent.length === 0;
  if (!isMore && (silent.length === 0 || attempt >= ATTEMPTS)) return;
  const runAt = isMore ? app.clock.now() : new Date(app.clock.now().getTime() + AGAIN_MS);
  const payload = { collectionId, attempt: isMore ? attempt : attempt + 1 };
  const key = `collection.check:${collectionId}`;
  await app.jobs.add(app.sql, "collection.check", payload, { runAt, key });
};
