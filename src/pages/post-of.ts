// The post that a path names.

import type { App } from "../platform/app.ts";
import { parseId } from "../platform/db/paging.ts";
import { NotFound } from "../platform/errors.ts";
import { NOBODY } from "../platform/viewer.ts";
import { getVisible } from "../domain/statuses/load.ts";
import type { SeenStatus } from "../domain/statuses/tables.ts";

/** `/@name/id`, as anybody may see it. NotFound when the name is not its author's. */
export const postOf = async (app: App, name: string, id: string): Promise<SeenStatus> => {
  const known = parseId(id);
  if (known === null) throw new NotFound();
  const view = await getVisible(app, known, NOBODY);
  const author = `${view.account.username}${view.account.domain ? `@${view.account.domain}` : ""}`;
  if (author.toLowerCase() !== name.toLowerCase()) throw new NotFound();
  return view;
};
