// How the person stands to one account: the answer of every act between people.

import type { App } from "../../platform/app.ts";
import type { Pair } from "./events.ts";
import { loadRelations } from "./load.ts";
import { relationshipEntity } from "./present.ts";

export const sendRelationship = async (app: App, { accountId, targetId }: Pair) =>
  relationshipEntity((await loadRelations(app, accountId, [targetId])).get(targetId)!);
