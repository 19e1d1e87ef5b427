// The jobs that federation enqueues for itself.

declare module "../platform/jobs/index.ts" {
  interface JobPayloads {
    /** One activity to one inbox; `tries` counts attempts that failed or were put off. */
    delivery: { activityId: string; inbox: string; tries: number };
    /** Something waits in incoming_activities. */
    "activity.received": Record<string, never>;
    /** A known actor, to be read again from its server. */
    "actor.refresh": { uri: string };
  }
}

export {};
