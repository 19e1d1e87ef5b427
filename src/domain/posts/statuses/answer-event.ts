// Answers posts that are a calendar event, for local people and remote actors: whoever sees one may answer it.

import { randomUUID } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import { changeAnswer, noEvent } from "../events/answer.ts";
import { loadAnswerers } from "../events/load.ts";
import type { Answerer } from "../events/load.ts";
import type { Answer } from "../events/tables.ts";
import { actTarget, afterAct, ownTarget, undoAct } from "./acts.ts";
import { canSee } from "./rules.ts";
import type { SeenStatus, StatusView } from "./tables.ts";

/** Returns whether the event is remote and the viewer local, so that the other server gets the answer. */
const isTold = (view: StatusView, viewer: KnownViewer): boolean =>
  !view.local && viewer.kind === "person";

/**
 * `uri` is that of a remote actor's activity. Throws NotFound for a status that the viewer may not see, Unprocessable
 * where it is no event, or over.
 */
export const answerEvent = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  answer: Answer,
  uri: string = `${app.config.site.origin}/${randomUUID()}`,
): Promise<SeenStatus> => {
  const view = await actTarget(app, viewer, id);
  if (!view.event) throw noEvent();
  const of = { statusId: view.id, accountId: viewer.id };
  await changeAnswer(app, of, { answer, uri }, isTold(view, viewer));
  return afterAct(app, viewer, view);
};

/** Returns accounts with this answer, to the author of the event alone. */
export const listAnswerers = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  answer: Answer,
  page: Page,
): Promise<Answerer[]> => {
  const view = await ownTarget(app, viewer, id);
  if (!view.event) throw noEvent();
  return loadAnswerers(app.sql, view.id, answer, page);
};

/** Also works for an event that is now hidden from the viewer. */
export const withdrawAnswer = (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> =>
  undoAct(app, viewer, id, async (view) => {
    if (!view.event && canSee(view)) throw noEvent();
    const of = { statusId: view.id, accountId: viewer.id };
    return view.event !== null && changeAnswer(app, of, null, isTold(view, viewer));
  });
