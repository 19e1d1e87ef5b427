// Recipes of the rows about statuses, timelines, polls, conversations and search.

import { fresh, plain, three } from "./recipe.ts";
import type { Cast } from "./cast.ts";
import type { Recipe, Recipes } from "./recipe.ts";

const onFriends: Recipe = async ({ post, friend }) => ({
  path: { id: await post(friend, fresh("a post ")) },
});

const onOwn: Recipe = async ({ post, me }) => ({ path: { id: await post(me, fresh("mine ")) } });

const afterOn =
  (of: Recipe, verb: string): Recipe =>
  async (cast) => {
    const call = await of(cast);
    await cast.must(cast.me, "POST", `/api/v1/statuses/${call.path!["id"]}/${verb}`);
    return call;
  };

const marked =
  (verb: string): Recipe =>
  async (cast) => {
    await three(async () => {
      const id = await cast.post(cast.friend, fresh("liked "));
      await cast.must(cast.me, "POST", `/api/v1/statuses/${id}/${verb}`);
    });
    return {};
  };

/** Makes a post of the friend, which three people favourite (or boost …). */
const done =
  (verb: string): Recipe =>
  async (cast) => {
    const id = await cast.post(cast.friend, fresh("popular "));
    await three(async (index) => {
      const person = await cast.server.person(fresh(`${cast.me.username}_d${index}`));
      await cast.must(person, "POST", `/api/v1/statuses/${id}/${verb}`);
    });
    return { path: { id } };
  };

const inTimeline =
  (query: Record<string, string> = {}): Recipe =>
  async (cast) => {
    await three(() => cast.post(cast.friend, fresh("post ")));
    await cast.server.runJobs();
    return { query };
  };

const pollOf = async ({ must, me, post, friend }: Cast): Promise<string> => {
  const poll = { options: ["tea", "coffee"], expires_in: 3600 };
  const id = await post(friend, fresh("which? "), { poll });
  return (await must(me, "GET", `/api/v1/statuses/${id}`)).poll.id;
};

const direct = async (cast: Cast): Promise<string> => {
  await three((index) => {
    const other = [cast.friend, cast.stranger, cast.friend][index - 1]!;
    const status = `@${cast.me.username} ${fresh("word ")}`;
    return cast.post(other, status, { visibility: "direct" });
  });
  await cast.post(cast.friend, `@${cast.me.username} @${cast.stranger.username} both`, {
    visibility: "direct",
  });
  await cast.server.runJobs();
  return (await cast.must(cast.me, "GET", "/api/v1/conversations"))[0].id;
};

let days = 0;
/** Returns another day each time, because there is a limit per day. */
const aDayAhead = (): string => new Date(Date.now() + (days += 1) * 24 * 3_600_000).toISOString();

const scheduled = async ({ must, me }: Cast): Promise<string> => {
  const statuses = await three((index) =>
    must(me, "POST", "/api/v1/statuses", {
      status: `later ${index}`,
      reply_approval_policy: "followers",
      scheduled_at: aDayAhead(),
    }),
  );
  return statuses[0].id;
};

const quoted = async (cast: Cast): Promise<{ id: string; quoting: string }> => {
  const id = await cast.post(cast.me, fresh("quotable "), { quote_approval_policy: "public" });
  const [quoting] = await three(() =>
    cast.post(cast.friend, fresh("quoting "), { quoted_status_id: id }),
  );
  await cast.server.runJobs();
  return { id, quoting: quoting! };
};

const ofScheduled: Recipe = async (cast) => ({ path: { id: await scheduled(cast) } });
const ofConversation: Recipe = async (cast) => ({ path: { id: await direct(cast) } });

export const STATUSES: Recipes = {
  "GET /api/v1/statuses": async ({ post, friend }) => ({
    query: { "id[]": [await post(friend, "one"), await post(friend, "two")] },
  }),
  "POST /api/v1/statuses": ({ friend }) => ({
    json: {
      status: `Hello #world @${friend.username}`,
      spoiler_text: "greeting",
      sensitive: true,
      visibility: "unlisted",
      language: "en",
      quote_approval_policy: "followers",
      reply_approval_policy: "followers",
      allowed_mentions: [friend.accountId],
      poll: { options: ["a", "b"], expires_in: 600, multiple: true, hide_totals: true },
    },
  }),
  "GET /api/v1/statuses/translation_languages": plain,
  "DELETE /api/v1/statuses/{id}": onOwn,
  "GET /api/v1/statuses/{id}": onFriends,
  "PUT /api/v1/statuses/{id}": async (cast) => ({
    ...(await onOwn(cast)),
    json: { status: fresh("edited "), spoiler_text: "so", sensitive: true, language: "de" },
  }),
  "POST /api/v1/statuses/{id}/bookmark": onFriends,
  "POST /api/v1/statuses/{id}/unbookmark": afterOn(onFriends, "bookmark"),
  "POST /api/v1/statuses/{id}/favourite": onFriends,
  "POST /api/v1/statuses/{id}/unfavourite": afterOn(onFriends, "favourite"),
  "POST /api/v1/statuses/{id}/reblog": async (cast) => ({
    ...(await onFriends(cast)),
    json: { visibility: "unlisted" },
  }),
  "POST /api/v1/statuses/{id}/unreblog": afterOn(onFriends, "reblog"),
  "POST /api/v1/statuses/{id}/mute": onOwn,
  "POST /api/v1/statuses/{id}/unmute": afterOn(onOwn, "mute"),
  "POST /api/v1/statuses/{id}/pin": onOwn,
  "POST /api/v1/statuses/{id}/unpin": afterOn(onOwn, "pin"),
  "GET /api/v1/statuses/{id}/context": async (cast) => {
    const id = await cast.post(cast.friend, fresh("root "));
    const reply = await cast.post(cast.me, "a reply", { in_reply_to_id: id });
    await cast.post(cast.friend, "and another", { in_reply_to_id: reply });
    return { path: { id: reply } };
  },
  "GET /api/v1/statuses/{id}/favourited_by": done("favourite"),
  "GET /api/v1/statuses/{id}/reblogged_by": done("reblog"),
  "GET /api/v1/statuses/{id}/history": onFriends,
  "GET /api/v1/statuses/{id}/source": onOwn,
  "POST /api/v1/statuses/{id}/translate": async ({ post, friend }) => ({
    path: { id: await post(friend, "Guten Morgen", { language: "de" }) },
    json: { lang: "en" },
  }),
  "PUT /api/v1/statuses/{id}/interaction_policy": async (cast) => ({
    ...(await onOwn(cast)),
    json: { quote_approval_policy: "nobody" },
  }),
  "GET /api/v1/statuses/{id}/quotes": async (cast) => ({ path: { id: (await quoted(cast)).id } }),
  "POST /api/v1/statuses/{id}/quotes/{quoting_status_id}/revoke": async (cast) => {
    const { id, quoting } = await quoted(cast);
    return { path: { id, quoting_status_id: quoting } };
  },
  "GET /api/v1/bookmarks": marked("bookmark"),
  "GET /api/v1/favourites": marked("favourite"),
  "GET /api/v1/polls/{id}": async (cast) => ({ path: { id: await pollOf(cast) } }),
  "POST /api/v1/polls/{id}/votes": async (cast) => ({
    path: { id: await pollOf(cast) },
    json: { choices: [1] },
  }),
  "GET /api/v1/scheduled_statuses": async (cast) => {
    await scheduled(cast);
    return {};
  },
  "GET /api/v1/scheduled_statuses/{id}": ofScheduled,
  "DELETE /api/v1/scheduled_statuses/{id}": ofScheduled,
  "PUT /api/v1/scheduled_statuses/{id}": async (cast) => ({
    ...(await ofScheduled(cast)),
    json: { scheduled_at: aDayAhead() },
  }),
  "GET /api/v1/conversations": async (cast) => {
    await direct(cast);
    return {};
  },
  "DELETE /api/v1/conversations/{id}": ofConversation,
  "POST /api/v1/conversations/{id}/read": ofConversation,
  "POST /api/v1/conversations/{id}/unread": ofConversation,
  "GET /api/v1/timelines/direct": async (cast) => {
    await direct(cast);
    return {};
  },
  "GET /api/v1/timelines/home": inTimeline(),
  "GET /api/v1/timelines/public": inTimeline({ local: "true" }),
  "GET /api/v1/timelines/tag/{hashtag}": async ({ post, friend }) => {
    const hashtag = fresh("topic");
    await three(() => post(friend, `${fresh("about ")} #${hashtag}`));
    return { path: { hashtag } };
  },
  "GET /api/v1/timelines/link": async ({ post, friend }) => {
    const url = `https://news.example/${fresh("story")}`;
    await three(() => post(friend, url));
    return { query: { url } };
  },
  "GET /api/v1/timelines/list/{list_id}": async (cast) => {
    const { must, me, friend } = cast;
    const list = await must(me, "POST", "/api/v1/lists", { title: fresh("List ") });
    await must(me, "POST", `/api/v1/lists/${list.id}/accounts`, {
      account_ids: [friend.accountId],
    });
    await three(() => cast.post(friend, fresh("listed ")));
    await cast.server.runJobs();
    return { path: { list_id: list.id } };
  },
  "GET /api/v2/search": async (cast) => {
    const word = fresh("unheardof");
    await three((index) => cast.post(cast.me, `${word} ${index} #${word}`));
    await cast.server.runJobs();
    return { query: { q: word, type: "statuses" }, token: cast.me.token };
  },
  "GET /api/oembed": async ({ must, post, friend }) => {
    const id = await post(friend, fresh("embedded "));
    return { query: { url: (await must(null, "GET", `/api/v1/statuses/${id}`)).url } };
  },
  "POST /api/v1/reports": async ({ post, friend }) => ({
    json: {
      account_id: friend.accountId,
      status_ids: [await post(friend, fresh("rude "))],
      comment: "not nice",
      category: "spam",
    },
  }),
};
