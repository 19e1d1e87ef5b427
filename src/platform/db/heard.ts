// A value that is kept as long as the database can tell of its changes, made by whatever process:
// triggers NOTIFY a channel (docs/decisions/0005-pages-and-settings.md).

import type { App } from "../app.ts";

export type Heard<T> = {
  get(): Promise<T>;
  /** This process changed it: the database's own word comes a moment later. */
  forget(): void;
};

/** The longest that a value is trusted, should a connection die without a sound. */
const TRUSTED_MS = 60_000;

type State<T> = {
  kept: { value: T; since: number } | null;
  /** Counts what was told, so that a read that it overtook is not kept. */
  changes: number;
  listening: boolean;
};

const forget = (state: State<unknown>): void => {
  state.changes += 1;
  state.kept = null;
};

/** Kept by `read`, forgotten at every NOTIFY of `channel`; not kept while nothing can be heard. */
export const keepWhileHeard = <T>(app: App, channel: string, read: () => Promise<T>): Heard<T> => {
  const state: State<T> = { kept: null, changes: 0, listening: false };
  const onListening = () => {
    // Connected, perhaps again: what was told meanwhile was not heard.
    forget(state);
    state.listening = true;
  };
  app.sql
    .listen(channel, () => forget(state), onListening)
    .catch((error: unknown) => {
      app.log.warn({ err: error }, `${channel} are not kept: the database cannot tell of changes`);
    });
  return {
    async get() {
      const { kept, changes } = state;
      const now = performance.now();
      if (kept && now - kept.since < TRUSTED_MS) return kept.value;
      const value = await read();
      if (state.listening && state.changes === changes) state.kept = { value, since: now };
      return value;
    },
    forget: () => forget(state),
  };
};
