// Makes and changes subscriptions, and checks what apps send.

import type { App } from "../../../platform/app.ts";
import { BadRequest, NotFound, Unprocessable } from "../../../platform/errors.ts";
import { seal } from "../../../platform/seal.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import type { RevokedTokens } from "../../people/oauth/events.ts";
import { NOTIFICATION_TYPES } from "../notifications/tables.ts";
import { isPublicKey } from "./encrypt.ts";
import {
  deleteSubscriptions,
  selectSubscription,
  updateSubscription,
  upsertSubscription,
} from "./queries.ts";
import { POLICIES } from "./tables.ts";
import type { Owner, Policy, SubscriptionRow } from "./tables.ts";

const MAX_ENDPOINT = 2048;
const MIN_SECRET = 12;
const MAX_SECRET = 32;

export type Data = { alerts?: Record<string, boolean | undefined>; policy?: string };

type SubscriptionInput = {
  subscription?: {
    endpoint?: string;
    keys?: { p256dh?: string; auth?: string };
    standard?: boolean;
  };
  data?: Data;
};

/** The owner with the account, and the token. */
export type Subscriber = { owner: Owner; accountId: string; token: string };

/** Returns the purpose for which the access token of a subscription is encrypted. */
export const tokenSeal = (tokenId: string) => ({ what: "rookery push tokens", owner: tokenId });

/** Types of notifications that an app may want. */
export const ALERTS: string[] = [
  ...NOTIFICATION_TYPES,
  "severed_relationships",
  "moderation_warning",
  "admin.sign_up",
];

/** Keeps known types; others would never be used. */
const alertsOf = ({ alerts = {} }: Data): Record<string, boolean> =>
  Object.fromEntries(
    ALERTS.flatMap((name) => (alerts[name] === undefined ? [] : [[name, alerts[name]]])),
  );

const isPolicy = (name: string | undefined): name is Policy => POLICIES.includes(name as Policy);

const policyOf = ({ policy }: Data): Policy => (isPolicy(policy) ? policy : "all");

/** Some apps send base64 with other characters, or padded. */
const decode = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64url");

/** Keeps the address as it was sent: apps compare it with what their push service told them. */
const endpointOf = (app: App, text: string | undefined): string => {
  const endpoint = text?.trim() ?? "";
  const url = endpoint.length <= MAX_ENDPOINT ? URL.parse(endpoint) : null;
  const isAllowed =
    url?.protocol === "https:" || (url?.protocol === "http:" && !app.config.site.https);
  if (!url || !isAllowed || url.username || url.password) {
    throw new Unprocessable("Validation failed: Endpoint is invalid");
  }
  return endpoint;
};

const keysOf = (keys: { p256dh?: string; auth?: string } = {}) => {
  const [p256dh, auth] = [decode(keys.p256dh), decode(keys.auth)];
  if (!isPublicKey(p256dh)) {
    throw new Unprocessable("Validation failed: Key p256dh is not a public key on the curve P-256");
  }
  if (auth.length < MIN_SECRET || auth.length > MAX_SECRET) {
    throw new Unprocessable("Validation failed: Key auth is not a secret of 16 bytes");
  }
  return { p256dh, auth };
};

/**
 * Returns the token that apps expect in each message. A token of the web client would have expired by then, and nobody
 * reads it there.
 */
const tokenOf = (app: App, { owner, token }: Subscriber) =>
  owner.sessionId === null
    ? { token_id: owner.tokenId, access_token: seal(app, tokenSeal(owner.tokenId), token) }
    : { session_id: owner.sessionId };

/** Replaces an existing one. Throws 400 without a subscription, 422 for an invalid address or key. */
export const subscribe = async (
  app: App,
  subscriber: Subscriber,
  { subscription, data = {} }: SubscriptionInput,
): Promise<SubscriptionRow> => {
  if (!subscription || Object.keys(subscription).length === 0) {
    throw new BadRequest("param is missing or the value is empty: subscription");
  }

  const { owner, accountId } = subscriber;
  const row = {
    token_id: null,
    session_id: null,
    access_token: null,
    ...tokenOf(app, subscriber),
    account_id: accountId,
    endpoint: endpointOf(app, subscription.endpoint),
    ...keysOf(subscription.keys),
    standard: subscription.standard ?? false,
    alerts: alertsOf(data),
    policy: policyOf(data),
  };
  return app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    return upsertSubscription(tx, owner, row, app.clock.now());
  });
};

export const getSubscription = async (app: App, owner: Owner): Promise<SubscriptionRow> => {
  const row = await selectSubscription(app.sql, owner);
  if (!row) throw new NotFound("Not Found");
  return row;
};

export const changeSubscription = async (
  app: App,
  owner: Owner,
  data: Data,
): Promise<SubscriptionRow> => {
  const settings = { alerts: alertsOf(data), policy: policyOf(data) };
  const row = await updateSubscription(app.sql, owner, settings);
  if (!row) throw new NotFound("Not Found");
  return row;
};

/** Deletes the subscription of a revoked token; those of whole accounts are deleted with their tokens. */
export const unsubscribeRevoked = async (app: App, revoked: RevokedTokens): Promise<void> => {
  if (revoked.tokenIds) await deleteSubscriptions(app.sql, revoked.tokenIds);
};
