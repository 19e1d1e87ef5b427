// From what a person types or pastes to a row here: handles by WebFinger, addresses by fetching what
// stands behind them.

import type { App } from "../platform/app.ts";
import { httpUrl } from "../platform/json/read.ts";
import { parseId } from "../platform/db/paging.ts";
import { findKnownId } from "../domain/accounts/find.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { isNoteType } from "../domain/statuses/parse-note.ts";
import { actorByUri, refreshLater, storeActor } from "./actors.ts";
import { fetchDocument } from "./documents.ts";
import { unacceptable } from "./faults.ts";
import { isLocalUri } from "./hosts.ts";
import { storeFetchedNote } from "./notes.ts";
import { isActor } from "./parse-actor.ts";
import {
  selectActorByAddress,
  selectActorById,
  selectLocalStatus,
  selectStatusByAddress,
} from "./queries.ts";
import { lookUpHandle, parseAcct, sameHandle } from "./webfinger.ts";
import type { WebFingerResult } from "./webfinger.ts";

export type Resolved = { kind: "account" | "status"; id: string };

/** A known account is given at once and read again later where it is old. */
const knownAccount = async (app: App, id: string): Promise<string> => {
  const row = await selectActorById(app.sql, id);
  if (row && row.domain !== null) await refreshLater(app, row);
  return id;
};

/** What WebFinger names, if that is known by the same handle: each has to confirm the other. */
const actorOfHandle = async (app: App, finger: WebFingerResult): Promise<AccountView> => {
  const agrees = ({ username, domain }: AccountView): boolean =>
    domain !== null && sameHandle({ username, domain }, finger);
  const view = await actorByUri(app, finger.actorUri);
  if (agrees(view)) return view;
  const fetched = await fetchDocument(app, finger.actorUri);
  const confirmed = await storeActor(app, fetched, { confirm: true });
  if (!agrees(confirmed)) throw unacceptable("The actor has another handle");
  return confirmed;
};

/** `name@host` → account id; null for none of ours and for no handle. Throws RemoteFault. */
export const resolveHandle = async (app: App, text: string): Promise<string | null> => {
  const handle = parseAcct(app, text);
  if (!handle) return null;
  const known = await findKnownId(app, `${handle.username}@${handle.domain}`);
  if (known) return knownAccount(app, known);
  if (isLocalUri(app, `http://${handle.domain}/`) || isLocalUri(app, `https://${handle.domain}/`))
    return null;
  return (await actorOfHandle(app, await lookUpHandle(app, handle))).id;
};

const LOCAL_PATH = /^\/(?:@|users\/)([^/@]+)(?:\/(?:statuses\/)?(\d{1,19}))?(?:\/activity)?\/?$/;

/** One of our own addresses, with all the ways in which it may be written. */
const resolveLocal = async (app: App, url: URL): Promise<Resolved | null> => {
  const [, username, number] = LOCAL_PATH.exec(url.pathname) ?? [];
  if (!username) return null;
  const statusId = parseId(number);
  const id = statusId
    ? await selectLocalStatus(app.sql, username, statusId)
    : await findKnownId(app, username);
  return id === null ? null : { kind: statusId ? "status" : "account", id };
};

const resolveKnown = async (app: App, url: string): Promise<Resolved | null> => {
  const status = await selectStatusByAddress(app.sql, url);
  if (status) return { kind: "status", id: status };
  const account = await selectActorByAddress(app.sql, url);
  return account ? { kind: "account", id: await knownAccount(app, account) } : null;
};

const resolveRemote = async (app: App, url: string): Promise<Resolved | null> => {
  const fetched = await fetchDocument(app, url, { fromPage: true });
  if (isActor(fetched.document))
    return { kind: "account", id: (await storeActor(app, fetched)).id };
  if (!isNoteType(fetched.document)) return null;
  const known = await resolveKnown(app, fetched.id);
  const id = known?.id ?? (await storeFetchedNote(app, fetched));
  return id === null ? null : { kind: "status", id };
};

/**
 * The account or status behind an address: of the thing itself or of its page, here or elsewhere.
 * Whether somebody may see it is the caller's matter. Throws RemoteFault.
 */
export const resolveAddress = async (app: App, address: string): Promise<Resolved | null> => {
  const url = httpUrl(address.trim());
  if (!url) return null;
  if (isLocalUri(app, url)) return resolveLocal(app, new URL(url));
  return (await resolveKnown(app, url)) ?? resolveRemote(app, url);
};
