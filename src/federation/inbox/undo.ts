// Undo: of what the actor did themselves, named by its id or given whole.

import type { App } from "../../platform/app.ts";
import { httpUrl, idOf, isRecord, sameHost, typesOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { unblock } from "../../domain/relationships/unblock.ts";
import { unfollow } from "../../domain/relationships/unfollow.ts";
import { unfavouriteStatuses } from "../../domain/statuses/favourite.ts";
import { unreblog } from "../../domain/statuses/reblog.ts";
import { removeStatus } from "../../domain/statuses/remove.ts";
import { isOurs } from "../hosts.ts";
import { rejectOne } from "./follows.ts";
import { localPerson, objectUri } from "./handler.ts";
import type { Handler, Incoming } from "./handler.ts";
import { insertEarlyDelete, selectActByUri, selectStatusByUri } from "./queries.ts";
import type { KnownAct, KnownActor } from "./queries.ts";

type Undoing = (app: App, actor: KnownActor, targetId: string) => Promise<unknown>;

const UNDOING: Record<KnownAct["kind"], Undoing> = {
  follow: (app, actor, targetId) => unfollow(app, { accountId: actor.id, targetId }),
  like: (app, actor, statusId) =>
    unfavouriteStatuses(app, app.sql, [{ accountId: actor.id, statusId }]),
  block: (app, actor, targetId) => unblock(app, { accountId: actor.id, targetId }),
};

/** By the id under which we know the act. False when we know none. */
const undoById = async (app: App, actor: KnownActor, uri: string): Promise<boolean> => {
  const status = await selectStatusByUri(app.sql, uri);
  if (status) {
    const isOwnReblog = status.account_id === actor.id && status.reblog_of_id !== null;
    if (isOwnReblog) await removeStatus(app, status.id);
    return true;
  }
  const act = await selectActByUri(app.sql, actor.id, uri);
  if (act) await UNDOING[act.kind](app, actor, act.targetId);
  return act !== null;
};

/** By what the act says, when it came without an id or with one that we did not keep. */
const undoByContent = async (app: App, actor: KnownActor, act: Json): Promise<void> => {
  const types = typesOf(act);
  const uri = objectUri(act);
  const person = await localPerson(app, uri);
  const pair = person && { accountId: actor.id, targetId: person.id };
  if (pair && types.includes("Follow")) await unfollow(app, pair);
  if (pair && types.includes("Block")) await unblock(app, pair);
  const status = uri === null ? null : await selectStatusByUri(app.sql, uri);
  if (status && types.includes("Like"))
    await unfavouriteStatuses(app, app.sql, [{ accountId: actor.id, statusId: status.id }]);
  if (status && types.includes("Announce")) await unreblog(app, actor.id, status.id);
};

const isTheirOwn = ({ actor }: Incoming, act: Json): boolean =>
  act["actor"] === undefined || idOf(act["actor"]) === actor.uri;

export const undoOne: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const { object } = body;
  const act = isRecord(object) ? object : null;
  if (act && !isTheirOwn(incoming, act)) return;
  // An Accept taken back ends the follow, as a Reject does.
  if (act && typesOf(act).includes("Accept")) return rejectOne(app, { actor, body: act });
  const uri = httpUrl(idOf(object));
  if (uri && !isOurs(app, uri) && (await undoById(app, actor, uri))) return;
  if (act) await undoByContent(app, actor, act);
  if (uri && sameHost(uri, actor.uri))
    await insertEarlyDelete(app.sql, actor.uri, uri, app.clock.now());
};
