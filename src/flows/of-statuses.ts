// Events that name statuses by their ids, as their flows get them.

import { loadAsServer } from "../domain/statuses/load.ts";
import type { App } from "../platform/app.ts";

type Named = { id: string };

export const ofStatuses = {
  key: ({ id }: Named) => id,
  load: (app: App, events: Named[]) =>
    loadAsServer(
      app,
      events.map(({ id }) => id),
    ),
};
