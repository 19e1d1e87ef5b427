// Reblogging and its reverse. A reblog is a status of its own without text; a person has one of
// each status.

import type { App } from "../../platform/app.ts";
import { Forbidden } from "../../platform/errors.ts";
import { getAccount } from "../accounts/load.ts";
import { defaultPrivacy } from "../accounts/present.ts";
import { getSettings } from "../accounts/settings.ts";
import { createStatus } from "./create.ts";
import { ROW_ONLY } from "./new-status.ts";
import type { NewStatus } from "./new-status.ts";
import type { Visibility } from "./columns.ts";
import { checkInteraction } from "./interactions.ts";
import { selectReblogId } from "./queries.ts";
import { removeStatuses } from "./remove.ts";
import { canReblog } from "./rules.ts";
import type { SeenStatus } from "./tables.ts";
import { openToEverybody } from "./visibility.ts";

export type Reblog = {
  accountId: string;
  /** What is reblogged: never a reblog itself. */
  targetId: string;
  visibility: Visibility;
  createdAt: Date;
  /** Of the Announce activity of a remote reblog. */
  uri?: string;
  /** The author of what is reblogged has to be asked. */
  mustAsk?: boolean;
};

/** The reblog as a status: createStatus and createStatuses store it. */
export const newReblog = ({
  accountId,
  targetId,
  visibility,
  createdAt,
  uri,
  mustAsk = false,
}: Reblog): NewStatus => ({
  ...ROW_ONLY,
  row: {
    account_id: accountId,
    local: uri === undefined,
    ...(uri !== undefined && { uri }),
    visibility,
    reblog_of_id: targetId,
    awaits_approval: mustAsk,
    created_at: createdAt,
  },
});

/** As requested, else the person's default; a reblog of a private post is private. */
const reblogVisibility = async (
  app: App,
  accountId: string,
  target: SeenStatus,
  asked: Visibility | undefined,
): Promise<Visibility> => {
  if (!openToEverybody(target)) return "private";
  if (asked) return asked;
  const account = await getAccount(app, accountId);
  const usual = defaultPrivacy(account, await getSettings(app, accountId));
  return usual === "direct" ? "private" : usual;
};

/**
 * Reblogs as a local person; `target` is their view of the status. Returns the id; throws Forbidden
 * where they may not.
 */
export const reblogStatus = async (
  app: App,
  accountId: string,
  target: SeenStatus,
  asked?: Visibility,
): Promise<string> => {
  if (!canReblog(target)) throw new Forbidden();
  const mustAsk = checkInteraction(target, "announce");
  const visibility = await reblogVisibility(app, accountId, target, asked);
  const createdAt = app.clock.now();
  const ids = { accountId, targetId: target.id };
  return createStatus(app, newReblog({ ...ids, visibility, createdAt, mustAsk }));
};

/** False when there was none. */
export const unreblog = async (app: App, accountId: string, targetId: string): Promise<boolean> => {
  const id = await selectReblogId(app.sql, accountId, targetId);
  if (id === null) return false;
  return (await app.sql.begin((tx) => removeStatuses(app, tx, [id]))).length > 0;
};
