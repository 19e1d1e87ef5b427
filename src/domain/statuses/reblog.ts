// Reblogging and its reverse. A reblog is a status of its own without text; a person has one of each.

import type { App } from "../../platform/app.ts";
import { BARE } from "./create.ts";
import type { NewStatus } from "./create.ts";
import type { Visibility } from "./columns.ts";
import { selectReblogId } from "./queries.ts";
import { removeStatuses } from "./remove.ts";

export type Reblog = {
  accountId: string;
  /** What is reblogged: never a reblog itself. */
  targetId: string;
  visibility: Visibility;
  createdAt: Date;
  /** Of the Announce activity, when it came from elsewhere. */
  uri?: string;
};

/** The reblog as a status: createStatus and createStatuses store it. */
export const newReblog = ({
  accountId,
  targetId,
  visibility,
  createdAt,
  uri,
}: Reblog): NewStatus => ({
  ...BARE,
  row: {
    account_id: accountId,
    local: uri === undefined,
    ...(uri !== undefined && { uri }),
    visibility,
    reblog_of_id: targetId,
    created_at: createdAt,
  },
});

/** False when there was none. */
export const unreblog = async (app: App, accountId: string, targetId: string): Promise<boolean> => {
  const id = await selectReblogId(app.sql, accountId, targetId);
  if (id === null) return false;
  return (await app.sql.begin((tx) => removeStatuses(app, tx, [id]))).length > 0;
};
