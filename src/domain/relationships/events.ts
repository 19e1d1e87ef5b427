// The payloads of the jobs that follow from acts of this slice. `accountId` acts on or asks `targetId`;
// in accepts and rejects, too, `accountId` is the follower.

export type Pair = { accountId: string; targetId: string };
/** `uri`: of the Follow or Block activity. */
export type PairWithUri = Pair & { uri: string | null };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    "account.followed": Pair;
    "account.follow_requested": Pair;
    "account.unfollowed": PairWithUri;
    "follow.accepted": PairWithUri;
    "follow.rejected": PairWithUri;
    "account.blocked": PairWithUri;
    "account.unblocked": PairWithUri;
    "mute.expired": Pair;
  }
}
