// Returns the relationship of the viewer to one account, the response of every act between accounts.

import type { App } from "../../../platform/app.ts";
import type { Pair } from "./events.ts";
import { loadRelations } from "./load.ts";
import { relationshipEntity } from "./present.ts";

export const sendRelationship = async (app: App, { accountId, targetId }: Pair) =>
  relationshipEntity((await loadRelations(app, accountId, [targetId])).get(targetId)!);
