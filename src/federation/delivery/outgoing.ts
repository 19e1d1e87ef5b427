// Reads stored outgoing activities with the keys of their senders, and deletes old ones. They are cached for a minute
// at most, since the same activity goes to many inboxes.

import { baseApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { asWritten } from "../../platform/config/names.ts";
import { boundedCache, sizeOf } from "../../platform/caches/bounded.ts";
import { readMissing, recordCache } from "../../platform/caches/records.ts";
import type { Db } from "../../platform/db/index.ts";
import { assertionKey, assertionKeyId } from "../../domain/people/accounts/keys.ts";
import { AS_PUBLIC } from "../../domain/people/accounts/activitypub.ts";
import { idOf, idsOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { instanceActor } from "../instance-actor.ts";
import { loadDigests } from "../followers-sync.ts";
import type { FollowerDigests } from "../followers-sync.ts";
import { digestOf } from "../signatures/digest.ts";
import type { SigningKeys } from "../signatures/forms.ts";
import { privateKeyOf } from "../signatures/keys.ts";
import { SharedSignature } from "../signatures/shared.ts";
import { selectOutgoing, selectSigners } from "./queries.ts";
import type { OutgoingRow, SignerRow } from "./queries.ts";
import type { DeliveryRow } from "./queries-queue.ts";

/** A body with its Digest header and, where anybody may forward it, the signature that several servers share. */
type PreparedBody = { body: Buffer; digest: string; shared: SharedSignature | null };

/** An activity that is ready to be sent. */
export type PreparedActivity = {
  /** The body for servers that read Ed25519 proofs (integrity/readers.ts), and the one for all others. */
  proved: PreparedBody;
  plain: PreparedBody;
  keys: SigningKeys;
  /** Digests of the followers, where the activity is for followers alone. */
  followers: FollowerDigests | null;
  /** True when the activity ends something that the receiver has, so that blocked servers get it too. */
  isEnd: boolean;
};

/** Bytes of a key, its id, shared signatures and the rest. */
const EXTRA_BYTES = 3000;
/** Bytes of a digest with its host. */
const DIGEST_BYTES = 250;

/** Prepared activities by id; a stored activity never changes. */
const outgoingCache = boundedCache<PreparedActivity>(
  "outgoing activities",
  ({ proved, plain, followers }) =>
    (plain === proved ? 1 : 2) * proved.body.length +
    EXTRA_BYTES +
    (followers ? followers.byHost.size * DIGEST_BYTES : 0),
);

const signers = recordCache<SignerRow>({ name: "signers", kind: "key", size: sizeOf });

/** Returns by account the keys of those that have some. A transaction reads them from the database. */
export const signersOf = (app: App, db: Db, ids: string[]): Promise<Map<string, SignerRow>> =>
  readMissing(signers(baseApp(app), db), ids, async (missing) =>
    (await selectSigners(db, missing)).map((row) => [row.id, row]),
  );

const defaultKeyId = (uri: string): string => `${uri}#main-key`;

/** Returns the keys of an account, or for null of this server. Under a former name they have their former ids. */
const senderKeys = async (app: App, signer: SignerRow | null, actor: string | null) => {
  const { site } = app.config;
  if (signer === null) {
    const { uri, privateKey } = await instanceActor(app);
    return { rsa: { keyId: defaultKeyId(asWritten(site, uri, actor)), privateKey }, ed25519: null };
  }
  const { private_key: pem } = signer;
  const uri = asWritten(site, signer.uri, actor);
  const keyId = (uri === signer.uri && signer.key_id) || defaultKeyId(uri);
  return {
    rsa: { keyId, privateKey: privateKeyOf(app, pem) },
    ed25519: { keyId: assertionKeyId(uri), privateKey: assertionKey(app, pem).privateKey },
  };
};

/** Types that only name what they end, and contain nothing else. */
const ENDS = new Set(["Delete", "Reject", "Undo"]);

const audienceOf = (activity: Json): string[] => [
  ...idsOf(activity["to"]),
  ...idsOf(activity["cc"]),
];

const isForFollowersAlone = (activity: Json, actorUri: string): boolean =>
  activity["actor"] === actorUri &&
  audienceOf(activity).includes(`${actorUri}/followers`) &&
  !audienceOf(activity).includes(AS_PUBLIC);

/**
 * Whether an activity is public and has its author's own signature (prove.ts), so that whoever has it may forward it
 * anyway, and a shared signature gives nothing away. False where the staff decides who may read.
 */
const isForwardable = (app: App, activity: Json, isOwn: boolean): boolean =>
  isOwn &&
  activity["signature"] !== undefined &&
  audienceOf(activity).includes(AS_PUBLIC) &&
  !app.config.access.signedFetches;

const bodyOf = (text: string, isShareable: boolean): PreparedBody => {
  const body = Buffer.from(text);
  return { body, digest: digestOf(body), shared: isShareable ? new SharedSignature() : null };
};

const bodiesOf = (app: App, text: string, activity: Json, isOwn: boolean) => {
  const isShareable = isForwardable(app, activity, isOwn);
  const proved = bodyOf(text, isShareable);
  const { proof, ...rest } = activity;
  // Activities of others are forwarded unchanged.
  const plain = isOwn && proof !== undefined ? bodyOf(JSON.stringify(rest), isShareable) : proved;
  return { proved, plain };
};

const prepare = async (
  app: App,
  body: string,
  signer: SignerRow | null,
): Promise<PreparedActivity> => {
  const activity = JSON.parse(body) as Json;
  const actor = idOf(activity["actor"]);
  const keys = await senderKeys(app, signer, actor);
  const isForFollowers = signer !== null && isForFollowersAlone(activity, signer.uri);
  const followers = isForFollowers ? await loadDigests(app, signer.id, signer.uri) : null;
  const isOwn = signer !== null && asWritten(app.config.site, signer.uri, actor) === actor;
  const isEnd = isOwn && ENDS.has(String(activity["type"]));
  return { ...bodiesOf(app, body, activity, isOwn), keys, followers, isEnd };
};

/**
 * Returns the activities of deliveries by id, with one query for those that are not cached and whose bodies are not
 * known. Deleted ones, and those whose sender has no key, are left out.
 */
export const loadOutgoing = async (
  app: App,
  deliveries: (DeliveryRow & { body?: string })[],
): Promise<Map<string, PreparedActivity>> => {
  const cache = outgoingCache(app);
  const byId = new Map<string, PreparedActivity>();
  const rows: OutgoingRow[] = [];
  const unread: string[] = [];
  for (const [id, { account_id, body }] of new Map(deliveries.map((d) => [d.activity_id, d]))) {
    const cached = cache.get(id);
    if (cached) byId.set(id, cached);
    else if (body === undefined) unread.push(id);
    else rows.push({ id, account_id, body });
  }
  if (unread.length > 0) rows.push(...(await selectOutgoing(app.sql, unread)));
  const accounts = rows.flatMap(({ account_id: id }) => id ?? []);
  const keys = await signersOf(app, app.sql, accounts);
  for (const { id, account_id: account, body } of rows) {
    const signer = account === null ? null : keys.get(account);
    if (signer === undefined) continue;
    const prepared = await prepare(app, body, signer);
    cache.set(id, prepared);
    byId.set(id, prepared);
  }
  return byId;
};
