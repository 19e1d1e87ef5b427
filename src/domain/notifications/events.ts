// The event and the job of the notifications slice.

/** `accountId`: the recipient. */
export type NotificationCreated = { id: string; accountId: string };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** An account has cleared its notifications, which are still there. */
    "notifications.cleared": { accountId: string };
  }
}

declare module "../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** An account has a new notification. */
    "notification.created": NotificationCreated;
  }
}
