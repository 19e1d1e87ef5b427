// Reblogs statuses, and undoes it. A reblog is a status of its own without text; a person has one of each status.

import type { App } from "../../../platform/app.ts";
import { Forbidden } from "../../../platform/errors.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { defaultPrivacy } from "../../people/accounts/present.ts";
import { getSettings } from "../../people/accounts/settings.ts";
import { createStatus } from "./create.ts";
import { ROW_ONLY } from "./new-status.ts";
import type { NewStatus } from "./new-status.ts";
import type { SeenStatus } from "./tables.ts";
import { canReblog, checkInteraction } from "./rules.ts";
import { getVisible } from "./load.ts";
import { selectReblogId } from "./queries.ts";
import { removeStatuses } from "./remove.ts";
import { actTarget, tellAct, undoAct } from "./acts.ts";
import { keptLocal } from "./audience.ts";
import { confinedTo, openToFollowers } from "./visibility.ts";
import type { Visibility } from "./visibility.ts";

type Reblog = {
  accountId: string;
  /** Id of the reblogged status, which is never a reblog itself. */
  targetId: string;
  visibility: Visibility;
  createdAt: Date;
  /** URI of the Announce activity of a remote reblog. */
  uri?: string;
  /** Whether the author of the reblogged status has to be asked. */
  mustAsk?: boolean;
};

/** Makes a reblog as a status, for createStatus and createStatuses. */
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

/** Visibility of a boost as it was sent. */
export type BoostAudience = {
  visibility?: Visibility | null | undefined;
  local_only?: boolean | null | undefined;
};

/** Returns the requested visibility, else the person's default, not wider than that of the post; no boost is direct. */
const reblogVisibility = async (
  app: App,
  accountId: string,
  target: SeenStatus,
  { visibility: requested, local_only: staysHere }: BoostAudience,
): Promise<Visibility> => {
  const confined = (visibility: Visibility) =>
    confinedTo(target, staysHere ? keptLocal(visibility) : visibility);
  if (requested) return confined(requested);
  const account = await getAccount(app, accountId);
  const usual = defaultPrivacy(account, await getSettings(app, accountId));
  return confined(openToFollowers({ visibility: usual }) ? usual : "private");
};

/**
 * Throws NotFound for a status that the viewer may not see, Forbidden for one that they may not reblog; writes nothing.
 */
export const composeReblog = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  audience: BoostAudience = {},
): Promise<NewStatus> => {
  const target = await actTarget(app, viewer, id);
  if (!canReblog(target)) throw new Forbidden();
  const mustAsk = checkInteraction(target, "announce");
  const visibility = await reblogVisibility(app, viewer.id, target, audience);
  const createdAt = app.clock.now();
  const ids = { accountId: viewer.id, targetId: target.id };
  return newReblog({ ...ids, visibility, createdAt, mustAsk });
};

/** Returns the reblog, as `composeReblog` judges it. */
export const reblog = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  audience: BoostAudience = {},
): Promise<SeenStatus> => {
  const reblogId = await createStatus(app, await composeReblog(app, viewer, id, audience));
  return tellAct(app, viewer, await getVisible(app, reblogId, viewer));
};

export const unreblog = (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> =>
  undoAct(app, viewer, id, async (target) => {
    const reblogId = await selectReblogId(app.sql, viewer.id, target.id);
    if (reblogId === null) return false;
    return (await app.sql.begin((tx) => removeStatuses(app, tx, [reblogId]))).length > 0;
  });
