// Row types of the webhooks slice.

/** Events under Mastodon's names. https://docs.joinmastodon.org/admin/webhooks/ */
export const WEBHOOK_EVENTS = [
  "account.created",
  "account.approved",
  "account.updated",
  "report.created",
  "report.updated",
  "status.created",
  "status.updated",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export type WebhookRow = {
  id: string;
  url: string;
  events: WebhookEvent[];
  secret: string;
  enabled: boolean;
  /** Deliveries that failed in a row. */
  failures: number;
  /** "200", or why the last delivery failed. */
  last_result: string;
  last_at: Date | null;
};
