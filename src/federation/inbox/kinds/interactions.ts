// LikeRequest, ReplyRequest and AnnounceRequest, and the Accept or Reject of local ones (GoToSocial). A request is
// judged as if the activity had been sent without asking: if that has an effect, it is allowed.
// https://docs.gotosocial.org/en/latest/federation/interaction_controls/

import type { App } from "../../../platform/app.ts";
import { httpUrl, idOf, isRecord, sameHost, typesOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { loadAccounts } from "../../../domain/people/accounts/load.ts";
import {
  approvedLike,
  askedFor,
  likeActivity,
} from "../../../domain/posts/statuses/activitypub-acts.ts";
import {
  approveStatus,
  findInteraction,
  findOwnFavourite,
  refuseStatus,
} from "../../../domain/posts/statuses/approve.ts";
import { unfavouriteStatuses } from "../../../domain/posts/statuses/favourite.ts";
import type { Interaction } from "../../../domain/posts/statuses/rules.ts";
import { loadAsServer } from "../../../domain/posts/statuses/load.ts";
import { authorizationUri, requestKindOf } from "../../../domain/people/approvals/requests.ts";
import { mayFederate } from "../../../domain/posts/statuses/rules.ts";
import { deliver, ownInboxOf } from "../../deliver.ts";
import { sentReaction } from "../../reactions.ts";
import { activityUri, objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import { sendAnswer } from "../answer.ts";
import { allLookups } from "../facts.ts";
import type { Facts } from "../facts.ts";
import { NOTHING, aboutUnknownPost, run } from "../decision.ts";
import type { Decision, Parse, Parsed } from "../decision.ts";
import type { StatusFacts } from "../queries-facts.ts";
import { parseAnnounce } from "./announce.ts";
import { parseCreate } from "./create.ts";
import { parseLike } from "./like.ts";

/** `uri` is that of the favourite, the reply or the boost. */
type InteractionRequest = { kind: Interaction; id: string; targetUri: string; uri: string };

/** Parses a requested favourite, which may be only an address. */
const asLike = (incoming: Incoming, instrument: unknown, object: string): Parsed | null => {
  const like = isRecord(instrument) ? instrument : { id: idOf(instrument), type: "Like", object };
  const isLike = typesOf(like).includes("Like") && idOf(like["object"]) === object;
  return isLike ? parseLike({ ...incoming, body: like }) : null;
};

const asBoost = (incoming: Incoming, instrument: unknown, object: string): Parsed | null =>
  isRecord(instrument) &&
  typesOf(instrument).includes("Announce") &&
  idOf(instrument["object"]) === object
    ? parseAnnounce({ ...incoming, body: instrument })
    : null;

/** Parses a requested reply; one that is only named is read from its server. */
const asAnswer = (incoming: Incoming, instrument: unknown, parent: string): Parsed | null => {
  const { actor, isLocalUri } = incoming;
  if (isRecord(instrument) && instrument["type"] !== undefined) {
    const body: Json = { type: "Create", actor: actor.uri, object: instrument };
    return idOf(instrument["inReplyTo"]) === parent ? parseCreate({ ...incoming, body }) : null;
  }
  const uri = httpUrl(idOf(instrument));
  if (!uri || isLocalUri(uri) || !sameHost(uri, actor.uri)) return null;
  return aboutUnknownPost({ uri, ifUnreachable: "later" });
};

const AS_IF_SENT: Record<Interaction, typeof asLike> = {
  like: asLike,
  reply: asAnswer,
  announce: asBoost,
};

/** Answers the request: it is allowed where the interaction is stored by now. */
const answer = async (
  app: App,
  { actor }: Incoming,
  request: InteractionRequest,
  target: StatusFacts,
) => {
  const { kind, uri, targetUri } = request;
  const interaction = await findInteraction(app.sql, kind, {
    accountId: actor.id,
    targetId: target.id,
    uri,
  });
  const author = (await loadAccounts(app, [target.account_id])).get(target.account_id);
  if (!author) return;
  await sendAnswer(app, {
    authorId: author.id,
    askerId: actor.id,
    request: { kind, id: request.id, actorUri: actor.uri, targetUri, interactingUri: uri },
    authorization: interaction && authorizationUri(kind, author.uri, interaction),
  });
};

const judgeRequest = (
  incoming: Incoming,
  request: InteractionRequest,
  asIfSent: Parsed | null,
  facts: Facts,
): Decision => {
  const { actor } = incoming;
  const target = facts.status(request.targetUri);
  if (!target?.local || target.reblog_of_id !== null) return NOTHING;
  if (facts.wasDeletedEarly(actor.uri, request.id)) return NOTHING;
  // Nothing is fetched for a request that is refused in any case.
  const decision = facts.maySee(actor.id, target) ? asIfSent?.judge(facts) : undefined;
  if (decision?.kind === "fetch" || decision?.kind === "fail") return decision;
  const changes = decision && "changes" in decision ? decision.changes : [];
  return run((app) => answer(app, incoming, request, target), ...changes);
};

const parseRequest =
  (kind: Interaction): Parse =>
  (incoming) => {
    const { actor, body, isLocalUri } = incoming;
    const targetUri = objectUri(body);
    const uri = httpUrl(idOf(body["instrument"]));
    if (!targetUri || !uri || !isLocalUri(targetUri) || isLocalUri(uri)) return null;
    const request: InteractionRequest = { kind, id: activityUri(incoming), targetUri, uri };
    const asIfSent = AS_IF_SENT[kind](incoming, body["instrument"], targetUri);
    const lookups = {
      statuses: [targetUri],
      earlyDeletes: [request.id],
      interactions: [{ actorId: actor.id, statusUri: targetUri }],
    };
    return {
      lookups: allLookups([lookups, asIfSent?.lookups ?? {}]),
      judge: (facts) => judgeRequest(incoming, request, asIfSent, facts),
    };
  };

export const parseLikeRequest = parseRequest("like");
export const parseReplyRequest = parseRequest("reply");
export const parseAnnounceRequest = parseRequest("announce");

/**
 * Returns what an Accept or Reject that is not about a Follow answers: the request of a local account, embedded or by
 * its address, or an activity sent without asking. Null for any other.
 */
const answered = ({ body: { object, result }, isLocalUri }: Incoming): string | null => {
  const uri = httpUrl(idOf(object));
  if (!uri || !isLocalUri(uri)) return null;
  const types = typesOf(object);
  const isRequest = (requestKindOf(types) ?? "quote") !== "quote" || askedFor(uri) !== uri;
  const isOther = types.length > 0 && !types.includes("Follow");
  return isRequest || isOther || httpUrl(idOf(result)) !== null ? askedFor(uri) : null;
};

/** Sends a Like again with its authorization. */
const sendApprovedLike = async (
  app: App,
  favourite: { account_id: string; status_id: string; reaction: string | null },
  { uri, approvalUri }: { uri: string; approvalUri: string },
): Promise<void> => {
  const { account_id: accountId, status_id: statusId, reaction } = favourite;
  const account = (await loadAccounts(app, [accountId])).get(accountId);
  const [status] = (await loadAsServer(app, [statusId])).filter(mayFederate);
  if (!account || !status) return;
  const sent = reaction === null ? null : await sentReaction(app, reaction, null);
  const like = { ...likeActivity(account.uri, status, sent), id: uri };
  const activity = approvedLike(like, approvalUri);
  const inboxes = [ownInboxOf(status.account)];
  await deliver(app, app.sql, [{ accountId, activity, inboxes }]);
};

const accepted = async (app: App, { actor, body }: Incoming, uri: string): Promise<void> => {
  // Other servers check the authorization at its address, which must be on the author's own server.
  const approvalUri = httpUrl(idOf(body["result"]));
  if (!approvalUri || !sameHost(approvalUri, actor.uri)) return;
  const favourite = await findOwnFavourite(app.sql, uri, actor.id);
  if (favourite) return sendApprovedLike(app, favourite, { uri, approvalUri });
  await approveStatus(app, { uri, authorId: actor.id }, approvalUri);
};

const rejected = async (app: App, { actor }: Incoming, uri: string): Promise<void> => {
  const favourite = await findOwnFavourite(app.sql, uri, actor.id);
  if (!favourite) return refuseStatus(app, { uri, authorId: actor.id });
  const { account_id: accountId, status_id: statusId } = favourite;
  await unfavouriteStatuses(app, app.sql, [{ accountId, statusId }]);
};

/**
 * Parses an Accept to everybody of a reply that came without asking: it names the reply, which does not say itself
 * that it is allowed. The reply is read if people here follow the author.
 */
const parseAllowed = ({ actor, body, isLocalUri }: Incoming): Parsed | null => {
  const uri = httpUrl(idOf(body["object"]));
  const approvalUri = httpUrl(idOf(body["result"]));
  if (!uri || !approvalUri || isLocalUri(uri) || !sameHost(approvalUri, actor.uri)) return null;
  const isFollowed = (facts: Facts): boolean => facts.hasLocalFollowers(actor.id);
  return aboutUnknownPost({ uri, approvalUri, ifUnreachable: "without" }, isFollowed);
};

const parseAnswer =
  (command: (app: App, incoming: Incoming, uri: string) => Promise<void>) =>
  (incoming: Incoming): Parsed | null => {
    const uri = answered(incoming);
    return uri === null
      ? null
      : { lookups: {}, judge: () => run((app) => command(app, incoming, uri)) };
  };

export const parseInteractionAccept: Parse = (incoming) =>
  parseAnswer(accepted)(incoming) ?? parseAllowed(incoming);
export const parseInteractionReject = parseAnswer(rejected);
