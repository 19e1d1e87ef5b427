// A local author's authorization of a quote, which servers that show the quote can check (FEP-044f). It
// is only served to those who may see the quoting post.

import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { authorizationDocument } from "../../domain/statuses/quotes/activitypub.ts";
import { localApprovalUri } from "../../domain/statuses/quotes/approval.ts";
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
      const uri = localApprovalUri(quote!, author.uri);
      if (quote!.approval_uri !== uri) throw new NotFound();
      const { status_uri: statusUri, quoted_uri: quotedUri } = quote!;
      const document = authorizationDocument({ uri, author: author.uri, statusUri, quotedUri });
      return sendActivity(reply, document, {
        maxAge: shared ? 60 : null,
        vary: "Accept, Signature",
      });
    },
  );
};
