// Declares the job of the push slice.

export type PushMessage = { subscriptionId: string; notificationId: string };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Send one notification to one subscription. */
    "push.send": PushMessage;
  }
}
