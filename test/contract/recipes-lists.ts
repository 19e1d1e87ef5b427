// Recipes of the rows about lists, filters, tags, markers, collections and the like.

import { fresh, three } from "./recipe.ts";
import type { Cast } from "./cast.ts";
import type { Recipe, Recipes } from "./recipe.ts";

const listOf = async ({ must, me, friend }: Cast, members = true): Promise<string> => {
  const { id } = await must(me, "POST", "/api/v1/lists", { title: fresh("List ") });
  const account_ids = [friend.accountId];
  if (members) await must(me, "POST", `/api/v1/lists/${id}/accounts`, { account_ids });
  return id;
};

const ofList: Recipe = async (cast) => ({ path: { id: await listOf(cast) } });

const LIST = { title: "Renamed", replies_policy: "followed", exclusive: true };

const oldFilter = async ({ must, me }: Cast) =>
  must(me, "POST", "/api/v1/filters", { phrase: fresh("word"), context: ["home"] });

const ofOldFilter: Recipe = async (cast) => ({ path: { id: (await oldFilter(cast)).id } });

const filterOf = async ({ must, me }: Cast) =>
  must(me, "POST", "/api/v2/filters", {
    title: fresh("Filter "),
    context: ["home", "thread"],
    keywords_attributes: [{ keyword: "spoiler", whole_word: true }],
  });

const filteredStatus = async (cast: Cast) => {
  const { id } = await filterOf(cast);
  const status_id = await cast.post(cast.friend, fresh("hide me "));
  const path = `/api/v2/filters/${id}/statuses`;
  return { filter: id, status: await cast.must(cast.me, "POST", path, { status_id }) };
};

const ofFilter: Recipe = async (cast) => ({ path: { id: (await filterOf(cast)).id } });
const inFilter: Recipe = async (cast) => ({ path: { filter_id: (await filterOf(cast)).id } });
const ofKeyword: Recipe = async (cast) => ({ path: { id: (await filterOf(cast)).keywords[0].id } });
const ofFilteredStatus: Recipe = async (cast) => ({
  path: { id: (await filteredStatus(cast)).status.id },
});

const featuredTag = async ({ must, me }: Cast) => {
  for (const tag of await must(me, "GET", "/api/v1/featured_tags")) {
    await must(me, "DELETE", `/api/v1/featured_tags/${tag.id}`);
  }
  return must(me, "POST", "/api/v1/featured_tags", { name: fresh("shown") });
};

const followedTag = async ({ must, me }: Cast): Promise<string> =>
  (await must(me, "POST", `/api/v1/tags/${fresh("follow")}/follow`)).name;

const collectionOf = async ({ must, me, friend }: Cast, members = true) => {
  await must(friend, "PATCH", "/api/v1/accounts/update_credentials", { discoverable: true });
  const collection = await must(me, "POST", "/api/v1/collections", {
    name: fresh("Collection "),
    description: "people to read",
    language: "en",
    sensitive: false,
    discoverable: true,
    account_ids: members ? [friend.accountId] : [],
  });
  return collection.collection;
};

/** Deletes earlier collections, so that the limit is not reached. */
const noCollections = async ({ must, me }: Cast): Promise<void> => {
  const { collections } = await must(me, "GET", `/api/v1/accounts/${me.accountId}/collections`);
  for (const { id } of collections) await must(me, "DELETE", `/api/v1/collections/${id}`);
};

const newCollection = async (cast: Cast, members = true) => {
  await noCollections(cast);
  return collectionOf(cast, members);
};

const DEVICE = {
  device: {
    device_id: "1",
    name: "Phone",
    fingerprint_key: "ZmluZ2Vy",
    identity_key: "aWRlbnRpdHk",
  },
  one_time_keys: ["1", "2"].map((key_id) => ({ key_id, key: "a2V5", signature: "c2ln" })),
};

const withDevices = async (cast: Cast): Promise<Record<string, unknown>[]> => {
  await cast.must(cast.me, "POST", "/api/v1/crypto/keys/upload", DEVICE);
  await cast.must(cast.friend, "POST", "/api/v1/crypto/keys/upload", DEVICE);
  return [{ account_id: cast.friend.accountId, device_id: "1" }];
};

/** Sends three messages from the friend to the requester. */
const delivered = async (cast: Cast): Promise<void> => {
  await withDevices(cast);
  const device = {
    account_id: cast.me.accountId,
    device_id: "1",
    type: 1,
    body: "YQ==",
    hmac: "YQ",
  };
  await three(() =>
    cast.must(cast.friend, "POST", "/api/v1/crypto/deliveries", { device: [device] }),
  );
};

const YEAR = new Date().getUTCFullYear() - 1;

/** Makes posts of last year, and the annual report about them. */
const reported: Recipe = async ({ server, me, post, must }) => {
  const id = await post(me, fresh("last year #memories "));
  const when = new Date(Date.UTC(YEAR, 6, 1));
  await server.write`UPDATE statuses SET created_at = ${when} WHERE id = ${id}`;
  await must(me, "POST", `/api/v1/annual_reports/${YEAR}/generate`);
  await server.runJobs();
  return { path: { year: String(YEAR) } };
};

export const LISTS: Recipes = {
  "GET /api/v1/lists": async (cast) => {
    await listOf(cast);
    return {};
  },
  "POST /api/v1/lists": () => ({ json: { ...LIST, title: fresh("List ") } }),
  "GET /api/v1/lists/{id}": ofList,
  "DELETE /api/v1/lists/{id}": ofList,
  "PUT /api/v1/lists/{id}": async (cast) => ({ ...(await ofList(cast)), json: LIST }),
  "GET /api/v1/lists/{id}/accounts": async (cast) => {
    const id = await listOf(cast);
    const account_ids = await three(async () => {
      const { accountId } = await cast.server.person(fresh(`${cast.me.username}_l`));
      await cast.must(cast.me, "POST", `/api/v1/accounts/${accountId}/follow`);
      return accountId;
    });
    await cast.must(cast.me, "POST", `/api/v1/lists/${id}/accounts`, { account_ids });
    return { path: { id } };
  },
  "POST /api/v1/lists/{id}/accounts": async (cast) => ({
    path: { id: await listOf(cast, false) },
    json: { account_ids: [cast.friend.accountId] },
  }),
  "DELETE /api/v1/lists/{id}/accounts": async (cast) => ({
    ...(await ofList(cast)),
    json: { account_ids: [cast.friend.accountId] },
  }),

  "GET /api/v1/filters": async (cast) => {
    await oldFilter(cast);
    return {};
  },
  "POST /api/v1/filters": () => ({
    json: {
      phrase: fresh("word"),
      context: ["home", "public"],
      irreversible: true,
      whole_word: true,
      expires_in: 3600,
    },
  }),
  "GET /api/v1/filters/{id}": ofOldFilter,
  "DELETE /api/v1/filters/{id}": ofOldFilter,
  "PUT /api/v1/filters/{id}": async (cast) => ({
    ...(await ofOldFilter(cast)),
    json: { phrase: fresh("other"), context: ["thread"], whole_word: false },
  }),
  "GET /api/v2/filters": async (cast) => {
    await filteredStatus(cast);
    return {};
  },
  "POST /api/v2/filters": () => ({
    json: {
      title: fresh("Filter "),
      context: ["home"],
      filter_action: "hide",
      expires_in: 3600,
      keywords_attributes: [{ keyword: "spoiler", whole_word: false }],
    },
  }),
  "GET /api/v2/filters/{id}": ofFilter,
  "DELETE /api/v2/filters/{id}": ofFilter,
  "PUT /api/v2/filters/{id}": async (cast) => {
    const { id, keywords } = await filterOf(cast);
    return {
      path: { id },
      json: {
        title: fresh("Filter "),
        context: ["account"],
        keywords_attributes: [{ id: keywords[0].id, keyword: "ending" }, { keyword: "twist" }],
      },
    };
  },
  "GET /api/v2/filters/{filter_id}/keywords": inFilter,
  "POST /api/v2/filters/{filter_id}/keywords": async (cast) => ({
    ...(await inFilter(cast)),
    json: { keyword: "another", whole_word: true },
  }),
  "GET /api/v2/filters/keywords/{id}": ofKeyword,
  "DELETE /api/v2/filters/keywords/{id}": ofKeyword,
  "PUT /api/v2/filters/keywords/{id}": async (cast) => ({
    ...(await ofKeyword(cast)),
    json: { keyword: "changed", whole_word: false },
  }),
  "GET /api/v2/filters/{filter_id}/statuses": async (cast) => ({
    path: { filter_id: (await filteredStatus(cast)).filter },
  }),
  "POST /api/v2/filters/{filter_id}/statuses": async (cast) => ({
    ...(await inFilter(cast)),
    json: { status_id: await cast.post(cast.friend, fresh("hide me ")) },
  }),
  "GET /api/v2/filters/statuses/{id}": ofFilteredStatus,
  "DELETE /api/v2/filters/statuses/{id}": ofFilteredStatus,

  "GET /api/v1/tags/{name}": async (cast) => {
    const name = fresh("topic");
    await cast.post(cast.friend, `about #${name}`);
    return { path: { name } };
  },
  "POST /api/v1/tags/{name}/follow": () => ({ path: { name: fresh("follow") } }),
  "POST /api/v1/tags/{name}/unfollow": async (cast) => ({
    path: { name: await followedTag(cast) },
  }),
  "POST /api/v1/tags/{id}/feature": async (cast) => {
    await featuredTag(cast);
    return { path: { id: fresh("feature") } };
  },
  "POST /api/v1/tags/{id}/unfeature": async (cast) => ({
    path: { id: (await featuredTag(cast)).name },
  }),
  "GET /api/v1/followed_tags": async (cast) => {
    await three(() => followedTag(cast));
    return {};
  },
  "GET /api/v1/featured_tags": async (cast) => {
    await featuredTag(cast);
    return {};
  },
  "POST /api/v1/featured_tags": async (cast) => {
    await featuredTag(cast);
    return { json: { name: fresh("shown") } };
  },
  "DELETE /api/v1/featured_tags/{id}": async (cast) => ({
    path: { id: (await featuredTag(cast)).id },
  }),
  "GET /api/v1/featured_tags/suggestions": async (cast) => {
    await cast.post(cast.me, `again #${fresh("often")}`);
    return {};
  },

  "GET /api/v1/markers": async ({ must, me }) => {
    await must(me, "POST", "/api/v1/markers", { home: { last_read_id: "5" } });
    return { query: { "timeline[]": ["home", "notifications"] } };
  },
  "POST /api/v1/markers": () => ({
    json: { home: { last_read_id: "103" }, notifications: { last_read_id: "104" } },
  }),

  "POST /api/v1/collections": async (cast) => {
    await noCollections(cast);
    return { json: { name: fresh("Collection "), description: "", tag_name: "people" } };
  },
  "GET /api/v1/collections/{id}": async (cast) => ({
    path: { id: (await newCollection(cast)).id },
  }),
  "PATCH /api/v1/collections/{id}": async (cast) => ({
    path: { id: (await newCollection(cast)).id },
    json: { name: "Renamed", description: "new", sensitive: true, discoverable: false },
  }),
  "DELETE /api/v1/collections/{id}": async (cast) => ({
    path: { id: (await newCollection(cast)).id },
  }),
  "POST /api/v1/collections/{collection_id}/items": async (cast) => ({
    path: { collection_id: (await newCollection(cast, false)).id },
    json: { account_id: cast.friend.accountId },
  }),
  "DELETE /api/v1/collections/{collection_id}/items/{id}": async (cast) => {
    const { id, items } = await newCollection(cast);
    return { path: { collection_id: id, id: items[0].id } };
  },
  "POST /api/v1/collections/{collection_id}/items/{id}/revoke": async (cast) => {
    const { id, items } = await newCollection(cast);
    return { path: { collection_id: id, id: items[0].id }, token: cast.friend.token };
  },
  "GET /api/v1/accounts/{id}/collections": async (cast) => {
    await noCollections(cast);
    await three(() => collectionOf(cast));
    return { path: { id: cast.me.accountId } };
  },
  "GET /api/v1/accounts/{id}/in_collections": async (cast) => {
    await noCollections(cast);
    await three(() => collectionOf(cast));
    return { path: { id: cast.friend.accountId }, token: cast.friend.token };
  },

  "POST /api/v1/crypto/keys/upload": () => ({ json: DEVICE }),
  "POST /api/v1/crypto/keys/query": async (cast) => {
    await withDevices(cast);
    return { json: { id: [cast.friend.accountId] } };
  },
  "POST /api/v1/crypto/keys/claim": async (cast) => ({ json: { device: await withDevices(cast) } }),
  "GET /api/v1/crypto/keys/count": async (cast) => {
    await withDevices(cast);
    return {};
  },
  "POST /api/v1/crypto/deliveries": async (cast) => {
    const [device] = await withDevices(cast);
    return { json: { device: [{ ...device, type: 1, body: "YQ==", hmac: "YQ" }] } };
  },
  "GET /api/v1/crypto/encrypted_messages": async (cast) => {
    await delivered(cast);
    return {};
  },
  "POST /api/v1/crypto/encrypted_messages/clear": async (cast) => {
    await delivered(cast);
    const [newest] = await cast.must(cast.me, "GET", "/api/v1/crypto/encrypted_messages");
    return { json: { up_to_id: newest.id } };
  },

  "GET /api/v1/annual_reports": async (cast) => {
    await reported(cast);
    return {};
  },
  "GET /api/v1/annual_reports/{year}": reported,
  "POST /api/v1/annual_reports/{year}/read": reported,
  "GET /api/v1/annual_reports/{year}/state": reported,
  "POST /api/v1/annual_reports/{year}/generate": reported,
};
