// What a composer at work has: its draft, what is being uploaded and sent, and what became of it.

import type { Signal } from "@preact/signals";
import type { App } from "../app.ts";
import type { Draft } from "./draft.ts";
import type { Drafts } from "./browser-drafts.ts";

/** What became of it; `scheduledAt`: it will be posted then; `isHeld`: once a moderator has approved it, without an id. */
export type Outcome = { id: string; scheduledAt: string | null; isHeld?: boolean };

/** Why something was not posted; `isSession`: the person has to sign in again. */
export type Trouble = { text: string; isSession?: boolean };

export type Upload = {
  key: string;
  partKey: string;
  file: File;
  /** From 0 to 1. */
  progress: number;
  /** Why it stopped. */
  fault: string | null;
};

export type Session = {
  app: App;
  drafts: Drafts;
  draft: Signal<Draft>;
  uploads: Signal<readonly Upload[]>;
  isSending: Signal<boolean>;
  trouble: Signal<Trouble | null>;
  /** What became of it. */
  outcome: Signal<Outcome | null>;
  /** It was posted or discarded: nothing of it is kept any more. */
  isEnded: boolean;
  /** A redraft whose post has not been deleted yet. */
  mustDelete: Signal<boolean>;
};
