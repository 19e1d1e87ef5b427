// Row types of the push slice.

export const POLICIES = ["all", "followed", "follower", "none"] as const;
export type Policy = (typeof POLICIES)[number];

export type SubscriptionRow = {
  id: string;
  token_id: string;
  account_id: string;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  standard: boolean;
  alerts: Record<string, boolean>;
  policy: Policy;
  access_token: Buffer;
  failures: number;
  retry_at: Date | null;
};

/** What the app says of itself; the rest is ours. */
export type NewSubscription = Omit<SubscriptionRow, "id" | "failures" | "retry_at">;

/** What is needed to write to a person. */
export type Recipient = SubscriptionRow & { locale: string };
