// Resolves what a person types or pastes to a stored account, status or collection: handles by WebFinger, addresses by
// fetching them.

import type { App, Remote } from "../platform/app.ts";
import { httpUrl } from "../platform/json/read.ts";
import { parseId } from "../platform/ids/index.ts";
import { findKnownId } from "../domain/people/accounts/find.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { isCollection } from "../domain/people/collections/parse.ts";
import { findRemote } from "../domain/people/collections/remote.ts";
import { isNoteType } from "../domain/posts/statuses/parse-note.ts";
import { actorOrPostIn } from "./actor-paths.ts";
import { actorByUri, fetchActor, refreshLater, storeActor } from "./actors.ts";
import { fetchDocument } from "./documents.ts";
import { RemoteFault, unacceptable } from "./faults.ts";
import { storeFetchedCollection } from "./featured-collections.ts";
import { isLocalUri } from "./hosts.ts";
import { readTotals } from "./totals.ts";
import { refreshNote, storeFetchedNote } from "./notes.ts";
import { isActor } from "./parse-actor.ts";
import {
  isStatusOf,
  selectActorByAddress,
  selectActorById,
  selectLocalActor,
  selectLocalStatus,
  selectStatusByAddress,
} from "./queries.ts";
import { lookUpHandle, parseAcct, sameHandle } from "./webfinger.ts";
import type { WebFingerResult } from "./webfinger.ts";

export type Resolved = { kind: "account" | "status" | "collection"; id: string };

/** Returns a stored account at once, and schedules a refresh where it is old. */
const knownAccount = async (app: App, id: string): Promise<string> => {
  const row = await selectActorById(app.sql, id);
  if (row && row.domain !== null) await refreshLater(app, row);
  return id;
};

/** Returns the actor that WebFinger names, if it has the same handle: each has to confirm the other. */
const actorOfHandle = async (app: App, result: WebFingerResult): Promise<AccountView> => {
  const agrees = ({ username, domain }: AccountView): boolean =>
    domain !== null && sameHandle({ username, domain }, result);
  const view = await actorByUri(app, result.actorUri, "person");
  if (agrees(view)) return view;
  const fetched = await fetchDocument(app, result.actorUri, { cause: "person" });
  const confirmed = await storeActor(app, fetched, { cause: "person", confirm: true });
  if (!agrees(confirmed)) throw unacceptable("The actor has another handle");
  return confirmed;
};

/** Resolves `name@host` to an account id; null for an invalid handle and an unknown local one. Throws RemoteFault. */
const resolveHandle = async (app: App, text: string): Promise<string | null> => {
  const handle = parseAcct(app, text);
  if (!handle) return null;
  const known = await findKnownId(app, `${handle.username}@${handle.domain}`);
  if (known) return knownAccount(app, known);
  if (isLocalUri(app, `http://${handle.domain}/`) || isLocalUri(app, `https://${handle.domain}/`))
    return null;
  return (await actorOfHandle(app, await lookUpHandle(app, handle, "person"))).id;
};

const COLLECTION_PATH = /^(?:\/ap\/\d{1,19})?\/collections\/(\d{1,18})\/?$/;
/** Matches our pages of remote accounts and posts: `/@name@host`, `/@name@host/ID`. */
const REMOTE_PATH = /^\/@([^/@]+@[^/@]+)(?:\/(\d{1,19}))?\/?$/;

/** Returns the account of a handle, or its post with this id. */
const resolveRemotePath = async (
  app: App,
  handle: string,
  number: string | undefined,
  mayFetch: boolean,
): Promise<Resolved | null> => {
  const statusId = parseId(number);
  if (!statusId) {
    const id = await (mayFetch ? resolveHandle(app, handle) : findKnownId(app, handle));
    return id === null ? null : { kind: "account", id };
  }
  const authorId = await findKnownId(app, handle);
  const isTheirs = authorId !== null && (await isStatusOf(app.sql, statusId, authorId));
  return isTheirs ? { kind: "status", id: statusId } : null;
};

/** Decodes a path: browsers write `@` and letters of other scripts in either way. */
const decodedPath = ({ pathname }: URL): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
};

/** Resolves a local address, in each of its forms. */
const resolveLocal = async (app: App, url: URL, mayFetch: boolean): Promise<Resolved | null> => {
  const path = decodedPath(url);
  const [, handle, remoteNumber] = REMOTE_PATH.exec(path) ?? [];
  if (handle) return resolveRemotePath(app, handle, remoteNumber, mayFetch);
  const collection = COLLECTION_PATH.exec(path)?.[1];
  if (collection) return { kind: "collection", id: collection };
  const named = actorOrPostIn(path);
  if (!named) return null;
  const statusId = parseId(named.number);
  const id = statusId
    ? await selectLocalStatus(app.sql, named.name, statusId)
    : ((await selectLocalActor(app.sql, named.name))?.id ?? null);
  return id === null ? null : { kind: statusId ? "status" : "account", id };
};

const resolveKnown = async (app: App, url: string): Promise<Resolved | null> => {
  const status = await selectStatusByAddress(app.sql, url);
  if (status) return { kind: "status", id: status };
  const account = await selectActorByAddress(app.sql, url);
  if (account) return { kind: "account", id: await knownAccount(app, account) };
  const collection = await findRemote(app, url);
  return collection ? { kind: "collection", id: collection } : null;
};

const resolveRemote = async (app: App, url: string): Promise<Resolved | null> => {
  const fetched = await fetchDocument(app, url, { cause: "person", fromPage: true });
  if (isActor(fetched.document))
    return { kind: "account", id: (await storeActor(app, fetched, { cause: "person" })).id };
  if (isCollection(fetched.document)) {
    return { kind: "collection", id: await storeFetchedCollection(app, fetched, "person") };
  }
  if (!isNoteType(fetched.document)) return null;
  const known = await resolveKnown(app, fetched.id);
  const id = known?.id ?? (await storeFetchedNote(app, fetched, "person"));
  return id === null ? null : { kind: "status", id };
};

/**
 * Returns the account, status or collection with an address, local or remote: that of the document or of its page.
 * Callers check whether the viewer may see it. Throws RemoteFault.
 */
const resolveAddress = async (
  app: App,
  address: string,
  mayFetch = true,
): Promise<Resolved | null> => {
  const url = httpUrl(address.trim());
  if (!url) return null;
  if (isLocalUri(app, url)) return resolveLocal(app, new URL(url), mayFetch);
  return (await resolveKnown(app, url)) ?? resolveRemote(app, url);
};

/** Returns null where a remote resource cannot be fetched. Other errors are not hidden. */
const nullAndLog = async <T>(
  app: App,
  what: string,
  work: Promise<T | null>,
): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    app.log.info({ what, kind: error.kind, why: error.message }, "not resolved");
    return null;
  }
};

/** Implements app.remote, by which slices find remote accounts and statuses without importing federation. */
export const createRemote = (app: App): Remote => ({
  account: (handle) => nullAndLog(app, handle, resolveHandle(app, handle)),
  refreshAccount: async (uri) => {
    const actor = isLocalUri(app, uri) ? null : fetchActor(app, uri, "person");
    return actor !== null && (await nullAndLog(app, uri, actor)) !== null;
  },
  readTotals: (id) => readTotals(app, id),
  refreshStatus: async (uri) =>
    (await nullAndLog(app, uri, refreshNote(app, uri, "refresh"))) !== null,
  address: (url, mayFetch) => nullAndLog(app, url, resolveAddress(app, url, mayFetch)),
});
