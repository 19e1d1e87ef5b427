// An endless server: replies to replies by ever new authors, loops, endless collections, redirects to a URL in the
// path.

import type { IncomingMessage, ServerResponse } from "node:http";
import { TEST_KEYS } from "../keys.ts";
import { PUBLIC } from "./stage.ts";
import type { Json } from "./stage.ts";

const ACTIVITY = "application/activity+json";

/** Encodes a header, which must be ASCII. */
export const ascii = (text: string): string => (/^[ -~]*$/.test(text) ? text : encodeURI(text));

const json = (response: ServerResponse, body: unknown, type = ACTIVITY): void =>
  void response.writeHead(200, { "content-type": type }).end(JSON.stringify(body));

const actorBody = (origin: string, name: string): Json => {
  const id = `${origin}/u/${name}`;
  const publicKey = { id: `${id}#main-key`, owner: id, publicKeyPem: TEST_KEYS[2]!.publicKeyPem };
  const endless = {
    outbox: `${origin}/pages/1`,
    featured: `${origin}/pages/1`,
    followers: `${origin}/pages/1`,
    following: `${origin}/pages/1`,
  };
  return {
    id,
    type: "Person",
    preferredUsername: name,
    inbox: `${id}/inbox`,
    publicKey,
    ...endless,
  };
};

/** /n/K replies to /n/K+1, each by another author; /c/1 and /c/2 reply to each other; /pages never end. */
export const maze = (request: IncomingMessage, response: ServerResponse): void => {
  const path = decodeURIComponent(request.url ?? "");
  const origin = `http://${request.headers.host}`;
  const note = (id: string, parent: string, name: string) => ({
    id: origin + id,
    type: "Note",
    attributedTo: `${origin}/u/${name}`,
    content: "x",
    to: [PUBLIC],
    inReplyTo: origin + parent,
    replies: { type: "Collection", first: `${origin}/pages/1`, items: [`${origin}/pages/2`] },
  });
  const [, kind = "", rest = ""] = /^\/([^/?]+)\/?([^?]*)/.exec(path) ?? [];
  if (kind === "n") return json(response, note(`/n/${rest}`, `/n/${Number(rest) + 1}`, `p${rest}`));
  if (kind === "c") return json(response, note(`/c/${rest}`, `/c/${3 - Number(rest)}`, "c"));
  if (kind === "u") return json(response, actorBody(origin, rest));
  if (kind === "pages")
    return json(response, {
      id: origin + path,
      type: "OrderedCollectionPage",
      next: `${origin}/pages/${Number(rest) + 1}`,
      orderedItems: [`${origin}/n/0`],
    });
  if (kind === "to") return void response.writeHead(302, { location: ascii(rest) }).end();
  if (kind === ".well-known") {
    const name = /acct:([^@]+)@/.exec(path)?.[1] ?? "";
    const links = [{ rel: "self", type: ACTIVITY, href: `${origin}/u/${name}` }];
    return json(
      response,
      { subject: `acct:${name}@${request.headers.host}`, links },
      "application/jrd+json",
    );
  }
  response.writeHead(404).end();
};
