// Declares the event and the jobs of the notifications slice.

/** `accountId` is the recipient. */
export type NotificationCreated = { id: string; accountId: string };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** An account has cleared its notifications, whose rows still exist. */
    "notifications.cleared": { accountId: string };
    /** An account has blocked or muted others, whose notifications still exist. */
    "notifications.hidden": { accountId: string };
    /** An account accepted the mentions in these posts, which its policy held back. */
    "mentions.accepted": { accountId: string; statusIds: string[] };
  }
}

declare module "../../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** An account has a new notification. */
    "notification.created": NotificationCreated;
  }
}
