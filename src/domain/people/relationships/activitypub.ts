// Turns follows and blocks into ActivityPub activities, with the members that peers know (test/golden). Accept, Reject
// and Undo contain the activity that they are about.

import { randomUUID } from "node:crypto";
import { AS_CONTEXT, sendable } from "../accounts/activitypub.ts";

/** The URIs of the actor, the object and the activity itself. */
export type RelationUris = { uri: string | null; actor: string; object: string };

type Inner = { id?: string; type: "Follow" | "Block"; actor: string; object: string };

const inner = (type: Inner["type"], { uri, actor, object }: RelationUris): Inner => ({
  ...(uri !== null && { id: uri }),
  type,
  actor,
  object,
});

const outer = (id: string, type: string, actor: string, object: object) =>
  sendable({
    "@context": AS_CONTEXT,
    id,
    type,
    actor,
    object,
  });

// Makes a new id each time: peers drop an activity whose id they have seen, and a pair may follow again.

export const followActivity = (follow: RelationUris) =>
  sendable({
    "@context": AS_CONTEXT,
    ...inner("Follow", follow),
  });

/** Makes the Accept of a follow, which the followed account, `follow.object`, sends. */
export const acceptFollowActivity = (follow: RelationUris) =>
  outer(
    `${follow.object}#accepts/follows/${randomUUID()}`,
    "Accept",
    follow.object,
    inner("Follow", follow),
  );

/** Makes the Reject of a follow, which the followed account sends; also removes a follower. */
export const rejectFollowActivity = (follow: RelationUris) =>
  outer(
    `${follow.object}#rejects/follows/${randomUUID()}`,
    "Reject",
    follow.object,
    inner("Follow", follow),
  );

export const undoFollowActivity = (follow: RelationUris) =>
  outer(
    `${follow.actor}#follows/${randomUUID()}/undo`,
    "Undo",
    follow.actor,
    inner("Follow", follow),
  );

export const blockActivity = (block: RelationUris) =>
  sendable({
    "@context": AS_CONTEXT,
    ...inner("Block", block),
  });

export const undoBlockActivity = (block: RelationUris) =>
  outer(`${block.actor}#blocks/${randomUUID()}/undo`, "Undo", block.actor, inner("Block", block));
