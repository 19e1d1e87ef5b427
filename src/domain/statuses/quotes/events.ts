// The jobs of quotes, with their payloads.

export type QuoteEnded = {
  /** The status that quotes. */
  statusId: string;
  /** The author's authorization, if there was one. */
  approvalUri: string | null;
  quotedAccountId: string | null;
};

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** A local status quotes a remote one, whose author has to approve it. */
    "quote.requested": { statusId: string };
    /** A remote status quotes: whether that is authorized has to be checked. */
    "quote.told": QuoteCheck;
    /** A quote is shown from now on. */
    "quote.accepted": { statusId: string };
    /** A quote was rejected or revoked. */
    "quote.ended": QuoteEnded;
    /** Who may quote a local status changed. */
    "quote.policy_changed": { statusId: string };
  }
}

/** `depth`: how many quotes were followed from the received status to this one. */
export type QuoteCheck = { statusId: string; depth: number };
