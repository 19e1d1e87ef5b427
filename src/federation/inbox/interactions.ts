// Like and Announce.

import type { App } from "../../platform/app.ts";
import { createStatuses } from "../../domain/statuses/create.ts";
import { favouriteStatuses } from "../../domain/statuses/favourite.ts";
import { loadVisible } from "../../domain/statuses/load.ts";
import { newReblog } from "../../domain/statuses/reblog.ts";
import { canReblog } from "../../domain/statuses/rules.ts";
import type { StatusView } from "../../domain/statuses/tables.ts";
import { isOurs } from "../hosts.ts";
import { statusByUri } from "../notes.ts";
import { activityUri, objectUri, wasTakenBack } from "./handler.ts";
import type { Handler, Incoming } from "./handler.ts";
import { announceOf, pastDate } from "./plan.ts";
import { selectIsFollowedHere, selectStatusByUri } from "./queries.ts";
import type { KnownActor } from "./queries.ts";

/** A status that the actor may see, and no reblog. */
const visible = async (app: App, id: string, actor: KnownActor): Promise<StatusView | null> => {
  const [view] = await loadVisible(app, [id], actor.id);
  return view && !view.reblog ? view : null;
};

/** Only what was written here: of other posts their own server keeps the count. */
export const likeOne: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const target = await selectStatusByUri(app.sql, objectUri(body) ?? "");
  const uri = activityUri(incoming);
  if (!target?.local || (await wasTakenBack(app, actor, uri))) return;
  const view = await visible(app, target.id, actor);
  if (!view) return;
  await favouriteStatuses(app, app.sql, [{ accountId: actor.id, statusId: view.id, uri }]);
};

/** The id of what is announced. A stranger's announcement of something unknown is not looked up. */
const announced = async (app: App, { actor, body }: Incoming): Promise<string | null> => {
  const uri = objectUri(body);
  const known = uri && (await selectStatusByUri(app.sql, uri));
  if (known && known.local) return known.id;
  if (!uri || isOurs(app, uri) || !(await selectIsFollowedHere(app.sql, actor.id))) return null;
  return known ? known.id : statusByUri(app, uri);
};

export const announceOne: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const announce = announceOf(actor, body);
  if (!announce || (await wasTakenBack(app, actor, announce.uri))) return;
  const id = await announced(app, incoming);
  const target = id && (await visible(app, id, actor));
  if (!target || !canReblog(target)) return;
  const createdAt = pastDate(app, body) ?? app.clock.now();
  const reblog = { ...announce, accountId: actor.id, targetId: target.id, createdAt };
  await createStatuses(app, app.sql, [newReblog(reblog)]);
};
