// Create, Update and Delete of notes (and what is shown like one) and of actors.

import type { App } from "../../platform/app.ts";
import { httpUrl, idOf, isRecord, sameHost } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { removeAccount } from "../../domain/accounts/remove.ts";
import { removeStatus } from "../../domain/statuses/remove.ts";
import { isNoteType, isVote, parseNote } from "../../domain/statuses/parse-note.ts";
import type { ParsedNote } from "../../domain/statuses/parse-note.ts";
import { refreshActor } from "../actors.ts";
import { fetchDocument } from "../documents.ts";
import { orNothing } from "../faults.ts";
import { isOurs } from "../hosts.ts";
import { statusByUri } from "../notes.ts";
import { changeNote, storeNote } from "../store-note.ts";
import { objectUri, wasTakenBack } from "./handler.ts";
import type { Handler, Incoming } from "./handler.ts";
import {
  insertEarlyDelete,
  selectAnyLocal,
  selectIsFollowedHere,
  selectStatusByUri,
} from "./queries.ts";
import type { KnownActor } from "./queries.ts";
import { takeConsentBack } from "./quotes.ts";
import { takeVote } from "./votes.ts";

const parse = (app: App, actor: KnownActor, note: Json): ParsedNote | null => {
  const context = { actorUri: actor.uri, followersUrl: actor.followers_url, now: app.clock.now() };
  const parsed = parseNote(note, context);
  return parsed && !isOurs(app, parsed.uri) ? parsed : null;
};

/** It answers somebody of ours, or somebody whom one of ours follows. */
const answersOurs = async (app: App, uri: string | null): Promise<boolean> => {
  const parent = uri && (await selectStatusByUri(app.sql, uri));
  if (!parent) return false;
  return parent.local || selectIsFollowedHere(app.sql, parent.account_id);
};

const quotesOurs = async (app: App, { quote }: ParsedNote): Promise<boolean> =>
  quote !== null && (await selectStatusByUri(app.sql, quote.uri))?.local === true;

/** Somebody here has a reason to see it; everything else that strangers send is not kept. */
const concernsUs = async (app: App, actor: KnownActor, note: ParsedNote): Promise<boolean> =>
  (await selectIsFollowedHere(app.sql, actor.id)) ||
  (await selectAnyLocal(app.sql, [...note.mentionUris, ...note.silentUris])) ||
  (await quotesOurs(app, note)) ||
  answersOurs(app, note.inReplyToUri);

/** A Create that names its object by address only: looked up, if somebody here follows the author. */
const createByAddress = async (app: App, { actor, body }: Incoming): Promise<void> => {
  const uri = objectUri(body);
  if (!uri || isOurs(app, uri) || !sameHost(uri, actor.uri)) return;
  if (await selectIsFollowedHere(app.sql, actor.id)) await statusByUri(app, uri);
};

export const createObject: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const { object } = body;
  if (!isRecord(object)) return createByAddress(app, incoming);
  if (isVote(object)) return takeVote(app, actor, object);
  const note = parse(app, actor, object);
  if (!note || (await wasTakenBack(app, actor, note.uri))) return;
  if (!(await concernsUs(app, actor, note))) return;
  const fetchParent = (uri: string) => orNothing(statusByUri(app, uri));
  await storeNote(app, actor, note, { fetchParent });
};

/** Its own status, changed; one that is not known here, or somebody else's, is left alone. */
const updateNote = async (app: App, actor: KnownActor, object: Json): Promise<void> => {
  const note = parse(app, actor, object);
  const known = note && (await selectStatusByUri(app.sql, note.uri));
  if (known && known.account_id === actor.id) await changeNote(app, known.id, note);
};

export const updateObject: Handler = async (app, { actor, body }) => {
  const { object } = body;
  if (idOf(object) === actor.uri) return void (await refreshActor(app, actor.uri));
  if (isRecord(object) && isNoteType(object)) await updateNote(app, actor, object);
};

export const deleteObject: Handler = async (app, { actor, body }) => {
  const uri = objectUri(body);
  if (!uri || isOurs(app, uri)) return;
  if (uri === actor.uri) return void (await removeAccount(app, actor.id));
  if (await takeConsentBack(app, actor, uri)) return;
  const known = await selectStatusByUri(app.sql, uri);
  if (known) {
    if (known.account_id === actor.id) await removeStatus(app, known.id);
  } else if (sameHost(uri, actor.uri)) {
    await insertEarlyDelete(app.sql, actor.uri, uri, app.clock.now());
  }
};

/**
 * Our own note (see receive.ts) that somebody passed on an activity about this object: only what
 * its origin says of it counts.
 */
export const fetchForwarded: Handler = async (app, { actor, body }) => {
  const uri = httpUrl(body["object"]);
  if (!uri || isOurs(app, uri) || !sameHost(uri, actor.uri)) return;
  if (await wasTakenBack(app, actor, uri)) return;
  const known = await selectStatusByUri(app.sql, uri);
  if (!known) return void (await statusByUri(app, uri));
  if (known.account_id !== actor.id) return;
  const note = parse(app, actor, (await fetchDocument(app, uri)).document);
  if (note?.uri === uri) await changeNote(app, known.id, note);
};
