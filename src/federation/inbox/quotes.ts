// QuoteRequest, and the answers to ours: Accept, Reject, and Delete of a consent (FEP-044f).

import type { App } from "../../platform/app.ts";
import { httpUrl, idOf, isRecord, sameHost, typesOf } from "../../platform/json/read.ts";
import { loadAccounts } from "../../domain/accounts/load.ts";
import { loadStatuses, loadVisible } from "../../domain/statuses/load.ts";
import { parseNote } from "../../domain/statuses/parse-note.ts";
import {
  acceptRequest,
  quoteIdOf,
  rejectRequest,
} from "../../domain/statuses/quotes/activitypub.ts";
import { acceptQuote, endQuote, ownApproval } from "../../domain/statuses/quotes/answer.ts";
import { findQuote, findQuoteById, quotesByApproval } from "../../domain/statuses/quotes/load.ts";
import type { FullQuote } from "../../domain/statuses/quotes/load.ts";
import { quoteRight } from "../../domain/statuses/rules.ts";
import type { StatusView } from "../../domain/statuses/tables.ts";
import { deliver, inboxOf } from "../deliver.ts";
import { isOurs } from "../hosts.ts";
import { statusByUri } from "../notes.ts";
import { storeNote } from "../store-note.ts";
import { activityUri, objectUri, wasTakenBack } from "./handler.ts";
import type { Handler, Incoming } from "./handler.ts";
import { selectStatusByUri } from "./queries.ts";
import type { KnownActor } from "./queries.ts";

/** The post that wants to quote: known, in the request, or to be had from its server. */
const quotingId = async (app: App, { actor, body }: Incoming): Promise<string | null> => {
  const { instrument } = body;
  const uri = httpUrl(idOf(instrument));
  if (!uri || isOurs(app, uri) || !sameHost(uri, actor.uri)) return null;
  if (await wasTakenBack(app, actor, uri)) return null;
  const known = await selectStatusByUri(app.sql, uri);
  if (known) return known.account_id === actor.id ? known.id : null;
  const context = { actorUri: actor.uri, followersUrl: actor.followers_url, now: app.clock.now() };
  const note = isRecord(instrument) ? parseNote(instrument, context) : null;
  return note ? storeNote(app, actor, note) : statusByUri(app, uri);
};

const quotingOf = async (app: App, incoming: Incoming, quoted: StatusView) => {
  const id = await quotingId(app, incoming);
  const quote = id === null ? null : await findQuote(app.sql, id);
  const isMeant = quote?.quoted_uri === quoted.uri || quote?.quoted_uri === quoted.url;
  return isMeant && quote?.account_id === incoming.actor.id ? quote : null;
};

/** Their consent is given by their policy. Null: refused. */
const consent = async (app: App, incoming: Incoming, statusId: string) => {
  const [quoted] = await loadVisible(app, [statusId], incoming.actor.id);
  if (!quoted || quoted.reblog || quoteRight(quoted) !== "automatic") return null;
  const quote = await quotingOf(app, incoming, quoted);
  if (!quote || quote.state === "revoked") return null;
  await acceptQuote(app, { statusId: quote.status_id, quoted, approvalUri: null });
  return ownApproval(quote, quoted.account.uri);
};

const refuse = async (app: App, { body }: Incoming, actor: KnownActor): Promise<void> => {
  const known = await selectStatusByUri(app.sql, httpUrl(idOf(body["instrument"])) ?? "");
  if (known?.account_id === actor.id) await endQuote(app, known.id, "rejected");
};

export const quoteRequestOne: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const quotedUri = objectUri(body);
  const target = await selectStatusByUri(app.sql, quotedUri ?? "");
  const id = activityUri(incoming);
  if (!target?.local || (await wasTakenBack(app, actor, id))) return;
  const stamp = await consent(app, incoming, target.id);
  if (!stamp) await refuse(app, incoming, actor);
  const accounts = await loadAccounts(app, [target.account_id, actor.id]);
  const [author, asker] = [accounts.get(target.account_id), accounts.get(actor.id)];
  if (!author || !asker) return;
  const statusUri = idOf(body["instrument"]) ?? "";
  const request = { id, actorUri: actor.uri, quotedUri: quotedUri!, statusUri };
  const activity = stamp
    ? acceptRequest(author.uri, request, stamp)
    : rejectRequest(author.uri, request);
  const inboxes = [asker.inbox_url || inboxOf(asker)];
  await deliver(app, app.sql, [{ accountId: author.id, activity, inboxes }]);
};

/** The quote of ours that is meant, by the request's address or by what it says. */
const quoteMeant = async (app: App, { actor, body }: Incoming): Promise<FullQuote | null> => {
  const { object } = body;
  const uri = idOf(object) ?? "";
  const id = isOurs(app, uri) ? quoteIdOf(uri) : null;
  const isRequest = isRecord(object) && typesOf(object).includes("QuoteRequest");
  const statusUri = isRequest ? httpUrl(idOf(object["instrument"])) : null;
  const status = statusUri && !id ? await selectStatusByUri(app.sql, statusUri) : null;
  const quote = id
    ? await findQuoteById(app.sql, id)
    : status && (await findQuote(app.sql, status.id));
  return quote?.local && quote.quoted_account_id === actor.id ? quote : null;
};

/** Whether an Accept or a Reject answers a request to quote. */
export const answersQuote = ({ body: { object } }: Incoming): boolean =>
  (isRecord(object) && typesOf(object).includes("QuoteRequest")) ||
  quoteIdOf(idOf(object) ?? "") !== null;

/** Without an address of the consent, on the author's own server, nobody else could check it. */
export const quoteAccepted: Handler = async (app, incoming) => {
  const quote = await quoteMeant(app, incoming);
  const approvalUri = httpUrl(idOf(incoming.body["result"]));
  if (!quote?.quoted_status_id || !sameHost(approvalUri, incoming.actor.uri)) return;
  const [quoted] = await loadStatuses(app, [quote.quoted_status_id], null);
  if (quoted) await acceptQuote(app, { statusId: quote.status_id, quoted, approvalUri });
};

export const quoteRejected: Handler = async (app, incoming) => {
  const quote = await quoteMeant(app, incoming);
  if (quote) await endQuote(app, quote.status_id, "rejected");
};

/** True when the address was that of a consent of the actor's. */
export const takeConsentBack = async (
  app: App,
  actor: KnownActor,
  uri: string,
): Promise<boolean> => {
  const ids = await quotesByApproval(app.sql, uri, actor.id);
  for (const id of ids) await endQuote(app, id, "revoked");
  return ids.length > 0;
};
