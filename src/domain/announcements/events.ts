// The payload of the job of the announcements slice.

export type AnnouncementChanged = { id: string };

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** It was created, its time has come, or it is over: open streams get an event. */
    "announcement.changed": AnnouncementChanged;
  }
}
