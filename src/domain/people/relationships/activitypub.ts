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

const bare = (type: Inner["type"], uris: RelationUris) =>
  sendable({ "@context": AS_CONTEXT, ...inner(type, uris) });

// Makes a new id each time: peers drop an activity whose id they have seen, and a pair may follow again.
const answer = (type: "Accept" | "Reject", follow: RelationUris) =>
  sendable({
    "@context": AS_CONTEXT,
    id: `${follow.object}#${type.toLowerCase()}s/follows/${randomUUID()}`,
    type,
    actor: follow.object,
    object: inner("Follow", follow),
  });

const undo = (type: Inner["type"], uris: RelationUris) =>
  sendable({
    "@context": AS_CONTEXT,
    id: `${uris.actor}#${type.toLowerCase()}s/${randomUUID()}/undo`,
    type: "Undo",
    actor: uris.actor,
    object: inner(type, uris),
  });

export const followActivity = (follow: RelationUris) => bare("Follow", follow);

/** Makes the Accept of a follow, which the followed account, `follow.object`, sends. */
export const acceptFollowActivity = (follow: RelationUris) => answer("Accept", follow);

/** Makes the Reject of a follow, which the followed account sends; also removes a follower. */
export const rejectFollowActivity = (follow: RelationUris) => answer("Reject", follow);

export const undoFollowActivity = (follow: RelationUris) => undo("Follow", follow);

export const blockActivity = (block: RelationUris) => bare("Block", block);

export const undoBlockActivity = (block: RelationUris) => undo("Block", block);
