// The state of an open composer: its draft, what is being uploaded and sent, and the outcome.

import type { Signal } from "@preact/signals";
import type { App } from "../app.ts";
import type { Draft } from "./draft.ts";
import type { Drafts } from "./browser-drafts.ts";

/**
 * The id of the post. `scheduledAt`: it will be posted then. One that waits for a moderator (`isHeld`) or for the server
 * (`isWaiting`) has no id.
 */
export type Outcome = {
  id: string;
  scheduledAt: string | null;
  isHeld?: boolean;
  isWaiting?: boolean;
};

/** Why something was not posted; `isSession`: the person has to sign in again; `isNote`: nothing failed. */
export type Trouble = { text: string; isSession?: boolean; isNote?: boolean };

export type Upload = {
  key: string;
  partKey: string;
  file: File;
  /** Progress from 0 to 1. */
  progress: number;
  /** Why the upload stopped. */
  fault: string | null;
  /** Whether the server will not take it, however often it is sent. */
  isRefused?: boolean;
};

export type Session = {
  app: App;
  drafts: Drafts;
  draft: Signal<Draft>;
  uploads: Signal<readonly Upload[]>;
  isSending: Signal<boolean>;
  /** True once it was to be sent, when fields say what they lack. */
  isTried: Signal<boolean>;
  trouble: Signal<Trouble | null>;
  /** How sending ended; null until then. */
  outcome: Signal<Outcome | null>;
  /** True once it was posted or discarded, and nothing of it is kept any more. */
  isEnded: boolean;
  /** True for a redraft whose post has not been deleted yet. */
  mustDelete: Signal<boolean>;
};
