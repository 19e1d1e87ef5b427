// Declares payloads of the jobs that follow from acts in groups.

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A post, or a reply to one, is in a group: servers of Lemmy's kind get an Announce of its Create. */
    "group.announce": { groupId: string; statusId: string };
    /** A moderator removed a post from a group: those servers get an Announce of a Delete. */
    "group.removed": { groupId: string; statusId: string; by: string };
  }
}

export type InThread = { groupId: string; statusId: string };
