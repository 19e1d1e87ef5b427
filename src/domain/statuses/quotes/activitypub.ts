// Quotes of local statuses as members of a note; the QuoteRequest, its answers and the
// QuoteAuthorization (FEP-044f).

import { AS_CONTEXT, AS_PUBLIC } from "../../accounts/activitypub.ts";
import type { FederatedStatus, StatusView } from "../tables.ts";
import { automaticBits, QUOTERS } from "./policy.ts";

type Activity = Record<string, unknown>;

const GTS = "https://gotosocial.org/ns#";
const FEP = "https://w3id.org/fep/044f#";
const reference = (id: string) => ({ "@id": id, "@type": "@id" });

export const POLICY_TERMS = {
  gts: GTS,
  interactionPolicy: reference("gts:interactionPolicy"),
  canQuote: reference("gts:canQuote"),
  automaticApproval: reference("gts:automaticApproval"),
  manualApproval: reference("gts:manualApproval"),
};

export const QUOTE_TERMS = {
  quote: reference(`${FEP}quote`),
  quoteAuthorization: reference(`${FEP}quoteAuthorization`),
  quoteUri: "http://fedibird.com/ns#quoteUri",
  quoteUrl: "as:quoteUrl",
  _misskey_quote: "https://misskey-hub.net/ns#_misskey_quote",
};

const REQUEST_TERMS = { QuoteRequest: `${FEP}QuoteRequest` };

const AUTHORIZATION_TERMS = {
  QuoteAuthorization: `${FEP}QuoteAuthorization`,
  gts: GTS,
  interactingObject: reference("gts:interactingObject"),
  interactionTarget: reference("gts:interactionTarget"),
};

/** Whether the note contains its quote: no longer when that was rejected or revoked. */
export const includesQuote = ({ quote }: StatusView): boolean =>
  quote !== null && quote.state !== "rejected" && quote.state !== "revoked";

export const quoteMembers = (view: StatusView): Activity => {
  const { quote } = view;
  if (!quote || !includesQuote(view)) return {};
  const uri = quote.quoted_uri;
  return {
    quote: uri,
    quoteUri: uri,
    quoteUrl: uri,
    _misskey_quote: uri,
    ...(quote.approval_uri && { quoteAuthorization: quote.approval_uri }),
  };
};

/** For nobody it names the author alone: an empty list would be as if nothing were said. */
export const policyMember = (view: StatusView): Activity => {
  const bits = automaticBits(view.quote_policy);
  const whom = [
    ...(bits & QUOTERS.public ? [AS_PUBLIC] : []),
    ...(bits & QUOTERS.followers ? [`${view.account.uri}/followers`] : []),
  ];
  const automaticApproval = whom.length > 0 ? whom : [view.account.uri];
  return { interactionPolicy: { canQuote: { automaticApproval } } };
};

/** The URI of the QuoteRequest of a local quote. */
export const requestUri = (accountUri: string, quoteId: string): string =>
  `${accountUri}#quote_requests/${quoteId}`;

const REQUEST = /#quote_requests\/(\d{1,18})$/;

/** The quote's id in the URI of a local QuoteRequest. */
export const quoteIdOf = (uri: string): string | null => REQUEST.exec(uri)?.[1] ?? null;

/** The QuoteRequest of a local status; `note` is that status as an object, with its context. */
export const quoteRequest = (view: FederatedStatus, note: Activity): Activity => {
  const { "@context": context, ...instrument } = note;
  return {
    "@context": [...(context as unknown[]), REQUEST_TERMS],
    id: requestUri(view.account.uri, view.quote!.id),
    type: "QuoteRequest",
    actor: view.account.uri,
    object: view.quote!.quoted_uri,
    instrument,
  };
};

type Request = { id: string; actorUri: string; quotedUri: string; statusUri: string };

const requestObject = ({ id, actorUri, quotedUri, statusUri }: Request): Activity => ({
  type: "QuoteRequest",
  id,
  actor: actorUri,
  object: quotedUri,
  instrument: statusUri,
});

export const acceptRequest = (
  author: string,
  request: Request,
  authorizationUri: string,
): Activity => ({
  "@context": [AS_CONTEXT, REQUEST_TERMS],
  id: `${authorizationUri}#accept`,
  type: "Accept",
  actor: author,
  to: request.actorUri,
  object: requestObject(request),
  result: authorizationUri,
});

export const rejectRequest = (author: string, request: Request): Activity => ({
  "@context": [AS_CONTEXT, REQUEST_TERMS],
  id: `${author}#rejects/quote_requests/${encodeURIComponent(request.id)}`,
  type: "Reject",
  actor: author,
  to: request.actorUri,
  object: requestObject(request),
});

export type QuoteAuthorization = {
  uri: string;
  author: string;
  statusUri: string;
  quotedUri: string;
};

const authorizationObject = ({
  uri,
  author,
  statusUri,
  quotedUri,
}: QuoteAuthorization): Activity => ({
  id: uri,
  type: "QuoteAuthorization",
  attributedTo: author,
  interactingObject: statusUri,
  interactionTarget: quotedUri,
});

/** The document that proves a local author's approval. */
export const authorizationDocument = (authorization: QuoteAuthorization): Activity => ({
  "@context": [AS_CONTEXT, AUTHORIZATION_TERMS],
  ...authorizationObject(authorization),
});

/** Revokes the approval. */
export const deleteAuthorizationActivity = (authorization: QuoteAuthorization): Activity => ({
  "@context": [AS_CONTEXT, AUTHORIZATION_TERMS],
  id: `${authorization.uri}#delete`,
  type: "Delete",
  actor: authorization.author,
  to: [AS_PUBLIC],
  object: authorizationObject(authorization),
});
