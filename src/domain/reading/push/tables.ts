// Row types of the push slice.

import type { QuietHours } from "../notifications/quiet-hours.ts";

export const POLICIES = ["all", "followed", "follower", "none"] as const;
export type Policy = (typeof POLICIES)[number];

export type SubscriptionRow = {
  id: string;
  /** Exactly one of both: a session's of the web client, a token's of any other app. */
  token_id: string | null;
  session_id: string | null;
  account_id: string;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  standard: boolean;
  alerts: Record<string, boolean>;
  policy: Policy;
  /** null: a session's. */
  access_token: Buffer | null;
  failures: number;
  retry_at: Date | null;
};

/** Whose a subscription is: any token of a session stands for the session. */
export type Owner = { tokenId: string; sessionId: string | null };

/** What the app says of itself; the rest is ours. */
export type NewSubscription = Omit<SubscriptionRow, "id" | "failures" | "retry_at">;

/** What is needed to write to a person. */
export type Recipient = SubscriptionRow & QuietHours & { created_at: Date; locale: string };
