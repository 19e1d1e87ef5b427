// The job of the push slice.

export type PushMessage = { subscriptionId: string; notificationId: string };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** One notification is to be sent to one subscription. */
    "push.send": PushMessage;
  }
}
