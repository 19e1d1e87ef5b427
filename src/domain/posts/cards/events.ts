// Declares the jobs of the cards slice, with their payloads.

/** A link by its hash in hexadecimal (statuses/links.ts). */
export type CardRef = { hash: string };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Fetch the page. */
    "card.wanted": CardRef;
    /** The card was replaced or deleted. */
    "card.changed": CardRef;
  }
}
