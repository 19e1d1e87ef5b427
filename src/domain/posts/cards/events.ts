// The jobs of the cards slice, with their payloads.

/** The hash of the link, in hexadecimal (statuses/links.ts). */
export type CardRef = { hash: string };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Fetch the page. */
    "card.wanted": CardRef;
    /** There is another card than before, or one less. */
    "card.changed": CardRef;
  }
}
