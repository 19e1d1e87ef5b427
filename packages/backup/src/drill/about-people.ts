// Questions of a drill about a few people: how others find them, who they are, and what they read.

import { createPublicKey, sign, verify } from "node:crypto";
import { ask } from "./ask.ts";
import { differences, refusal } from "./question.ts";
import type { Question, Tokens } from "./question.ts";
import { selectBelonging, selectBookmarked, selectNotified, selectPage } from "./queries.ts";
import type { Person } from "./queries.ts";
import type { ThrowAway } from "./throw-away.ts";

const ACTIVITY_JSON = "application/activity+json";
const PAGE = 40;
const TEXT = Buffer.from("restore drill");

type Context = { server: ThrowAway; tokens: Tokens; person: Person };

/** Returns the path of an address of this server. */
const pathOf = (uri: string): string => new URL(uri).pathname;

const webfinger = ({ server, person }: Context): Question => {
  const handle = `${person.username}@${server.app.config.site.localDomain}`;
  const path = `/.well-known/webfinger?resource=acct:${handle}`;
  return {
    about: path,
    async judge() {
      const reply = await ask(server, path);
      const self = reply.json?.links?.find((link: { rel: string }) => link.rel === "self");
      return refusal(reply) ?? differences([["The actor", self?.href, person.uri]]);
    },
  };
};

/** Whether the public key verifies what the private key signs. */
const areOnePair = (privateKey: string, publicKey: string): boolean =>
  verify("sha256", TEXT, createPublicKey(publicKey), sign("sha256", TEXT, privateKey));

const actor = ({ server, person }: Context): Question => ({
  about: pathOf(person.uri),
  async judge() {
    const reply = await ask(server, pathOf(person.uri), { accept: ACTIVITY_JSON });
    const refused = refusal(reply);
    if (refused !== null) return refused;
    const pem: string = reply.json?.publicKey?.publicKeyPem ?? "";
    const wrong = differences([
      ["The id of the actor", reply.json?.id, person.uri],
      ["The public key", pem.trim(), person.public_key.trim()],
    ]);
    if (wrong !== null) return wrong;
    if (person.private_key === null) return "The account has no private key.";
    return areOnePair(person.private_key, pem) ? null : "The two keys are not one pair.";
  },
});

const profile = ({ server, tokens, person }: Context): Question => {
  const path = `/api/v1/accounts/${person.account_id}`;
  return {
    about: path,
    async judge() {
      const reply = await ask(server, path, { token: await tokens(person.user_id) });
      const { username, display_name: name, statuses_count, followers_count } = reply.json ?? {};
      return (
        refusal(reply) ??
        differences([
          ["The name", username, person.username],
          ["The display name", name, person.display_name],
          ["The number of posts", statuses_count, Number(person.statuses_count)],
          ["The number of followers", followers_count, Number(person.followers_count)],
        ])
      );
    },
  };
};

/** Asks for a list of theirs; `judge` gets the ids in it. */
const list = (
  { server, tokens, person }: Context,
  path: string,
  judge: (ids: string[]) => Promise<string | null>,
): Question => ({
  about: `${path} of ${person.username}`,
  async judge() {
    const reply = await ask(server, path, { token: await tokens(person.user_id) });
    const refused = refusal(reply);
    if (refused !== null) return refused;
    return judge((reply.json as { id: string }[]).map(({ id }) => id));
  },
});

const strange = (ids: string[], known: Set<string>): string | null => {
  const stranger = ids.find((id) => !known.has(id));
  return stranger === undefined ? null : `${stranger} does not belong there by the database.`;
};

const posts = (context: Context): Question => {
  const { server, person } = context;
  const path = `/api/v1/accounts/${person.account_id}/statuses?limit=${PAGE}&exclude_reblogs=true`;
  return list(context, path, async (ids) => {
    const stored = await selectPage(server.app.sql, person.account_id, PAGE);
    return differences([["The list of posts", ids.join(), stored.join()]]);
  });
};

const home = (context: Context): Question => {
  const { server, person } = context;
  return list(context, `/api/v1/timelines/home?limit=${PAGE}`, async (ids) => {
    const known = await selectBelonging(server.app.sql, person.account_id, ids);
    return strange(ids, known);
  });
};

const bookmarks = (context: Context): Question =>
  list(context, `/api/v1/bookmarks?limit=${PAGE}`, async (ids) =>
    strange(ids, await selectBookmarked(context.server.app.sql, context.person.account_id)),
  );

const notifications = (context: Context): Question =>
  list(context, `/api/v1/notifications?limit=${PAGE}`, async (ids) =>
    strange(ids, await selectNotified(context.server.app.sql, context.person.account_id, ids)),
  );

export const aboutPerson = (context: Context): Question[] =>
  [webfinger, actor, profile, posts, home, bookmarks, notifications].map((question) =>
    question(context),
  );
