// Row types of the push slice.

import type { QuietHours } from "../notifications/quiet-hours.ts";

export const POLICIES = ["all", "followed", "follower", "none"] as const;
export type Policy = (typeof POLICIES)[number];

export type SubscriptionRow = {
  id: string;
  /** Exactly one is set: a session of the web client, or a token of any other app. */
  token_id: string | null;
  session_id: string | null;
  account_id: string;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  standard: boolean;
  alerts: Record<string, boolean>;
  policy: Policy;
  /** Null for a session. */
  access_token: Buffer | null;
  failures: number;
  retry_at: Date | null;
};

/** The owner of a subscription: any token of a session stands for the session. */
export type Owner = { tokenId: string; sessionId: string | null };

/** The part that the app sends; this server sets the rest. */
export type NewSubscription = Omit<SubscriptionRow, "id" | "failures" | "retry_at">;

/** What is needed to send to a person. */
export type Recipient = SubscriptionRow & QuietHours & { created_at: Date; locale: string };
