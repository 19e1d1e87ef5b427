// What people do, each act with its frequency. An act that does not fit (deleting what is deleted) is refused, and that
// is no fault: only a failure of the server is one.

import type { Person } from "../harness.ts";
import type { Owned, World } from "./world.ts";

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const WORDS = ["rook", "crow", "#red", "#blue", "elm", "@alice", "@bob", "@carol"];
const TAGS = ["red", "blue"];

type Act = (world: World) => Promise<string>;

const call = async (by: Person, method: string, path: string, json: object = {}) => {
  const answer = await by.send(method, path, json);
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  const body = Object.keys(json).length > 0 ? ` ${JSON.stringify(json)}` : "";
  return { answer, text: `${by.username} ${method} ${path}${body}: ${answer.status}` };
};

const words = (world: World): string =>
  Array.from({ length: 1 + Math.floor(world.random() * 4) }, () => world.pick(WORDS)).join(" ");

const VISIBILITIES = ["public", "public", "public", "unlisted", "private", "direct"];

const post: Act = async (world) => {
  const by = world.pick(world.people);
  const more = {
    ...(world.chance(0.35) &&
      world.statuses.length > 0 && { in_reply_to_id: someStatus(world).id }),
    ...(world.chance(0.1) &&
      world.statuses.length > 0 && { quoted_status_id: someStatus(world).id }),
    ...(world.chance(0.1) && { poll: { options: ["yes", "no"], expires_in: 86_400 } }),
    ...(world.chance(0.1) && { spoiler_text: "about birds" }),
  };
  const json = {
    status: words(world),
    visibility: world.pick(VISIBILITIES),
    language: world.pick(["en", "de"]),
    ...more,
  };
  const { answer, text } = await call(by, "POST", "/api/v1/statuses", json);
  if (answer.status === 200) world.statuses.push({ id: answer.json.id, by });
  return text;
};

/** Boosts, often something that the person has boosted already. */
const reblog: Act = async (world) => {
  const by = world.pick(world.people);
  const again = world.boosts.length > 0 && world.chance(0.5);
  const { id } = again ? world.pick(world.boosts.slice(-4)) : someStatus(world);
  const json = world.chance(0.2) ? { visibility: world.pick(["unlisted", "private"]) } : {};
  const { answer, text } = await call(by, "POST", `/api/v1/statuses/${id}/reblog`, json);
  if (answer.status !== 200) return text;
  world.statuses.push({ id: answer.json.id, by });
  world.boosts.push({ id, by });
  return text;
};

const onStatus =
  (...verbs: string[]): Act =>
  async (world) => {
    const path = `/api/v1/statuses/${someStatus(world).id}/${world.pick(verbs)}`;
    return (await call(world.pick(world.people), "POST", path)).text;
  };

/** Returns a status, most often one of the newest. */
const someStatus = (world: World): Owned =>
  world.pick(world.chance(0.6) ? world.statuses.slice(-10) : world.statuses);

const onAccount =
  (verb: string, options: (world: World) => object = () => ({})): Act =>
  async (world) => {
    const path = `/api/v1/accounts/${world.pick(world.accounts)}/${verb}`;
    return (await call(world.pick(world.people), "POST", path, options(world))).text;
  };

/** Returns an act on something that belongs to the person who acts. */
const onOwned =
  (
    of: (world: World) => Owned[],
    method: string,
    path: (id: string, world: World) => string,
    body: (world: World) => object = () => ({}),
  ): Act =>
  async (world) => {
    const all = of(world);
    const { id, by } = world.pick(world.chance(0.6) ? all.slice(-10) : all);
    return (await call(by, method, path(id, world), body(world))).text;
  };

const statuses = (world: World): Owned[] => world.statuses;
const boosts = (world: World): Owned[] => world.boosts;
const lists = (world: World): Owned[] => world.lists;
const filters = (world: World): Owned[] => world.filters;

const followOptions = (world: World): object => ({
  ...(world.chance(0.3) && { reblogs: world.chance(0.5) }),
  ...(world.chance(0.3) && { notify: world.chance(0.5) }),
  ...(world.chance(0.2) && { languages: world.pick([["en"], ["de"], []]) }),
});

const listOptions = (world: World): object => ({
  title: "List",
  replies_policy: world.pick(["none", "list", "followed"]),
  exclusive: world.chance(0.4),
});

const make =
  (into: (world: World) => Owned[], path: string, body: (world: World) => object): Act =>
  async (world) => {
    const by = world.pick(world.people);
    const { answer, text } = await call(by, "POST", path, body(world));
    if (answer.status === 200) into(world).push({ id: answer.json.id, by });
    return text;
  };

const filterOptions = (world: World): object => ({
  title: "Filter",
  context: world.pick([["home"], ["public", "thread"], ["home", "notifications", "account"]]),
  filter_action: world.pick(["warn", "hide"]),
  keywords_attributes: [{ keyword: world.pick(["rook", "crow", "elm"]), whole_word: true }],
});

const onTag: Act = async (world) => {
  const path = `/api/v1/tags/${world.pick(TAGS)}/${world.pick(["follow", "follow", "unfollow"])}`;
  return (await call(world.pick(world.people), "POST", path)).text;
};

const onRequests: Act = async (world) => {
  const path = `/api/v1/follow_requests/${world.pick(world.accounts)}/${world.pick(["authorize", "reject"])}`;
  return (await call(world.pick(world.people), "POST", path)).text;
};

const blockDomain: Act = async (world) => {
  const [by, method] = [world.pick(world.people), world.pick(["POST", "DELETE", "DELETE"])];
  const json = { domain: world.peer.host };
  return (await call(by, method, "/api/v1/domain_blocks", json)).text;
};

const changeProfile: Act = async (world) => {
  const json = world.pick<object>([
    { locked: true },
    { locked: false },
    { display_name: words(world) },
  ]);
  const path = "/api/v1/accounts/update_credentials";
  return (await call(world.pick(world.people), "PATCH", path, json)).text;
};

let serial = 0;

const send = async (world: World, by: World["actors"][number], activity: object) => {
  const id = `${by.uri}#activities/${++serial}`;
  const whole = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id,
    actor: by.uri,
    ...activity,
  };
  const { status, text } = await world.peer.post(`${world.server.url}/inbox`, by, whole);
  if (status !== 202) throw new Error(`the inbox answered ${status} ${text}`);
  return { id, text: `${by.name} sends ${JSON.stringify(activity)}` };
};

const hashtag = (world: World, name: string) => ({
  type: "Hashtag",
  name: `#${name}`,
  href: `${world.peer.origin}/tags/${name}`,
});

const localUri = async ({ server }: World, id: string): Promise<string | null> => {
  const rows = await server.app.sql<{ uri: string }[]>`
    SELECT uri FROM statuses WHERE id = ${id} AND reblog_of_id IS NULL`;
  return rows[0]?.uri ?? null;
};

const remoteNote: Act = async (world) => {
  const by = world.pick(world.actors);
  const name = world.pick(TAGS);
  const parent =
    world.chance(0.3) && world.statuses.length > 0
      ? await localUri(world, someStatus(world).id)
      : null;
  const object = world.peer.note(by, `/notes/${++serial}`, {
    content: `<p>${words(world)}</p>`,
    published: new Date().toISOString(),
    ...(world.chance(0.3) && { to: [`${by.uri}/followers`], cc: [] }),
    ...(world.chance(0.5) && { tag: [hashtag(world, name)] }),
    ...(parent !== null && { inReplyTo: parent }),
  });
  world.remotePosts.push({ uri: String(object["id"]), by });
  return (await send(world, by, { type: "Create", object, to: object["to"], cc: object["cc"] }))
    .text;
};

/** Learns about remote posts, which can then be boosted and answered here. */
const learn: Act = async (world) => {
  const { uri } = world.pick(world.remotePosts);
  const rows = await world.server.app.sql<
    { id: string }[]
  >`SELECT id FROM statuses WHERE uri = ${uri}`;
  const id = rows[0]?.id;
  if (id && !world.statuses.some((status) => status.id === id)) {
    // It belongs to nobody here, so deleting or editing it is refused.
    world.statuses.push({ id, by: world.people[0]! });
  }
  return `${uri} is ${id}`;
};

const announce: Act = async (world) => {
  const by = world.pick(world.actors);
  const object = world.chance(0.5)
    ? await localUri(world, someStatus(world).id)
    : world.pick(world.remotePosts).uri;
  if (object === null) return "nothing to boost from there";
  const { id, text } = await send(world, by, { type: "Announce", object, to: [PUBLIC] });
  world.boostsByActors.push({ id, by, object });
  return text;
};

const undoAnnounce: Act = async (world) => {
  const { id, by, object } = world.pick(world.boostsByActors);
  return (
    await send(world, by, { type: "Undo", object: { id, type: "Announce", actor: by.uri, object } })
  ).text;
};

const deleteRemote: Act = async (world) => {
  const { uri, by } = world.pick(world.remotePosts);
  return (await send(world, by, { type: "Delete", object: uri, to: [PUBLIC] })).text;
};

const acceptFollow: Act = async (world) => {
  const by = world.pick(world.actors);
  const actor = `${world.server.url}/users/${world.pick(world.people).username}`;
  const object = { type: "Follow", actor, object: by.uri };
  return (await send(world, by, { type: world.pick(["Accept", "Accept", "Reject"]), object })).text;
};

const followFromThere: Act = async (world) => {
  const by = world.pick(world.actors);
  const object = `${world.server.url}/users/${world.pick(world.people).username}`;
  return (await send(world, by, { type: "Follow", object })).text;
};

const ofStatus = (id: string): string => `/api/v1/statuses/${id}`;
const ofList = (id: string): string => `/api/v1/lists/${id}`;
const ofFilter = (id: string): string => `/api/v2/filters/${id}`;
const members = (world: World): object => ({ account_ids: [world.pick(world.accounts)] });

type Acts = [weight: number, act: Act, needs?: (world: World) => unknown[]][];

const POSTING: Acts = [
  [10, post],
  [8, reblog, statuses],
  [4, onOwned(boosts, "POST", (id) => `${ofStatus(id)}/unreblog`), boosts],
  [3, onStatus("favourite", "favourite", "unfavourite"), statuses],
  [2, onStatus("bookmark", "unbookmark"), statuses],
  [
    2,
    onOwned(statuses, "POST", (id, w) => `${ofStatus(id)}/${w.pick(["pin", "unpin"])}`),
    statuses,
  ],
  [3, onOwned(statuses, "DELETE", ofStatus), statuses],
  [3, onOwned(statuses, "PUT", ofStatus, (w) => ({ status: words(w) })), statuses],
  [4, remoteNote],
  [3, learn, (world) => world.remotePosts],
  [2, announce, (world) => (world.remotePosts.length > 0 ? world.statuses : [])],
  [1, undoAnnounce, (world) => world.boostsByActors],
  [1, deleteRemote, (world) => world.remotePosts],
];

const RELATIONS: Acts = [
  [7, onAccount("follow", followOptions)],
  [2, onAccount("unfollow")],
  [1, onAccount("remove_from_followers")],
  [1, onAccount("block")],
  [2, onAccount("unblock")],
  [2, onAccount("mute", (w) => ({ notifications: w.chance(0.5) }))],
  [2, onAccount("unmute")],
  [2, onStatus("mute", "unmute"), statuses],
  [1, onRequests],
  [1, blockDomain],
  [1, changeProfile],
  [2, onTag],
  [2, make(lists, "/api/v1/lists", listOptions)],
  [3, onOwned(lists, "POST", (id) => `${ofList(id)}/accounts`, members), lists],
  [1, onOwned(lists, "DELETE", (id) => `${ofList(id)}/accounts`, members), lists],
  [1, onOwned(lists, "PUT", ofList, listOptions), lists],
  [0.3, onOwned(lists, "DELETE", ofList), lists],
  [1, make(filters, "/api/v2/filters", filterOptions)],
  [0.5, onOwned(filters, "PUT", ofFilter, filterOptions), filters],
  [0.5, onOwned(filters, "DELETE", ofFilter), filters],
  [1, followFromThere],
  [3, acceptFollow],
];

/** Makes more than half of the people follow each other and the remote accounts at the beginning. */
export const befriend = async (world: World): Promise<void> => {
  for (const by of world.people) {
    for (const id of world.accounts) {
      if (id === by.accountId || world.chance(0.4)) continue;
      await call(by, "POST", `/api/v1/accounts/${id}/follow`);
    }
  }
  await world.server.runJobs();
  for (const by of world.actors) {
    for (const { username } of world.people) {
      const object = {
        type: "Follow",
        actor: `${world.server.url}/users/${username}`,
        object: by.uri,
      };
      await send(world, by, { type: "Accept", object });
    }
  }
};

/**
 * Does something, and says what. A change of relations lets feeds be rebuilt; without any, they are what fan-out makes
 * of them.
 */
export const act = async (world: World, acts: "posting" | "anything"): Promise<string> => {
  const all = acts === "posting" ? POSTING : [...POSTING, ...RELATIONS];
  const possible = all.filter(([, , needs]) => !needs || needs(world).length > 0);
  let left = world.random() * possible.reduce((sum, [weight]) => sum + weight, 0);
  const chosen = possible.find(([weight]) => (left -= weight) < 0) ?? possible[0]!;
  return chosen[1](world);
};
