// Follow, Accept, Reject and Block between an actor elsewhere and a person here.

import type { App } from "../../platform/app.ts";
import { httpUrl, idOf, isRecord, typesOf } from "../../platform/json/read.ts";
import { acceptFollow } from "../../domain/relationships/accept-follow.ts";
import { block } from "../../domain/relationships/block.ts";
import { follow } from "../../domain/relationships/follow.ts";
import { rejectFollow } from "../../domain/relationships/reject-follow.ts";
import { activityUri, localPerson, objectUri, wasTakenBack } from "./handler.ts";
import type { Handler, Incoming } from "./handler.ts";
import { selectFollowerByUri } from "./queries.ts";

export const followOne: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const target = await localPerson(app, objectUri(body));
  const uri = activityUri(incoming);
  if (!target || (await wasTakenBack(app, actor, uri))) return;
  await follow(app, { accountId: actor.id, targetId: target.id, uri });
};

/** The person here whose Follow of the actor is meant, by its id or by what it says. */
const followerMeant = async (app: App, { actor, body }: Incoming): Promise<string | null> => {
  const { object } = body;
  const uri = idOf(object);
  const known = uri === null ? null : await selectFollowerByUri(app.sql, actor.id, uri);
  if (known || !isRecord(object) || !typesOf(object).includes("Follow")) return known;
  if (idOf(object["object"]) !== actor.uri) return null;
  return (await localPerson(app, httpUrl(idOf(object["actor"]))))?.id ?? null;
};

export const acceptOne: Handler = async (app, incoming) => {
  const follower = await followerMeant(app, incoming);
  if (follower) await acceptFollow(app, { accountId: follower, targetId: incoming.actor.id });
};

export const rejectOne: Handler = async (app, incoming) => {
  const follower = await followerMeant(app, incoming);
  if (follower) await rejectFollow(app, { accountId: follower, targetId: incoming.actor.id });
};

export const blockOne: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const target = await localPerson(app, objectUri(body));
  const uri = activityUri(incoming);
  if (!target || (await wasTakenBack(app, actor, uri))) return;
  await block(app, { accountId: actor.id, targetId: target.id, uri });
};
