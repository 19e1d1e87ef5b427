// What is told about quotes.

export type QuoteEnded = {
  /** The status that quotes. */
  statusId: string;
  /** The author's consent that there was, if any. */
  approvalUri: string | null;
  quotedAccountId: string | null;
};

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** One of ours quotes somebody elsewhere, who has to be asked. */
    "quote.requested": { statusId: string };
    /** Somebody elsewhere quotes: whether that is allowed is to be found out. */
    "quote.told": QuoteCheck;
    /** A quote is shown from now on. */
    "quote.accepted": { statusId: string };
    /** A quote was refused, or its consent was taken back. */
    "quote.ended": QuoteEnded;
    /** Who may quote a status of ours changed. */
    "quote.policy_changed": { statusId: string };
  }
}

/** `depth`: how many quotes led here from what was sent to us. */
export type QuoteCheck = { statusId: string; depth: number };
