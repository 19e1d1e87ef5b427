// The jobs that federation enqueues for itself.

declare module "../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Something waits in incoming_activities. */
    "activity.received": Record<string, never>;
    /** A known actor, to be read again from its server. */
    "actor.refresh": { uri: string };
    /** Followed actors of whom nothing came for long are due. */
    "actors.quiet": Record<string, never>;
    /**
     * The handle of an account is another actor's now; of the same account: its server made it anew under its address,
     * and `after` is the last follow that was sent again.
     */
    "actor.replaced": { fromId: string; toId: string; after?: string };
    /** It changed. `isChange`: it was not read since; else what was read may have been an older copy from a cache. */
    "document.reread": {
      uri: string;
      kind: "actor" | "note";
      removeIfGone: boolean;
      isChange?: boolean;
    };
    /** An actor of this server was met. */
    "peer.wanted": { host: string };
    /** A remote account says which followers it has here. */
    "followers.sync": { accountId: string; collectionId: string; url: string; digest: string };
  }
}

export {};
