// Makes what a group sends to servers of Lemmy's kind: activities of others in an Announce (FEP-1b12).

import type { FullConfig } from "../../../platform/config/config.ts";
import type { Json } from "../../../platform/json/read.ts";
import { idsOf } from "../../../platform/json/read.ts";
import { AS_CONTEXT, AS_PUBLIC, sendable } from "../../people/accounts/activitypub.ts";
import type { Sendable } from "../../people/accounts/activitypub.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { audience, createObject } from "../../posts/statuses/activitypub.ts";
import { noteContext } from "../../posts/statuses/activitypub-terms.ts";
import type { Activity } from "../../posts/statuses/activitypub.ts";
import { authorUris } from "../../posts/statuses/parse-note.ts";
import type { FederatedStatus } from "../../posts/statuses/tables.ts";

type Site = FullConfig["site"];

/** Addresses the activity as the post, which is for everybody. */
const announce = (
  group: AccountView,
  { visibility }: FederatedStatus,
  { id, context = AS_CONTEXT, object }: { id: string; context?: unknown; object: Activity },
): Sendable =>
  sendable({
    "@context": context,
    id: `${group.uri}#${id}`,
    type: "Announce",
    actor: group.uri,
    ...audience(visibility, group.uri, []),
    object,
  });

/** Announces a post by a local person. */
export const announceCreate = (group: AccountView, view: FederatedStatus, site: Site): Sendable =>
  announce(group, view, {
    id: `announces/${view.id}`,
    context: noteContext([view]),
    object: createObject(view, site),
  });

/** Returns whether the document at its origin is that post, and still for everybody. */
const isPost = (document: Json, { uri, account }: FederatedStatus): boolean =>
  document["id"] === uri &&
  authorUris(document).includes(account.uri) &&
  [...idsOf(document["to"]), ...idsOf(document["cc"])].includes(AS_PUBLIC);

/**
 * Announces a remote post in its present form at its origin; returns null where that is another one, or not for
 * everybody. The id of its Create was not stored: it is made from that of the post.
 */
export const announceOthers = (group: AccountView, view: FederatedStatus, document: Json) =>
  isPost(document, view)
    ? announce(group, view, {
        id: `announces/${view.id}`,
        object: {
          id: `${view.uri}#create`,
          type: "Create",
          actor: view.account.uri,
          to: document["to"],
          cc: document["cc"],
          audience: group.uri,
          object: document,
        },
      })
    : null;

/** Announces a moderator's Delete, which removes the post from the group alone on servers of this kind. */
export const announceRemoval = (group: AccountView, view: FederatedStatus, moderatorUri: string) =>
  announce(group, view, {
    id: `removals/${view.id}`,
    object: {
      id: `${group.uri}#deletes/${view.id}`,
      type: "Delete",
      actor: moderatorUri,
      to: [AS_PUBLIC],
      cc: [group.uri],
      audience: group.uri,
      object: view.uri,
    },
  });
