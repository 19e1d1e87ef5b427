// Delete of the actor, of one of its posts or collections, or of its authorization of a quote or a collection.

import { idsOf, isRecord, sameHost } from "../../../platform/json/read.ts";
import { removeAccount } from "../../../domain/people/accounts/remove.ts";
import { removeRemoteCollection } from "../../../domain/people/collections/store-remote.ts";
import { endQuote } from "../../../domain/posts/statuses/approve.ts";
import { openTo } from "../../../domain/posts/statuses/visibility.ts";
import { objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Change } from "../apply.ts";
import { NOTHING, apply, run } from "../decision.ts";
import type { Parse, Parsed, Run } from "../decision.ts";
import { endFeatured } from "./features.ts";

const revokeQuotes =
  (statusIds: string[]): Run =>
  async (app) => {
    for (const id of statusIds) await endQuote(app, id, "revoked");
  };

const parseObject = ({ actor, body }: Incoming, uri: string): Parsed => ({
  lookups: { statuses: [uri], authorizations: [uri], collections: [uri] },
  judge(facts) {
    const featuring = facts.featuredBy(actor.id, uri);
    if (featuring.length > 0) return run(endFeatured(featuring));
    const collection = facts.collection(uri);
    if (collection?.account_id === actor.id) {
      return run((app) => removeRemoteCollection(app, collection.id));
    }
    const quoting = facts.authorizedBy(actor.id, uri);
    if (quoting.length > 0) return run(revokeQuotes(quoting));
    const status = facts.status(uri);
    if (status?.account_id === actor.id) {
      const forward = { body, actorUri: actor.uri, statusId: status.id };
      const isForwarded = openTo("elsewhere", status) && status.reblog_of_id === null;
      const forwarded: Change[] = isForwarded ? [{ do: "forward", forward }] : [];
      return apply(...forwarded, { do: "remove", statusId: status.id });
    }
    if (status || !sameHost(uri, actor.uri)) return NOTHING;
    return apply({ do: "earlyDelete", earlyDelete: { actorUri: actor.uri, uri } });
  },
});

/** Reads the addresses of several posts that one activity ends (Funkwhale's recordings). */
const parseSeveral = ({ actor }: Incoming, uris: string[]): Parsed => ({
  lookups: { statuses: uris },
  judge: (facts) =>
    apply(
      ...uris.flatMap((uri): Change[] => {
        const status = facts.status(uri);
        return status?.account_id === actor.id ? [{ do: "remove", statusId: status.id }] : [];
      }),
    ),
});

export const parseDelete: Parse = (incoming) => {
  const { actor, body, isLocalUri } = incoming;
  const { object } = body;
  if (isRecord(object) && Array.isArray(object["id"]))
    return parseSeveral(incoming, idsOf(object["id"], 100));
  const uri = objectUri(body);
  if (!uri || isLocalUri(uri)) return null;
  if (uri !== actor.uri) return parseObject(incoming, uri);
  return { lookups: {}, judge: () => run((app) => removeAccount(app, actor.id)) };
};
