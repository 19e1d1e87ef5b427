// Declares the event and the jobs of the notifications slice.

/** Whose notifications are judged again: those of one recipient, by one sender, or both. */
export type Judged = { accountId?: string; fromId?: string };

/** `accountId` is the recipient. */
export type NotificationCreated = { id: string; accountId: string };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** An account has cleared its notifications, whose rows still exist. */
    "notifications.cleared": { accountId: string };
    /** Somebody may be hidden from others, or shown again; triggers enqueue it. */
    "notifications.hidden": Judged;
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
