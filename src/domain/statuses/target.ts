// The status that somebody acts on, for the commands that judge it. Of a boost that is the boosted one.

import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { KnownViewer } from "../../platform/viewer.ts";
import { getVisible, loadStatuses } from "./load.ts";
import { asStillSeen, canSee } from "./rules.ts";
import type { SeenStatus, StatusView } from "./tables.ts";

/** NotFound for what the viewer may not see. */
export const actTarget = async (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> => {
  const view = await getVisible(app, id, viewer);
  return view.reblog ?? view;
};

/** As the viewer sees it after what they did; where that hid it from them, as it was before. */
export const afterAct = async (
  app: App,
  viewer: KnownViewer,
  before: StatusView,
): Promise<SeenStatus> => {
  const [view = before] = await loadStatuses(app, [before.id], viewer);
  return asStillSeen(view);
};

/**
 * Takes back what the viewer did to a status, also to one that is hidden from them by now: who blocks somebody does not
 * keep their favourite. `undo` says whether there was anything; else it is NotFound for who may not see it.
 */
export const undoAct = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  undo: (view: StatusView) => Promise<boolean>,
  after: (view: StatusView) => SeenStatus | Promise<SeenStatus> = (view) =>
    afterAct(app, viewer, view),
): Promise<SeenStatus> => {
  const [given] = await loadStatuses(app, [id], viewer);
  if (!given) throw new NotFound();
  const view = given.reblog ?? given;
  if (!(await undo(view)) && !canSee(given)) throw new NotFound();
  return after(view);
};
