// rookery settings …: the database tells the server of a change, so it holds at once.

import { setSetting } from "../domain/settings/settings.ts";
import { ConfigError } from "../platform/errors.ts";
import { withApp } from "./session.ts";

const MODES = { open: "open", approved: "approved", close: "closed", closed: "closed" } as const;

export const setRegistrations = (word: string): Promise<void> => {
  const mode = Object.hasOwn(MODES, word) ? MODES[word as keyof typeof MODES] : null;
  if (!mode) throw new ConfigError(`Registrations are open, approved or close, not "${word}".`);
  return withApp(async (app) => {
    await setSetting(app, "registrations", mode);
    console.log("OK");
  });
};
