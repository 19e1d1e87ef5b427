// Checks authorizations: documents by which another server's author allows an interaction with a post, or somebody
// consents to be in a collection. Such a document is on that person's server, names both the post (or the person) and
// the interaction, and is believed for nothing else.

import type { App } from "../platform/app.ts";
import { idOf, sameHost, typesOf } from "../platform/json/read.ts";
import { restrictsReplies, needsProof } from "../domain/posts/statuses/rules.ts";
import type { ParsedNote } from "../domain/posts/statuses/parse-note.ts";
import { authorizationType } from "../domain/people/approvals/requests.ts";
import type { RequestKind } from "../domain/people/approvals/requests.ts";
import { fetchDocument } from "./documents.ts";
import { nullUnlessTemporary } from "./faults.ts";
import { isLocalUri } from "./hosts.ts";
import { selectStatusFacts, selectVisible } from "./inbox/queries-facts.ts";
import type { StatusFacts } from "./inbox/queries-facts.ts";
import { selectRemotePost, selectStatusId } from "./queries.ts";

export type Claim = {
  kind: RequestKind;
  uri: string | null;
  /** The post that was quoted, replied to or boosted, and its author; for a collection, the featured person as both. */
  target: { uri: string; authorUri: string };
  /** Address of the quote, reply, boost or collection. */
  interactingUri: string;
};

/** Whether the authorization is valid. Throws RemoteFault (503) when the author's server does not answer. */
export const isAuthorized = async (app: App, claim: Claim): Promise<boolean> => {
  const { kind, uri, target, interactingUri } = claim;
  // Local authorizations are given when a request is answered, which does everything needed.
  if (!uri || isLocalUri(app, uri) || !sameHost(uri, target.authorUri)) return false;
  const fetched = await nullUnlessTemporary(fetchDocument(app, uri, { cause: "note" }));
  if (!fetched || fetched.id !== uri) return false;
  const { document } = fetched;
  const author = idOf(document["attributedTo"]);
  // FEP-7aa9 does not require the author of a consent, who is the person.
  const isByAuthor = author === target.authorUri || (kind === "feature" && author === null);
  return (
    isByAuthor &&
    typesOf(document).includes(authorizationType(kind)) &&
    idOf(document["interactingObject"]) === interactingUri &&
    idOf(document["interactionTarget"]) === target.uri
  );
};

/** Checks like `isAuthorized`, for a stored post. */
export const isAuthorizedFor = async (
  app: App,
  { targetUri, ...claim }: Omit<Claim, "target"> & { targetUri: string },
): Promise<boolean> => {
  const id = await selectStatusId(app.sql, targetUri);
  const post = id === null ? null : await selectRemotePost(app.sql, id);
  if (!post) return false;
  return isAuthorized(app, { ...claim, target: { uri: post.uri, authorUri: post.author_uri } });
};

/** Whether a reply to a post, by somebody whom the post does not name, needs its author's authorization. */
export const answerNeedsProof = (parent: StatusFacts, authorId: string): boolean =>
  !parent.local &&
  parent.account_id !== authorId &&
  !parent.named?.includes(authorId) &&
  needsProof(parent, "reply");

/**
 * Whether a fetched reply may be stored: the author of the post that it replies to must allow it. Throws RemoteFault
 * (503).
 */
export const mayAnswer = async (
  app: App,
  author: { id: string },
  { uri, inReplyToUri, approvalUri }: ParsedNote,
): Promise<boolean> => {
  const [parent] = inReplyToUri ? await selectStatusFacts(app.sql, [inReplyToUri]) : [];
  if (parent?.local && restrictsReplies(parent)) {
    const [allowed] = await selectVisible(app.sql, [{ statusId: parent.id, actorId: author.id }]);
    return allowed?.may_reply === true;
  }
  if (!parent || !answerNeedsProof(parent, author.id)) return true;
  return isAuthorizedFor(app, {
    kind: "reply",
    uri: approvalUri,
    targetUri: parent.uri,
    interactingUri: uri,
  });
};
