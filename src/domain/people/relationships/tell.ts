// Tells a person's open streams whom they follow, mute and block, or no more: their other windows then show the same
// buttons, hide the same posts, and can tell a post that is withdrawn from home from a deleted one.

import type { App } from "../../../platform/app.ts";
import { tellOwn } from "../accounts/own-stream.ts";
import { loadRelations } from "./load.ts";
import { relationshipEntity } from "./present.ts";

/** Events of the `user` stream for tokens that may read relations. */
export const HIDING_EVENTS: ReadonlySet<string> = new Set(["relationship", "domain_block"]);

/** Publishes the Relationship as it is now, if anybody listens. */
export const tellRelation = (app: App, accountId: string, targetId: string): Promise<void> =>
  tellOwn(app, accountId, "relationship", async () => {
    const relations = await loadRelations(app, accountId, [targetId]);
    return JSON.stringify(relationshipEntity(relations.get(targetId)!));
  });

export const tellDomainBlock = (app: App, accountId: string, domain: string, isBlocked: boolean) =>
  tellOwn(app, accountId, "domain_block", () => JSON.stringify({ domain, blocked: isBlocked }));
