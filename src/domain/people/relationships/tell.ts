// Tells a person's open streams whom they mute and block, or no more: their other windows then hide the same posts, and
// can tell a post that is withdrawn from home from a deleted one.

import type { App } from "../../../platform/app.ts";
import { loadRelations } from "./load.ts";
import { relationshipEntity } from "./present.ts";

/** Events of the `user` stream for tokens that may read relations. */
export const HIDING_EVENTS: ReadonlySet<string> = new Set(["relationship", "domain_block"]);

/** Is on the channel of timelines/streams.ts, a higher slice. */
const publish = async (
  app: App,
  accountId: string,
  event: string,
  payload: () => Promise<unknown>,
) => {
  const channel = `user:${accountId}`;
  const isHeard = (await app.pubsub.withListeners([channel])).length > 0;
  if (isHeard)
    await app.pubsub.publish(channel, { event, payload: JSON.stringify(await payload()) });
};

/** Publishes the Relationship as it is now, if anybody listens. */
export const tellRelation = (app: App, accountId: string, targetId: string): Promise<void> =>
  publish(app, accountId, "relationship", async () => {
    const relations = await loadRelations(app, accountId, [targetId]);
    return relationshipEntity(relations.get(targetId)!);
  });

export const tellDomainBlock = (
  app: App,
  accountId: string,
  domain: string,
  isBlocked: boolean,
): Promise<void> =>
  publish(app, accountId, "domain_block", async () => ({ domain, blocked: isBlocked }));
