// Shared parts of flows whose events name statuses by id. Statuses of an author with very many followers take long.

import { loadAsServer } from "../domain/posts/statuses/load.ts";
import type { StatusView } from "../domain/posts/statuses/tables.ts";
import { wideAuthors } from "../domain/reading/timelines/cached-readers.ts";
import type { App } from "../platform/app.ts";

type Named = { id: string };

export const ofStatuses = {
  key: ({ id }: Named) => id,
  load: (app: App, events: Named[]) =>
    loadAsServer(
      app,
      events.map(({ id }) => id),
    ),
  lines: {
    of: (app: App, views: StatusView[]) =>
      wideAuthors(
        app,
        views.map((view) => view.account_id),
      ),
    payload: ({ id }: StatusView): Named => ({ id }),
  },
};
