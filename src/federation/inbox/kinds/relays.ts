// Messages of relays to the server's own actor: they accept or reject its Follow, and follow it back.

import { hostIn, idOf } from "../../../platform/json/read.ts";
import { acceptRelayFollow, answerRelay, relayIdOf } from "../../relays.ts";
import { activityUri, objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import { run } from "../decision.ts";
import type { Parsed } from "../decision.ts";

/** Parses the answer to a Follow by the server's actor; null for any other. */
export const parseRelayAnswer = (
  { actor, body, isLocalUri }: Incoming,
  state: "accepted" | "rejected",
): Parsed | null => {
  const uri = idOf(body["object"]) ?? "";
  if (hostIn(uri) === null || !isLocalUri(uri) || !uri.includes("/actor#relays/")) return null;
  const command = async (app: Parameters<typeof answerRelay>[0]): Promise<void> => {
    const id = relayIdOf(app, uri);
    if (id) await answerRelay(app, { id, actorUri: actor.uri, state });
  };
  return { lookups: {}, judge: () => run(command) };
};

/** Parses a Follow of the server's actor, which accepts relays alone. */
export const parseRelayFollow = (incoming: Incoming): Parsed | null => {
  const { actor, body, isLocalUri, isRelay } = incoming;
  const target = objectUri(body);
  if (!isRelay || !target || !isLocalUri(target) || new URL(target).pathname !== "/actor")
    return null;
  const follow = { uri: activityUri(incoming), actorUri: actor.uri };
  return { lookups: {}, judge: () => run((app) => acceptRelayFollow(app, follow)) };
};
