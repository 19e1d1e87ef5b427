// The event of the notifications slice.

/** `accountId`: the recipient. */
export type NotificationCreated = { id: string; accountId: string };

declare module "../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** An account has a new notification. */
    "notification.created": NotificationCreated;
  }
}
