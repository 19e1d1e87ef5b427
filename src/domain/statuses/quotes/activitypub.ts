// Quotes of local statuses as members of a note, who may quote them, and the QuoteRequest (FEP-044f); who may do other things
// with them (GoToSocial).

import { AS_PUBLIC } from "../../accounts/activitypub.ts";
import { FEP, GTS, reference, requestActivity } from "../../approvals/requests.ts";
import type { FederatedStatus, StatusView } from "../tables.ts";
import { openToEverybody } from "../visibility.ts";
import { automaticBits, QUOTERS } from "../../accounts/policy-bits.ts";

type Activity = Record<string, unknown>;

export const POLICY_TERMS = {
  gts: GTS,
  interactionPolicy: reference("gts:interactionPolicy"),
  canQuote: reference("gts:canQuote"),
  canReply: reference("gts:canReply"),
  canLike: reference("gts:canLike"),
  canAnnounce: reference("gts:canAnnounce"),
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

/**
 * For nobody it names the author alone: an empty list would be as if nothing were said. Who sees a post may answer and
 * favourite it, and boost it unless it is for followers.
 */
export const policyMember = (view: StatusView): Activity => {
  const bits = automaticBits(view.quote_policy);
  const quoters = [
    ...(bits & QUOTERS.public ? [AS_PUBLIC] : []),
    ...(bits & QUOTERS.followers ? [`${view.account.uri}/followers`] : []),
  ];
  const rule = (whom: string[]) => ({
    automaticApproval: whom.length > 0 ? whom : [view.account.uri],
  });
  return {
    interactionPolicy: {
      canQuote: rule(quoters),
      canReply: rule([AS_PUBLIC]),
      canLike: rule([AS_PUBLIC]),
      canAnnounce: rule(openToEverybody(view) ? [AS_PUBLIC] : []),
    },
  };
};

/** The URI of the QuoteRequest of a local quote. */
export const requestUri = (accountUri: string, quoteId: string): string =>
  `${accountUri}#quote_requests/${quoteId}`;

const REQUEST = /#quote_requests\/(\d{1,18})$/;

/** The quote's id in the URI of a local QuoteRequest. */
export const quoteIdOf = (uri: string): string | null => REQUEST.exec(uri)?.[1] ?? null;

/** The QuoteRequest of a local status; `note` is that status as an object, with its context. */
export const quoteRequest = (view: FederatedStatus, note: Activity): Activity => {
  const { account, quote } = view;
  const id = requestUri(account.uri, quote!.id);
  return requestActivity(
    "quote",
    { id, actorUri: account.uri, targetUri: quote!.quoted_uri },
    note,
  );
};
