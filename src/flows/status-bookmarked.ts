// A status was bookmarked: whoever did so finds it from now on. Nobody hears of it.

import type { App } from "../platform/app.ts";
import { indexMarked } from "../domain/search/index-statuses.ts";

export const onStatusBookmarked = (app: App, { id }: { id: string }): Promise<void> =>
  indexMarked(app, [id]);
