// Says how somebody is related to others, as the response of an act and to their open streams: other windows then show
// the same buttons, hide the same posts, and can tell a post that is withdrawn from home from a deleted one.

import type { App } from "../../../platform/app.ts";
import { tellOwn } from "../accounts/own-stream.ts";
import { loadRelations } from "./load.ts";
import { relationshipEntity } from "./present.ts";
import type { Pair } from "./events.ts";

/** Returns the relationship of the viewer to one account, the response of every act between accounts. */
export const sendRelationship = async (app: App, { accountId, targetId }: Pair) =>
  relationshipEntity((await loadRelations(app, accountId, [targetId])).get(targetId)!);

/** Events of the `user` stream for tokens that may read relations. */
export const HIDING_EVENTS: ReadonlySet<string> = new Set(["relationship", "domain_block"]);

/** Publishes the Relationship as it is now, if anybody listens. */
export const tellRelation = (app: App, accountId: string, targetId: string): Promise<void> =>
  tellOwn(app, accountId, "relationship", async () =>
    JSON.stringify(await sendRelationship(app, { accountId, targetId })),
  );

export const tellDomainBlock = (app: App, accountId: string, domain: string, isBlocked: boolean) =>
  tellOwn(app, accountId, "domain_block", () => JSON.stringify({ domain, blocked: isBlocked }));
