// What the notifications slice announces.

export type NotificationCreated = { id: string };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "notification.created": NotificationCreated;
  }
}
