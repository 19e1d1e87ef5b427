// Serves the authorizations of local authors, which servers that show an interaction can check: quotes (FEP-044f),
// replies, favourites and boosts (GoToSocial). They are visible to those who may see the post that quotes, replies or
// boosts, or that is favourited.

import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { findInteractionById, findQuoteById } from "../../domain/posts/statuses/approve.ts";
import { authorizationDocument, authorizationUri } from "../../domain/people/approvals/requests.ts";
import type { RequestKind } from "../../domain/people/approvals/requests.ts";
import { getOfActor } from "../actor-paths.ts";
import { activeActor, sendActivity } from "./answer.ts";
import { shownById } from "./viewer.ts";

/** Kinds of requests about posts. */
type PostRequest = Exclude<RequestKind, "feature">;

type Authorized = { interactingUri: string; targetUri: string; shownId: string };

/** Returns what an author allowed by this authorization. */
const findAuthorized = async (
  app: App,
  kind: PostRequest,
  id: string,
  author: { id: string; uri: string },
): Promise<Authorized | null> => {
  if (kind === "quote") {
    const quote = await findQuoteById(app.sql, id);
    const uri = authorizationUri(kind, author.uri, id);
    if (quote?.state !== "accepted" || quote.approval_uri !== uri) return null;
    const { status_uri: interactingUri, quoted_uri: targetUri, status_id: shownId } = quote;
    return quote.quoted_account_id === author.id ? { interactingUri, targetUri, shownId } : null;
  }
  const interaction = await findInteractionById(app.sql, kind, id);
  if (interaction?.target_account_id !== author.id) return null;
  const { interacting_uri: interactingUri, target_uri: targetUri, shown_id: shownId } = interaction;
  return { interactingUri, targetUri, shownId };
};

const serve = (server: Server, app: App, kind: PostRequest): void => {
  getOfActor<{ id: string }>(server, `/${kind}_authorizations/:id`, {}, async (request, reply) => {
    const { id } = request.params;
    const author = await activeActor(app, request.params);
    const authorized = /^\d{1,18}$/.test(id) ? await findAuthorized(app, kind, id, author) : null;
    const { shared } = await shownById(app, request, authorized?.shownId ?? null);
    if (!authorized) throw new NotFound();
    const { interactingUri, targetUri } = authorized;
    const uri = authorizationUri(kind, author.uri, id);
    const document = authorizationDocument({
      kind,
      uri,
      author: author.uri,
      interactingUri,
      targetUri,
    });
    return sendActivity(reply, document, {
      maxAge: shared ? 60 : null,
      vary: "Accept, Signature",
    });
  });
};

export const authorizationRoutes = (server: Server, app: App): void => {
  for (const kind of ["quote", "reply", "like", "announce"] as const) serve(server, app, kind);
};
