// What the announcements slice announces.

export type AnnouncementChanged = { id: string };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** It was made, its time has come, or it is over: open streams are told how it stands. */
    "announcement.changed": AnnouncementChanged;
  }
}
