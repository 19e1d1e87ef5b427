// Serves collections of accounts as documents, and the authorizations of the accounts in them (FEP-7aa9).

import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { getShownAccount, loadAccounts } from "../../domain/people/accounts/load.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { authorizationDocument } from "../../domain/people/approvals/requests.ts";
import {
  collectionDocument,
  collectionListDocument,
} from "../../domain/people/collections/activitypub.ts";
import {
  collectionOfItem,
  getLocalCollection,
  listedCollections,
} from "../../domain/people/collections/load.ts";
import {
  collectionUri,
  collectionUrl,
  featureAuthorizationUri,
} from "../../domain/people/collections/present.ts";
import { WITH_PAGE, asksForPage, redirectToPage, sendActivity } from "./answer.ts";

/** Returns a local account by its id if it is not suspended. */
const localById = async (app: App, id: string): Promise<AccountView> => {
  const view = await getShownAccount(app, id);
  if (view.domain !== null || view.suspended_at !== null) throw new NotFound();
  return view;
};

type Params = { Params: { account_id: string; id: string } };

export const featuredCollectionRoutes = (server: Server, app: App): void => {
  const { site } = app.config;

  server.get<{ Params: { account_id: string } }>(
    "/ap/:account_id/featured_collections",
    async (request, reply) => {
      const owner = await localById(app, request.params.account_id);
      const views = await listedCollections(app, owner.id);
      return sendActivity(reply, collectionListDocument(owner, views, site));
    },
  );

  server.get<Params>("/ap/:account_id/collections/:id", WITH_PAGE, async (request, reply) => {
    const { account_id: ownerId, id } = request.params;
    const view = await getLocalCollection(app, id);
    if (view.account_id !== ownerId) throw new NotFound();
    if (asksForPage(request)) return redirectToPage(reply, collectionUrl(site, view));
    const accounts = await loadAccounts(
      app,
      view.items.map((item) => item.account_id),
    );
    return sendActivity(reply, collectionDocument(view, accounts, site));
  });

  server.get<Params>("/ap/:account_id/feature_authorizations/:id", async (request, reply) => {
    const account = await localById(app, request.params.account_id);
    const collection = await collectionOfItem(app, request.params.id);
    if (collection?.item.account_id !== account.id) throw new NotFound();
    const document = authorizationDocument({
      kind: "feature",
      uri: featureAuthorizationUri(site, collection.item),
      author: account.uri,
      interactingUri: collectionUri(site, collection.view),
      targetUri: account.uri,
    });
    return sendActivity(reply, document);
  });
};
