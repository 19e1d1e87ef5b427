// Lists who favourited, boosted or quoted a post, or answered an event.

import { ANSWERS } from "../acts/event.ts";
import type { EventAnswer } from "../acts/event.ts";
import type { Account } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { keepAccount } from "../store/store.ts";
import type { Key } from "../texts/texts.ts";
import { Feed, loadFeed } from "../views/feed.tsx";
import type { FeedData } from "../views/feed.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { PeopleList } from "../views/people-list.tsx";
import { Tabs } from "../elements/tabs.tsx";
import { loadPost, POST_PATH } from "./of-post.ts";
import type { OfPost } from "./of-post.ts";
import type { AnyPage, Page } from "./page.ts";
import { loadRelations } from "./profile.tsx";
import { olderThan } from "./timelines.tsx";

type People = OfPost & { ids: string[]; next: Record<string, string> | null };

const peoplePage = (list: string, api: string, title: Key, empty: Key): Page<People> => ({
  path: `${POST_PATH}/${list}`,
  load: async (loading) => {
    const { get, store, place } = loading;
    const { id } = await loadPost(loading);
    const { body, next } = await get<Account[]>(`/api/v1/statuses/${id}/${api}`, {
      limit: 40,
      max_id: place.query["max_id"],
    });
    const ids = body.map((account) => keepAccount(store, account));
    await loadRelations(loading, ids);
    return { id, ids, next };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t(title)} back />
        <PeopleList ids={data.ids} next={data.next} empty={t(empty)} />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t(title), isHidden: true }),
});

type Answers = People & { path: string; answer: EventAnswer };

/** Lists who answered one's own event, each answer on a page of its own. */
const answers: Page<Answers> = {
  path: `${POST_PATH}/answers`,
  isForMembers: true,
  load: async (loading) => {
    const { get, store, place } = loading;
    const { id } = await loadPost(loading);
    const answer = ANSWERS.find((each) => each === place.query["answer"]) ?? "yes";
    const { body, next } = await get<Account[]>(`/api/v1/statuses/${id}/event/answers`, {
      answer,
      limit: 40,
      max_id: place.query["max_id"],
    });
    const ids = body.map((account) => keepAccount(store, account));
    await loadRelations(loading, ids);
    return { id, ids, path: place.path, answer, next: next && { ...next, answer } };
  },
  View: ({ data: { ids, next, path, answer } }) => {
    const { t } = useApp();
    const of = (each: EventAnswer): string => `${path}?answer=${each}`;
    return (
      <>
        <ColumnHead title={t("event.who")} back />
        <Tabs
          label={t("event.answers")}
          tabs={ANSWERS.map((each) => ({ path: of(each), text: `event.${each}` as const }))}
          shown={of(answer)}
        />
        <PeopleList ids={ids} next={next} empty={t("event.nobody")} />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("event.who"), isHidden: true }),
};

const quotes: Page<FeedData> = {
  path: `${POST_PATH}/quotes`,
  isForMembers: true,
  load: async (loading) => {
    const { id } = await loadPost(loading);
    const path = `/api/v1/statuses/${id}/quotes`;
    return loadFeed(loading, path, {}, olderThan(loading.place), { context: "thread" });
  },
  View: ({ data }) => {
    const { t } = useApp();
    const title = t("post.quoted_by");
    return (
      <>
        <ColumnHead title={title} back />
        <Feed data={data} label={title} empty={<p>{t("post.no_quotes")}</p>} />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("post.quoted_by"), isHidden: true }),
};

export const postPeoplePages: AnyPage[] = [
  peoplePage("favourites", "favourited_by", "post.favourited_by", "post.no_favourites"),
  peoplePage("reblogs", "reblogged_by", "post.boosted_by", "post.no_boosts"),
  answers,
  quotes,
];
