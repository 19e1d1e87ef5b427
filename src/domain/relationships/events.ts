// What the relationships slice announces: the payloads of the jobs that follow from its acts.
// `accountId` acts on or asks `targetId`; in answers too, `accountId` is the one who follows.

export type Pair = { accountId: string; targetId: string };
/** `uri`: of the activity (Follow, Block) that is meant. */
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
