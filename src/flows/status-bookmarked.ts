// A status was bookmarked: from now on the owner of the bookmark finds it by search. Nobody is notified.

import type { App } from "../platform/app.ts";
import { indexMarked } from "../domain/search/index-statuses.ts";

export const onStatusBookmarked = (app: App, { id }: { id: string }): Promise<void> =>
  indexMarked(app, [id]);
