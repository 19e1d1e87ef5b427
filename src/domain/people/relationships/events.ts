// Declares payloads of jobs and events that follow from acts of this slice. `accountId` acts on or requests `targetId`;
// in accepts and rejects, too, `accountId` is the follower.

export type Pair = { accountId: string; targetId: string };
/** `uri` is that of the Follow or Block activity. */
export type PairWithUri = Pair & { uri: string | null };

/** `accountId` sees no more posts of `targetId`, or of anybody at `domain`; one of them is given. */
export type Hidden = {
  accountId: string;
  targetId: string | null;
  domain: string | null;
  /** Name the accounts that were followed until then, and their lists. */
  followed: string[];
  listed: Listed[];
};

/** A part of the follows that ended when a person blocked a domain; `eventId` is that of all of them. */
export type DomainSevered = {
  eventId: string;
  accountId: string;
  domain: string;
  follows: {
    otherId: string;
    isFollower: boolean;
    reblogs: boolean;
    /** Absent in jobs of versions that did not know them. */
    replies?: boolean;
    dailyLimit?: number | null;
    notify: boolean;
    languages: string[] | null;
  }[];
};

/** An account in a list; those in an exclusive one are left out of home. */
export type Listed = { listId: string; accountId: string; exclusive: boolean };

declare module "../../../platform/outbox/index.ts" {
  interface OutboxEvents {
    /** Somebody blocked or muted an account, or blocked a domain. */
    "account.hidden": Hidden;
    /** `accountId` follows `targetId` now, or requests it again. */
    "account.followed": Pair;
  }
}

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Jobs of the version before; they may have waited while the server was updated. */
    "account.followed": Pair;
    "account.follow_requested": Pair;
    "account.unfollowed": PairWithUri;
    "follow.accepted": PairWithUri;
    "follow.rejected": PairWithUri;
    "account.blocked": PairWithUri;
    "account.unblocked": PairWithUri;
    "mute.expired": Pair;
    "domain.severed": DomainSevered;
  }
}
