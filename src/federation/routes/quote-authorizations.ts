// The consent of one of ours to a quote, where everybody who shows the quote can check it (FEP-044f).
// Of a post that not everybody may see it is told only to who may see that post.

import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { stampDocument } from "../../domain/statuses/quotes/activitypub.ts";
import { ownApproval } from "../../domain/statuses/quotes/answer.ts";
import { findQuoteById } from "../../domain/statuses/quotes/load.ts";
import { activeActor, sendActivity } from "./answer.ts";
import { shownById } from "./viewer.ts";

type AuthorizationRequest = FastifyRequest<{ Params: { username: string; id: string } }>;

export const quoteAuthorizationRoutes = (server: Server, app: App): void => {
  server.get(
    "/users/:username/quote_authorizations/:id",
    async (request: AuthorizationRequest, reply) => {
      const { username, id } = request.params;
      const author = await activeActor(app, username);
      const quote = /^\d{1,18}$/.test(id) ? await findQuoteById(app.sql, id) : null;
      const isTheirs = quote?.state === "accepted" && quote.quoted_account_id === author.id;
      const { shared } = await shownById(app, request, isTheirs ? quote.status_id : null);
      const uri = ownApproval(quote!, author.uri);
      if (quote!.approval_uri !== uri) throw new NotFound();
      const { status_uri: statusUri, quoted_uri: quotedUri } = quote!;
      const document = stampDocument({ uri, author: author.uri, statusUri, quotedUri });
      return sendActivity(reply, document, {
        maxAge: shared ? 60 : null,
        vary: "Accept, Signature",
      });
    },
  );
};
