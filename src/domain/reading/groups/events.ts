// The payloads of the jobs that follow from what happens in groups.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A post is in a group, or answers one that is: servers of Lemmy's kind are told by an Announce of its Create. */
    "group.announce": { groupId: string; statusId: string };
    /** A moderator took a post out of a group: they are told by an Announce of a Delete. */
    "group.removed": { groupId: string; statusId: string; by: string };
  }
}

export type InThread = { groupId: string; statusId: string };
