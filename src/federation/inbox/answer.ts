// Answers a request to quote, reply to, favourite or boost a local post: Accept with the address of the authorization,
// or Reject, which goes to the requester's inbox.

import type { App } from "../../platform/app.ts";
import { loadAccounts } from "../../domain/people/accounts/load.ts";
import { acceptRequest, rejectRequest } from "../../domain/people/approvals/requests.ts";
import type { Request } from "../../domain/people/approvals/requests.ts";
import { deliver, ownInboxOf } from "../deliver.ts";

type Answer = {
  authorId: string;
  askerId: string;
  request: Request;
  /** Address of the authorization; null to refuse. */
  authorization: string | null;
};

export const sendAnswer = async (
  app: App,
  { authorId, askerId, request, authorization }: Answer,
): Promise<void> => {
  const accounts = await loadAccounts(app, [authorId, askerId]);
  const [author, asker] = [accounts.get(authorId), accounts.get(askerId)];
  if (!author || !asker) return;
  const activity = authorization
    ? acceptRequest(author.uri, request, authorization)
    : rejectRequest(author.uri, request);
  const inboxes = [ownInboxOf(asker)];
  await deliver(app, app.sql, [{ accountId: author.id, activity, inboxes }]);
};
