// The event and the jobs of the notifications slice.

/** `accountId`: the recipient. */
export type NotificationCreated = { id: string; accountId: string };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** An account has cleared its notifications, which are still there. */
    "notifications.cleared": { accountId: string };
    /** An account accepted what these posts said to it. */
    "mentions.accepted": { accountId: string; statusIds: string[] };
  }
}

declare module "../../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** An account has a new notification. */
    "notification.created": NotificationCreated;
  }
}
