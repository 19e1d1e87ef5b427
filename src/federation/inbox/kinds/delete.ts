// Delete: of the actor, of a post of theirs, or of their consent to a quote.

import { sameHost } from "../../../platform/json/read.ts";
import { removeAccount } from "../../../domain/accounts/remove.ts";
import { endQuote } from "../../../domain/statuses/quotes/approval.ts";
import { objectUri } from "../activity.ts";
import type { KnownActor } from "../queries-facts.ts";
import { NOTHING, apply, run } from "../verdict.ts";
import type { Parse, Parsed, Run } from "../verdict.ts";

const takeConsentBack =
  (statusIds: string[]): Run =>
  async (app) => {
    for (const id of statusIds) await endQuote(app, id, "revoked");
  };

const parseObject = (actor: KnownActor, uri: string): Parsed => ({
  wanted: { statuses: [uri], authorizations: [uri] },
  judge(facts) {
    const quoting = facts.authorizedBy(actor.id, uri);
    if (quoting.length > 0) return run(takeConsentBack(quoting));
    const status = facts.status(uri);
    if (status?.account_id === actor.id) return apply({ do: "remove", statusId: status.id });
    if (status || !sameHost(uri, actor.uri)) return NOTHING;
    return apply({ do: "noteDelete", gone: { actorUri: actor.uri, uri } });
  },
});

export const parseDelete: Parse = ({ actor, body, isOurs }) => {
  const uri = objectUri(body);
  if (!uri || isOurs(uri)) return null;
  if (uri !== actor.uri) return parseObject(actor, uri);
  return { wanted: {}, judge: () => run((app) => removeAccount(app, actor.id)) };
};
