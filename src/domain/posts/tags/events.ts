// Declares payloads of the jobs that follow from acts on tags.

/** `name` is the folded key, `display` as the person wrote it. */
export type TagFeatured = { accountId: string; name: string; display: string };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    "tag.featured": TagFeatured;
    "tag.unfeatured": TagFeatured;
    "tag_mute.expired": { accountId: string; tagId: string };
    /** Fetch the tags that a remote account features from its server. */
    "featured_tags.refresh": { accountId: string };
  }
}
