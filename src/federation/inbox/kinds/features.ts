// Collections of accounts (FEP-7aa9): FeatureRequest, Accept and Reject of local ones, and Add, Remove and Update of
// collections of other servers and of their items.

import type { App } from "../../../platform/app.ts";
import { httpUrl, idOf, isRecord, sameHost, typesOf } from "../../../platform/json/read.ts";
import { itemIdOf } from "../../../domain/people/collections/activitypub.ts";
import { allowFeature, approve, endItem } from "../../../domain/people/collections/consent.ts";
import { findItemOf } from "../../../domain/people/collections/load.ts";
import {
  isCollection,
  parseCollection,
  parseItem,
} from "../../../domain/people/collections/parse.ts";
import { featureAuthorizationUri } from "../../../domain/people/collections/present.ts";
import {
  addRemoteItem,
  removeRemoteCollection,
  removeRemoteItem,
  storeCollection,
} from "../../../domain/people/collections/store-remote.ts";
import { activityUri, objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import { sendAnswer } from "../answer.ts";
import { NOTHING, fetchFirst, run } from "../decision.ts";
import type { Parse, Parsed, Run } from "../decision.ts";

type FeatureRequest = { id: string; targetUri: string; collectionUri: string };
type Target = { accountId: string; collectionId: string | null };

const answer = async (
  app: App,
  { actor }: Incoming,
  featureRequest: FeatureRequest,
  target: Target,
): Promise<void> => {
  const { accountId, collectionId } = target;
  const { id, targetUri, collectionUri: interactingUri } = featureRequest;
  const itemId =
    collectionId && (await allowFeature(app, { collectionId, ownerId: actor.id, accountId }));
  const authorization =
    itemId && featureAuthorizationUri(app.config.site, { id: itemId, account_id: accountId });
  const kind = "feature" as const;
  const request = { kind, id, actorUri: actor.uri, targetUri, interactingUri };
  await sendAnswer(app, { authorId: accountId, askerId: actor.id, request, authorization });
};

/** Parses a FeatureRequest; the collection has to be known, and only its owner may ask. */
export const parseFeatureRequest: Parse = (incoming) => {
  const { actor, body, isLocalUri } = incoming;
  const targetUri = objectUri(body);
  const collectionUri = httpUrl(idOf(body["instrument"]));
  if (!targetUri || !collectionUri || !isLocalUri(targetUri)) return null;
  const isOwn = sameHost(collectionUri, actor.uri) && !isLocalUri(collectionUri);
  const featureRequest = { id: activityUri(incoming), targetUri, collectionUri };
  return {
    lookups: {
      accounts: [targetUri],
      collections: [collectionUri],
      earlyDeletes: [featureRequest.id],
    },
    judge(facts) {
      const account = facts.localAccount(targetUri);
      if (!account || facts.wasDeletedEarly(actor.uri, featureRequest.id)) return NOTHING;
      const known = facts.collection(collectionUri);
      if (isOwn && !known && !facts.wasFetched(collectionUri)) {
        return fetchFirst({ uri: collectionUri, kind: "collection", ifUnreachable: "later" });
      }
      const collectionId = known?.account_id === actor.id ? known.id : null;
      return run((app) =>
        answer(app, incoming, featureRequest, { accountId: account.id, collectionId }),
      );
    },
  };
};

/** Whether an Accept or a Reject answers a request to feature somebody. */
export const isFeatureAnswer = ({ body: { object } }: Incoming): boolean =>
  (isRecord(object) && typesOf(object).includes("FeatureRequest")) ||
  itemIdOf(idOf(object) ?? "") !== null;

/** Parses the answer of the account that was asked; the request is named by its address or embedded. */
const parseAnswer =
  (command: (app: App, incoming: Incoming, itemId: string) => Promise<unknown>): Parse =>
  (incoming) => {
    const { actor, body, isLocalUri } = incoming;
    const { object } = body;
    const uri = idOf(object) ?? "";
    const named = isLocalUri(uri) ? itemIdOf(uri) : null;
    const collectionUri = isRecord(object) ? httpUrl(idOf(object["instrument"])) : null;
    const judged: Run = async (app) => {
      const itemId = named ?? (await findItemOf(app, collectionUri, actor.id));
      if (itemId) await command(app, incoming, itemId);
    };
    return { lookups: {}, judge: () => run(judged) };
  };

/** Other servers check the consent at its address, which must be on the account's own server. */
export const parseFeatureAccept = parseAnswer(async (app, { actor, body }, itemId) => {
  const approvalUri = httpUrl(idOf(body["result"]));
  if (!approvalUri || !sameHost(approvalUri, actor.uri)) return;
  await approve(app, { itemId, accountId: actor.id }, approvalUri);
});

export const parseFeatureReject = parseAnswer((app, { actor }, itemId) =>
  endItem(app, itemId, "revoked", actor.id),
);

/**
 * Parses an embedded collection of the actor; it is stored where the actor is followed here, or it is stored already.
 */
const parseWhole = ({ actor, body, now, isLocalUri }: Incoming): Parsed | null => {
  const parsed = parseCollection(body["object"], now);
  if (!parsed || parsed.ownerUri !== actor.uri || isLocalUri(parsed.row.uri)) return null;
  return {
    lookups: { collections: [parsed.row.uri] },
    judge: (facts) =>
      facts.collection(parsed.row.uri) || facts.hasLocalFollowers(actor.id)
        ? run((app) => storeCollection(app, actor.id, parsed))
        : NOTHING,
  };
};

/** Parses a collection that is only named; it is read from its address. */
const parseNamed = ({ actor, body, isLocalUri }: Incoming): Parsed | null => {
  const uri = objectUri(body);
  if (!uri || isLocalUri(uri) || !sameHost(uri, actor.uri)) return null;
  return {
    lookups: { collections: [uri] },
    judge: (facts) =>
      facts.wasFetched(uri) || !(facts.collection(uri) || facts.hasLocalFollowers(actor.id))
        ? NOTHING
        : fetchFirst({ uri, kind: "collection", ifUnreachable: "later" }),
  };
};

const isOfList = ({ actor, body }: Incoming): boolean =>
  actor.featured_collections_url !== null &&
  idOf(body["target"]) === actor.featured_collections_url;

/** Parses an item added to a stored collection. */
const parseItemAdd = ({ actor, body, now }: Incoming): Parsed | null => {
  const collectionUri = httpUrl(idOf(body["target"]));
  const item = collectionUri ? parseItem(body["object"], collectionUri, now) : null;
  if (!collectionUri || !item) return null;
  return {
    lookups: { collections: [collectionUri] },
    judge(facts) {
      const known = facts.collection(collectionUri);
      if (known?.account_id !== actor.id) return NOTHING;
      return run((app) => addRemoteItem(app, { id: known.id, ownerId: actor.id }, item));
    },
  };
};

/** Returns null where the Add is about something else. */
export const parseCollectionAdd = (incoming: Incoming): Parsed | null => {
  if (isCollection(incoming.body["object"])) return parseWhole(incoming);
  return parseItemAdd(incoming) ?? (isOfList(incoming) ? parseNamed(incoming) : null);
};

export const parseCollectionUpdate = (incoming: Incoming): Parsed | null =>
  isCollection(incoming.body["object"]) ? parseWhole(incoming) : null;

/** Parses a removal from the list of collections, or from a collection. */
export const parseCollectionRemove = ({ actor, body }: Incoming): Parsed | null => {
  const [uri, targetUri] = [objectUri(body), httpUrl(idOf(body["target"]))];
  if (!uri || !targetUri) return null;
  return {
    lookups: { collections: [uri, targetUri] },
    judge(facts) {
      const [whole, target] = [facts.collection(uri), facts.collection(targetUri)];
      if (whole?.account_id === actor.id) {
        return run((app) => removeRemoteCollection(app, whole.id));
      }
      if (target?.account_id !== actor.id) return NOTHING;
      return run((app) => removeRemoteItem(app, target.id, uri));
    },
  };
};

/** Ends items whose accounts take back their consent. */
export const endFeatured =
  (itemIds: string[]): Run =>
  async (app) => {
    for (const id of itemIds) await endItem(app, id, "revoked");
  };
