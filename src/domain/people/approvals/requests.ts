// Makes requests for an author's approval, Accepts and Rejects, and authorizations that others can check: for quotes
// (FEP-044f), and for replies, favourites and boosts in the same way (GoToSocial); and requests to feature people in a
// collection (FEP-7aa9). https://docs.gotosocial.org/en/latest/federation/interaction_controls/

import { AS_CONTEXT, AS_PUBLIC, sendable } from "../accounts/activitypub.ts";
import type { Sendable } from "../accounts/activitypub.ts";

type Activity = Record<string, unknown>;

export const GTS = "https://gotosocial.org/ns#";
export const FEP = "https://w3id.org/fep/044f#";
export const FEATURES = "https://w3id.org/fep/7aa9#";

/** Declares a term whose value is an address. */
export const reference = (id: string) => ({ "@id": id, "@type": "@id" });

export type RequestKind = "quote" | "reply" | "like" | "announce" | "feature";

type Names = { request: string; authorization: string; namespace: string };

const NAMES: Record<RequestKind, Names> = {
  quote: { request: "QuoteRequest", authorization: "QuoteAuthorization", namespace: FEP },
  reply: { request: "ReplyRequest", authorization: "ReplyAuthorization", namespace: GTS },
  like: { request: "LikeRequest", authorization: "LikeAuthorization", namespace: GTS },
  announce: { request: "AnnounceRequest", authorization: "AnnounceAuthorization", namespace: GTS },
  feature: {
    request: "FeatureRequest",
    authorization: "FeatureAuthorization",
    namespace: FEATURES,
  },
};

export const authorizationType = (kind: RequestKind): string => NAMES[kind].authorization;

/** Returns the kind of request of an activity with these types; null for others. */
export const requestKindOf = (types: string[]): RequestKind | null => {
  const kinds = Object.keys(NAMES) as RequestKind[];
  return kinds.find((kind) => types.includes(NAMES[kind].request)) ?? null;
};

const requestTerms = (kind: RequestKind): Activity => {
  const { request, namespace } = NAMES[kind];
  return { [request]: namespace + request };
};

const authorizationTerms = (kind: RequestKind): Activity => {
  const { authorization, namespace } = NAMES[kind];
  return {
    [authorization]: namespace + authorization,
    gts: GTS,
    interactingObject: reference("gts:interactingObject"),
    interactionTarget: reference("gts:interactionTarget"),
  };
};

/** Makes a request of a local account; `instrument` is the object of the wish with its context, or its address. */
export const requestActivity = (
  kind: RequestKind,
  ids: { id: string; actorUri: string; targetUri: string },
  instrument: Sendable | string,
): Sendable => {
  const { "@context": context = AS_CONTEXT, ...members }: Activity =
    typeof instrument === "string" ? {} : instrument;
  return sendable({
    "@context": [...(Array.isArray(context) ? context : [context]), requestTerms(kind)],
    id: ids.id,
    type: NAMES[kind].request,
    actor: ids.actorUri,
    object: ids.targetUri,
    instrument: typeof instrument === "string" ? instrument : members,
  });
};

/** A request that was received. */
export type Request = {
  kind: RequestKind;
  id: string;
  actorUri: string;
  /** URI of the post that is quoted, replied to, favourited or boosted, or of the actor who is featured. */
  targetUri: string;
  /** URI of the post, activity or collection that does so. */
  interactingUri: string;
};

const requestObject = ({ kind, id, actorUri, targetUri, interactingUri }: Request): Activity => ({
  type: NAMES[kind].request,
  id,
  actor: actorUri,
  object: targetUri,
  instrument: interactingUri,
});

export const acceptRequest = (author: string, request: Request, authorizationUri: string) =>
  sendable({
    "@context": [AS_CONTEXT, requestTerms(request.kind)],
    id: `${authorizationUri}#accept`,
    type: "Accept",
    actor: author,
    to: request.actorUri,
    object: requestObject(request),
    result: authorizationUri,
  });

export const rejectRequest = (author: string, request: Request): Sendable =>
  sendable({
    "@context": [AS_CONTEXT, requestTerms(request.kind)],
    id: `${author}#rejects/${request.kind}_requests/${encodeURIComponent(request.id)}`,
    type: "Reject",
    actor: author,
    to: request.actorUri,
    object: requestObject(request),
  });

/** Returns the address of a local author's authorization; `id` is that of the quote, favourite, reply or boost. */
export const authorizationUri = (kind: RequestKind, authorUri: string, id: string): string =>
  `${authorUri}/${kind}_authorizations/${id}`;

export type Authorization = {
  kind: RequestKind;
  uri: string;
  author: string;
  interactingUri: string;
  targetUri: string;
};

const authorizationObject = ({
  kind,
  uri,
  author,
  interactingUri,
  targetUri,
}: Authorization): Activity => ({
  id: uri,
  type: NAMES[kind].authorization,
  attributedTo: author,
  interactingObject: interactingUri,
  interactionTarget: targetUri,
});

/** Makes the document that proves a local author's approval. */
export const authorizationDocument = (authorization: Authorization): Activity => ({
  "@context": [AS_CONTEXT, authorizationTerms(authorization.kind)],
  ...authorizationObject(authorization),
});

/** Makes the activity that revokes the approval. */
export const deleteAuthorizationActivity = (authorization: Authorization): Sendable =>
  sendable({
    "@context": [AS_CONTEXT, authorizationTerms(authorization.kind)],
    id: `${authorization.uri}#delete`,
    type: "Delete",
    actor: authorization.author,
    to: [AS_PUBLIC],
    object: authorizationObject(authorization),
  });
