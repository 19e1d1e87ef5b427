// Payloads of the jobs that federation enqueues for itself.

declare module "../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Works on what waits in incoming_activities. */
    "activity.received": Record<string, never>;
    /** Reads a known actor again from its server. */
    "actor.refresh": { uri: string };
    /** Reads followed actors again that sent nothing for long. */
    "actors.quiet": Record<string, never>;
    /**
     * Handles a handle that belongs to another actor now. With the same account twice, its server recreated it under
     * its address, and `after` is the last follow that was sent again.
     */
    "actor.replaced": { fromId: string; toId: string; after?: string };
    /**
     * Reads a changed document again. `isChange`: the change has not been read since; otherwise an older copy from a
     * cache may have been read.
     */
    "document.reread": {
      uri: string;
      kind: "actor" | "note";
      removeIfGone: boolean;
      isChange?: boolean;
    };
    /** Asks the server of an actor for its NodeInfo. */
    "peer.wanted": { host: string };
    /** Compares followers with what a remote account says about its followers here. */
    "followers.sync": { accountId: string; collectionId: string; url: string; digest: string };
  }
}

export {};
