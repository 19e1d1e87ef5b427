// Recipes of the rows about accounts and relations.

import { modifyEveryone } from "../../src/domain/base/roles/roles.ts";
import { chooseMails } from "../../src/domain/reading/mails/choose.ts";
import { followed } from "./cast.ts";
import type { Cast } from "./cast.ts";
import { fromAnywhere } from "./checks.ts";
import { fresh, plain, three } from "./recipe.ts";
import type { Recipe, Recipes } from "./recipe.ts";

const ofFriend: Recipe = ({ friend }) => ({ path: { id: friend.accountId } });

const afterOnFriend =
  (verb: string): Recipe =>
  async ({ must, me, friend }) => {
    await must(me, "POST", `/api/v1/accounts/${friend.accountId}/follow`);
    await must(me, "POST", `/api/v1/accounts/${friend.accountId}/${verb}`);
    return { path: { id: friend.accountId } };
  };

const stranger = (cast: Cast) => cast.server.person(fresh(`${cast.me.username}_s`));

const strangers = async (cast: Cast, verb: string) =>
  three(async () => {
    const person = await stranger(cast);
    await cast.must(cast.me, "POST", `/api/v1/accounts/${person.accountId}/${verb}`);
    return person;
  });

const endorsed = async (cast: Cast): Promise<void> => {
  await three(async (index) => {
    const person = await followed(cast, fresh(`e${index}`));
    await cast.must(cast.me, "POST", `/api/v1/accounts/${person.accountId}/endorse`);
  });
};

const askedToFollow = async (cast: Cast) => {
  await cast.must(cast.me, "PATCH", "/api/v1/accounts/update_credentials", { locked: true });
  return three(async () => {
    const person = await stranger(cast);
    await cast.must(person, "POST", `/api/v1/accounts/${cast.me.accountId}/follow`);
    return person;
  });
};

/** Makes accounts that the friend follows, so that they are suggested to the requester. */
const suggested = async (cast: Cast) => {
  const people = await three(async () => {
    const person = await stranger(cast);
    await cast.must(person, "PATCH", "/api/v1/accounts/update_credentials", { discoverable: true });
    await cast.must(cast.friend, "POST", `/api/v1/accounts/${person.accountId}/follow`);
    await cast.post(person, "worth following");
    return person;
  });
  await cast.server.runJobs();
  return people;
};

const CREDENTIALS = {
  display_name: "Contract",
  note: "Calls every row",
  locked: false,
  bot: false,
  discoverable: true,
  hide_collections: false,
  indexable: true,
  attribution_domains: ["example.com"],
  fields_attributes: [{ name: "Site", value: "https://example.com" }],
  source: { privacy: "unlisted", sensitive: false, language: "en", quote_policy: "followers" },
};

const blockedDomains = async ({ must, me }: Cast): Promise<void> => {
  await three((index) =>
    must(me, "POST", "/api/v1/domain_blocks", { domain: `d${index}.example` }),
  );
};

export const ACCOUNTS: Recipes = {
  "GET /api/v1/accounts": ({ me, friend }) => ({
    query: { "id[]": [me.accountId, friend.accountId] },
  }),
  "POST /api/v1/accounts": async ({ server }) => ({
    token: await server.token(null, ["read", "write", "follow"]),
    json: {
      username: fresh("newcomer"),
      email: `${fresh("newcomer")}@example.com`,
      password: "a long enough password",
      agreement: true,
      locale: "en",
      reason: "to read",
    },
  }),
  "GET /api/v1/accounts/familiar_followers": async (cast) => {
    await cast.must(cast.friend, "POST", `/api/v1/accounts/${cast.stranger.accountId}/follow`);
    return { query: { "id[]": [cast.stranger.accountId] } };
  },
  "GET /api/v1/accounts/lookup": ({ friend }) => ({ query: { acct: friend.username } }),
  "GET /api/v1/accounts/relationships": ({ friend, stranger: other }) => ({
    query: { "id[]": [friend.accountId, other.accountId] },
  }),
  "GET /api/v1/accounts/search": ({ me }) => ({ query: { q: me.username.slice(0, 3) } }),
  "PATCH /api/v1/accounts/update_credentials": () => ({ json: CREDENTIALS }),
  "PUT /api/v1/accounts/update_credentials": () => ({ json: CREDENTIALS }),
  "GET /api/v1/accounts/verify_credentials": plain,
  "GET /api/v1/accounts/{id}": ofFriend,
  "POST /api/v1/accounts/{id}/block": async (cast) => ({
    path: { id: (await stranger(cast)).accountId },
  }),
  "POST /api/v1/accounts/{id}/endorse": afterOnFriend("unendorse"),
  "POST /api/v1/accounts/{id}/unendorse": afterOnFriend("endorse"),
  "POST /api/v1/accounts/{id}/pin": afterOnFriend("unpin"),
  "POST /api/v1/accounts/{id}/unpin": afterOnFriend("pin"),
  "GET /api/v1/accounts/{id}/endorsements": async (cast) => {
    await endorsed(cast);
    return { path: { id: cast.me.accountId } };
  },
  "GET /api/v1/accounts/{id}/featured_tags": async ({ must, me }) => {
    await must(me, "POST", "/api/v1/featured_tags", { name: fresh("shown") });
    return { path: { id: me.accountId } };
  },
  "POST /api/v1/accounts/{id}/follow": ({ stranger: other }) => ({
    path: { id: other.accountId },
    json: { reblogs: false, notify: true, languages: ["en"] },
  }),
  "GET /api/v1/accounts/{id}/followers": async (cast) => {
    await three(async () => {
      const person = await stranger(cast);
      await cast.must(person, "POST", `/api/v1/accounts/${cast.friend.accountId}/follow`);
    });
    return { path: { id: cast.friend.accountId } };
  },
  "GET /api/v1/accounts/{id}/following": async (cast) => {
    await three((index) => followed(cast, fresh(`f${index}`)));
    return { path: { id: cast.me.accountId } };
  },
  "GET /api/v1/accounts/{id}/identity_proofs": ofFriend,
  "GET /api/v1/accounts/{id}/lists": async ({ must, me, friend }) => {
    const list = await must(me, "POST", "/api/v1/lists", { title: "Friends" });
    const account_ids = [friend.accountId];
    await must(me, "POST", `/api/v1/lists/${list.id}/accounts`, { account_ids });
    return { path: { id: friend.accountId } };
  },
  "POST /api/v1/accounts/{id}/mute": ({ stranger: other }) => ({
    path: { id: other.accountId },
    json: { notifications: false, duration: 3600 },
  }),
  "POST /api/v1/accounts/{id}/email_subscriptions": async ({ friend, server: { app } }) => {
    await modifyEveryone(app.sql, ["invite_users", "manage_email_subscriptions"]);
    await chooseMails(app, friend.userId, { subscribers: true });
    return { path: { id: friend.accountId }, json: { email: "ada@there.example" } };
  },
  "POST /api/v1/accounts/{id}/note": ({ friend }) => ({
    path: { id: friend.accountId },
    json: { comment: "met at the fair" },
  }),
  "POST /api/v1/accounts/{id}/remove_from_followers": async (cast) => {
    const person = await stranger(cast);
    await cast.must(person, "POST", `/api/v1/accounts/${cast.me.accountId}/follow`);
    return { path: { id: person.accountId } };
  },
  "GET /api/v1/accounts/{id}/statuses": async ({ post, friend }) => {
    await three((index) => post(friend, `number ${index}`));
    return { path: { id: friend.accountId } };
  },
  "POST /api/v1/accounts/{id}/unblock": async (cast) => ({
    path: { id: (await strangers(cast, "block"))[0]!.accountId },
  }),
  "POST /api/v1/accounts/{id}/unfollow": async (cast) => ({
    path: { id: (await followed(cast, fresh("u"))).accountId },
  }),
  "POST /api/v1/accounts/{id}/unmute": async (cast) => ({
    path: { id: (await strangers(cast, "mute"))[0]!.accountId },
  }),
  "POST /api/v1/follows": async (cast) => ({
    json: { uri: (await stranger(cast)).username, reblogs: true },
  }),
  // The older form of Relationship has a check of its own in checks.ts.
  "GET /api/v1/relationships": ({ friend }) => ({ query: { "id[]": [friend.accountId] } }),
  "GET /api/v1/blocks": async (cast) => {
    await strangers(cast, "block");
    return {};
  },
  "GET /api/v1/mutes": async (cast) => {
    await strangers(cast, "mute");
    return {};
  },
  "GET /api/v1/directory": async (cast) => {
    await suggested(cast);
    return { query: { order: "new", local: "true" } };
  },
  "GET /api/v1/domain_blocks": async (cast) => {
    await blockedDomains(cast);
    return {};
  },
  "POST /api/v1/domain_blocks": () => ({ json: { domain: "spam.example" } }),
  "DELETE /api/v1/domain_blocks": async (cast) => {
    await blockedDomains(cast);
    return { json: { domain: "d1.example" } };
  },
  "GET /api/v1/domain_blocks/preview": () => ({ query: { domain: "spam.example" } }),
  "GET /api/v1/emails/check_confirmation": plain,
  "POST /api/v1/emails/confirmations": async ({ server }) => {
    const named = {
      client_name: "Sign-up",
      redirect_uris: "urn:ietf:wg:oauth:2.0:oob",
      scopes: "read write",
    };
    const headers = fromAnywhere();
    const { client_id, client_secret } = (
      await server.request("POST", "/api/v1/apps", { json: named, headers })
    ).json;
    const form = {
      grant_type: "client_credentials",
      client_id,
      client_secret,
      scope: "read write",
    };
    const app = (await server.request("POST", "/oauth/token", { form, headers })).json.access_token;
    const answer = await server.request("POST", "/api/v1/accounts", {
      token: app,
      headers,
      json: {
        username: fresh("waiting"),
        email: `${fresh("waiting")}@example.com`,
        password: "a long enough password",
        agreement: true,
        locale: "en",
        reason: "to read",
      },
    });
    return { token: answer.json.access_token };
  },
  "GET /api/v1/endorsements": async (cast) => {
    await endorsed(cast);
    return {};
  },
  "GET /api/v1/follow_requests": async (cast) => {
    await askedToFollow(cast);
    return {};
  },
  "POST /api/v1/follow_requests/{account_id}/authorize": async (cast) => ({
    path: { account_id: (await askedToFollow(cast))[0]!.accountId },
  }),
  "POST /api/v1/follow_requests/{account_id}/reject": async (cast) => ({
    path: { account_id: (await askedToFollow(cast))[0]!.accountId },
  }),
  "GET /api/v1/preferences": plain,
  "GET /api/v1/profile": plain,
  "PATCH /api/v1/profile": () => {
    const { source: _, ...profile } = CREDENTIALS;
    return {
      json: { ...profile, show_media: true, show_media_replies: false, show_featured: true },
    };
  },
  "DELETE /api/v1/profile/avatar": plain,
  "DELETE /api/v1/profile/header": plain,
  "GET /api/v1/suggestions": async (cast) => {
    await suggested(cast);
    return {};
  },
  "GET /api/v2/suggestions": async (cast) => {
    await suggested(cast);
    return {};
  },
  "DELETE /api/v1/suggestions/{account_id}": async (cast) => ({
    path: { account_id: (await suggested(cast))[0]!.accountId },
  }),
};
