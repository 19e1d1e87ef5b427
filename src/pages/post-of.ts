// Finds the post that a path names.

import type { App } from "../platform/app.ts";
import { pathId } from "../platform/http/incoming.ts";
import { NotFound } from "../platform/errors.ts";
import type { Viewer } from "../platform/viewer.ts";
import { getVisible } from "../domain/posts/statuses/load.ts";
import type { SeenStatus } from "../domain/posts/statuses/tables.ts";

/**
 * Returns the post at `/@name/id` as the viewer may see it; throws NotFound otherwise, and when the name is not its
 * author's.
 */
export const postOf = async (
  app: App,
  { name, id }: { name: string; id: string },
  viewer: Viewer,
): Promise<SeenStatus> => {
  const view = await getVisible(app, pathId(id), viewer);
  const author = `${view.account.username}${view.account.domain ? `@${view.account.domain}` : ""}`;
  if (author.toLowerCase() !== name.toLowerCase()) throw new NotFound();
  return view;
};
