// QuoteRequest, and the Accept or Reject of a local one (FEP-044f).

import type { App } from "../../../platform/app.ts";
import { httpUrl, idOf, isRecord, sameHost, typesOf } from "../../../platform/json/read.ts";
import { asActor } from "../../../platform/viewer.ts";
import { loadAsServer, loadVisible } from "../../../domain/posts/statuses/load.ts";
import { parseNote } from "../../../domain/posts/statuses/parse-note.ts";
import type { ParsedNote } from "../../../domain/posts/statuses/parse-note.ts";
import { quoteIdOf } from "../../../domain/posts/statuses/activitypub-acts.ts";
import {
  acceptQuote,
  endQuote,
  findQuote,
  findQuoteById,
} from "../../../domain/posts/statuses/approve.ts";
import type { FullQuote } from "../../../domain/posts/statuses/approve.ts";
import { authorizationUri } from "../../../domain/people/approvals/requests.ts";
import { quoteRight } from "../../../domain/posts/statuses/rules.ts";
import { lookupsFor, missingParent, storeNote } from "../../store-note.ts";
import { activityUri, noteContext, objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import { sendAnswer } from "../answer.ts";
import { allLookups } from "../facts.ts";
import type { Facts } from "../facts.ts";
import { NOTHING, fetchFirst, run } from "../decision.ts";
import type { Parse, Parsed, Decision } from "../decision.ts";

/** The addresses of both posts, and the quoting post where it is embedded. */
type Request = { id: string; quotedUri: string; statusUri: string; note: ParsedNote | null };

/** `known` is the id of the quoting post, if it is stored and the actor is its author. */
type QuoteRequest = Request & { quotedId: string; known: string | null; isGone: boolean };

const readRequest = (incoming: Incoming): Request | null => {
  const { body } = incoming;
  const quotedUri = objectUri(body);
  if (!quotedUri) return null;
  const { instrument } = body;
  const note = isRecord(instrument) ? parseNote(instrument, noteContext(incoming)) : null;
  return { id: activityUri(incoming), quotedUri, statusUri: idOf(instrument) ?? "", note };
};

const quotingId = async (
  app: App,
  { actor }: Incoming,
  quoteRequest: QuoteRequest,
): Promise<string | null> => {
  if (quoteRequest.known || quoteRequest.isGone || !quoteRequest.note) return quoteRequest.known;
  return storeNote(app, actor, quoteRequest.note);
};

const quotingOf = async (
  app: App,
  incoming: Incoming,
  quoteRequest: QuoteRequest,
  quotedUris: unknown[],
) => {
  const id = await quotingId(app, incoming, quoteRequest);
  const quote = id === null ? null : await findQuote(app.sql, id);
  const isMeant = quote !== null && quotedUris.includes(quote.quoted_uri);
  return isMeant && quote.account_id === incoming.actor.id ? quote : null;
};

/** Approves the quote where the author's policy allows it and returns the authorization's address; null to refuse. */
const authorize = async (
  app: App,
  incoming: Incoming,
  quoteRequest: QuoteRequest,
): Promise<string | null> => {
  const [quoted] = await loadVisible(app, [quoteRequest.quotedId], asActor(incoming.actor.id));
  if (!quoted || quoted.reblog || quoteRight(quoted) !== "automatic") return null;
  const quote = await quotingOf(app, incoming, quoteRequest, [quoted.uri, quoted.url]);
  if (!quote || quote.state === "revoked") return null;
  await acceptQuote(app, { statusId: quote.status_id, quoted, approvalUri: null });
  return authorizationUri("quote", quoted.account.uri, quote.id);
};

const answer = async (
  app: App,
  incoming: Incoming,
  quoteRequest: QuoteRequest,
  authorId: string,
) => {
  const { actor } = incoming;
  const authorization = await authorize(app, incoming, quoteRequest);
  if (!authorization && quoteRequest.known) await endQuote(app, quoteRequest.known, "rejected");
  const { id, quotedUri: targetUri, statusUri: interactingUri } = quoteRequest;
  const request = { kind: "quote" as const, id, actorUri: actor.uri, targetUri, interactingUri };
  await sendAnswer(app, { authorId, askerId: actor.id, request, authorization });
};

const judgeRequest = (incoming: Incoming, request: Request, facts: Facts): Decision => {
  const { actor, isLocalUri } = incoming;
  const { quotedUri, statusUri, note } = request;
  const target = facts.status(quotedUri);
  if (!target?.local || facts.wasDeletedEarly(actor.uri, request.id)) return NOTHING;
  const known = facts.status(statusUri);
  const isOnActorHost = sameHost(statusUri, actor.uri) && !isLocalUri(statusUri);
  const isGone = !isOnActorHost || facts.wasDeletedEarly(actor.uri, statusUri);
  // Nothing is fetched for a request that is refused in any case.
  const mayQuote = target.quote_policy !== 0 && facts.maySee(actor.id, target);
  if (!known && !isGone && mayQuote) {
    if (!note && !facts.wasFetched(statusUri)) {
      return fetchFirst({ uri: statusUri, kind: "note", ifUnreachable: "later" });
    }
    const parent = note && missingParent(note, facts, isLocalUri);
    if (parent) return fetchFirst(parent);
  }
  const own = known?.account_id === actor.id ? known.id : null;
  const quoteRequest = { ...request, quotedId: target.id, known: own, isGone: isGone || !!known };
  return run((app) => answer(app, incoming, quoteRequest, target.account_id));
};

export const parseQuoteRequest: Parse = (incoming) => {
  const request = readRequest(incoming);
  if (!request) return null;
  const { id, quotedUri, statusUri, note } = request;
  const lookups = {
    statuses: [quotedUri, statusUri],
    earlyDeletes: [id, statusUri],
    interactions: [{ actorId: incoming.actor.id, statusUri: quotedUri }],
  };
  return {
    lookups: note
      ? allLookups([lookups, lookupsFor(note, incoming.actor.id, incoming.isLocalUri)])
      : lookups,
    judge: (facts) => judgeRequest(incoming, request, facts),
  };
};

/** Whether an Accept or a Reject answers a request to quote. */
export const isQuoteAnswer = ({ body: { object } }: Incoming): boolean =>
  (isRecord(object) && typesOf(object).includes("QuoteRequest")) ||
  quoteIdOf(idOf(object) ?? "") !== null;

type Answer = (app: App, incoming: Incoming, quote: FullQuote) => Promise<unknown>;

/** Parses the answer to a local QuoteRequest, which is named by its address or embedded. */
const answerQuoteRequest =
  (command: Answer) =>
  (incoming: Incoming): Parsed => {
    const { object } = incoming.body;
    const uri = idOf(object) ?? "";
    const id = incoming.isLocalUri(uri) ? quoteIdOf(uri) : null;
    const isRequest = isRecord(object) && typesOf(object).includes("QuoteRequest");
    const statusUri = isRequest ? httpUrl(idOf(object["instrument"])) : null;
    const answerOne = async (app: App, statusId: string | undefined): Promise<void> => {
      const byStatus = async () => (statusId ? findQuote(app.sql, statusId) : null);
      const quote = id ? await findQuoteById(app.sql, id) : await byStatus();
      const isMeant = quote?.local && quote.quoted_account_id === incoming.actor.id;
      if (isMeant) await command(app, incoming, quote);
    };
    return {
      lookups: { statuses: statusUri ? [statusUri] : [] },
      judge: (facts) => run((app) => answerOne(app, facts.status(statusUri)?.id)),
    };
  };

/** Other servers check the authorization at its address, which must be on the author's own server. */
export const parseQuoteAccept = answerQuoteRequest(async (app, { actor, body }, quote) => {
  const approvalUri = httpUrl(idOf(body["result"]));
  if (!quote.quoted_status_id || !sameHost(approvalUri, actor.uri)) return;
  const [quoted] = await loadAsServer(app, [quote.quoted_status_id]);
  if (quoted) await acceptQuote(app, { statusId: quote.status_id, quoted, approvalUri });
});

export const parseQuoteReject = answerQuoteRequest((app, _incoming, quote) =>
  endQuote(app, quote.status_id, "rejected"),
);
