// Reacts to quotes: to a request for approval, an approval, its end, and a change of the quote policy.

import type { App } from "../platform/app.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import { quotes } from "../domain/reading/notifications/audience.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import { noteDocument } from "../domain/posts/statuses/activitypub.ts";
import { quoteRequest } from "../domain/posts/statuses/activitypub-acts.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import type { QuoteEnded } from "../domain/posts/statuses/events.ts";
import { deleteAuthorizationActivity } from "../domain/people/approvals/requests.ts";
import { mayFederate } from "../domain/posts/statuses/rules.ts";
import type { StatusView } from "../domain/posts/statuses/tables.ts";
import { openTo } from "../domain/posts/statuses/visibility.ts";
import { fanOutEdit } from "../domain/reading/timelines/fanout.ts";
import { publishStatus } from "../domain/reading/timelines/streams.ts";
import { deliver, ownInboxOf } from "../federation/deliver.ts";
import { deliverEdited } from "./deliver-status.ts";

type Id = { statusId: string };

/** Sends the status again where it is shown, because it looks different now. */
const publishChange = async (app: App, view: StatusView): Promise<void> => {
  await fanOutEdit(app, view);
  await publishStatus(app, view, "status.update");
  if (view.local) await deliverEdited(app, view, app.clock.now());
};

/** Sends a request to the remote author of the quoted status, with the status that quotes it. */
export const onQuoteRequested = async (app: App, { statusId }: Id): Promise<void> => {
  const [view] = await loadAsServer(app, [statusId]);
  const authorId = view?.quote?.quoted_account_id;
  if (!view || view.quote?.state !== "pending" || !authorId || !mayFederate(view)) return;
  const author = (await loadAccounts(app, [authorId])).get(authorId);
  if (!author || author.domain === null) return;
  const activity = quoteRequest(view, noteDocument(view, app.config.site));
  const inboxes = [ownInboxOf(author)];
  const accountId = view.account_id;
  await deliver(app, app.sql, [{ accountId, activity, inboxes }]);
};

export const onQuoteAccepted = async (app: App, { statusId }: Id): Promise<void> => {
  const [view] = await loadAsServer(app, [statusId]);
  if (!view) return;
  await notify(app, app.sql, quotes([view]));
  await publishChange(app, view);
};

/** Sends a local author's revocation to the quoting server and to followers. */
const deliverRevoked = async (app: App, view: StatusView, ended: QuoteEnded): Promise<void> => {
  const { approvalUri, quotedAccountId } = ended;
  if (!approvalUri || !quotedAccountId) return;
  const author = (await loadAccounts(app, [quotedAccountId])).get(quotedAccountId);
  if (!author || author.domain !== null) return;
  const addresses = { interactingUri: view.uri, targetUri: view.quote!.quoted_uri };
  const activity = deleteAuthorizationActivity({
    kind: "quote",
    uri: approvalUri,
    author: author.uri,
    ...addresses,
  });
  const inboxes = view.local ? [] : [ownInboxOf(view.account)];
  const accountId = author.id;
  // The activity names the quoting post, so followers get it only where that is public.
  const toFollowers = openTo("elsewhere", view);
  await deliver(app, app.sql, [{ accountId, activity, inboxes, toFollowers }]);
};

export const onQuoteEnded = async (app: App, ended: QuoteEnded): Promise<void> => {
  const [view] = await loadAsServer(app, [ended.statusId]);
  if (!view?.quote) return;
  await deliverRevoked(app, view, ended);
  await publishChange(app, view);
};

export const onQuotePolicyChanged = async (app: App, { statusId }: Id): Promise<void> => {
  const [view] = await loadAsServer(app, [statusId]);
  if (view) await publishChange(app, view);
};
