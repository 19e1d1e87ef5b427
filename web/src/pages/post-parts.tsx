// Pages around one post: who favourited, boosted or quoted it, its earlier versions; and small forms for its author.

import { ANSWERS } from "../acts/event.ts";
import type { EventAnswer } from "../acts/event.ts";
import { QUOTE_POLICIES, REPLY_POLICIES, replyPolicyOf } from "../api/visibility.ts";
import type { Account, Circle, Filter, Status, StatusEdit } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useApp } from "../app.ts";
import { keepAccount, keepStatus } from "../store/store.ts";
import { differences } from "../text/differences.ts";
import { plainText } from "../text/parse-html.ts";
import type { Key } from "../texts/texts.ts";
import { Feed, loadFeed } from "../views/feed.tsx";
import type { FeedData } from "../views/feed.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { PagesOf, partOf } from "../views/pages-of.tsx";
import type { PartOf } from "../views/pages-of.tsx";
import { PeopleList } from "../views/people-list.tsx";
import { profilePath } from "../views/names.tsx";
import { postPath } from "../views/post.tsx";
import { Tabs } from "../views/tabs.tsx";
import { SendForm } from "../views/send-form.tsx";
import { TimeField } from "../views/time-field.tsx";
import { Moment } from "../views/times.tsx";
import type { AnyPage, Loading, Page } from "./page.ts";
import { loadRelations } from "./profile.tsx";
import { sheetPage } from "./sheet-page.tsx";
import { olderThan } from "./timelines.tsx";

type OfPost = { id: string };

const PATH = "/@:acct/:id(\\d+)";

/** Loads the post of the address; its author has to match. */
const loadPost = async ({ get, store, place }: Loading): Promise<Status> => {
  const { acct = "", id = "" } = place.params;
  const { body: status } = await get<Status>(`/api/v1/statuses/${id}`);
  if (status.account.acct.toLowerCase() !== acct.toLowerCase()) throw new ApiError(404, "");
  keepStatus(store, status);
  return status;
};

type People = OfPost & { ids: string[]; next: Record<string, string> | null };

const peoplePage = (list: string, api: string, title: Key, empty: Key): Page<People> => ({
  path: `${PATH}/${list}`,
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
  path: `${PATH}/answers`,
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
  path: `${PATH}/quotes`,
  isForMembers: true,
  load: async (loading) => {
    const { id } = await loadPost(loading);
    return loadFeed(loading, `/api/v1/statuses/${id}/quotes`, {}, olderThan(loading.place));
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

type Version = { time: string; warning: string; text: string; media: string[]; poll: string[] };

const versionOf = (edit: StatusEdit): Version => ({
  time: edit.created_at,
  warning: edit.spoiler_text,
  text: plainText(edit.content),
  media: edit.media_attachments.map(({ description, type }) => description || type),
  poll: edit.poll?.options?.map(({ title }) => title) ?? [],
});

const Changed = ({ before, after }: { before: string; after: string }) => (
  <>
    {differences(before, after).map(({ kind, text }, index) => {
      if (kind === "added") return <ins key={index}>{text}</ins>;
      return kind === "removed" ? <del key={index}>{text}</del> : <span key={index}>{text}</span>;
    })}
  </>
);

const linesOf = ({ media, poll }: Version): string =>
  [...poll.map((option) => `○ ${option}`), ...media.map((text) => `▧ ${text}`)].join("\n");

const VersionView = ({ now, before }: { now: Version; before: Version | undefined }) => {
  const { t } = useApp();
  const old = before ?? now;
  return (
    <article class="version">
      <h2 class="small soft">
        {t(before ? "history.edited" : "history.posted")} <Moment time={now.time} />
      </h2>
      {(now.warning || old.warning) && (
        <p class="version-text">
          <strong>
            <Changed before={old.warning} after={now.warning} />
          </strong>
        </p>
      )}
      <p class="version-text" dir="auto">
        <Changed before={old.text} after={now.text} />
      </p>
      {(linesOf(now) || linesOf(old)) && (
        <p class="version-text soft small">
          <Changed before={linesOf(old)} after={linesOf(now)} />
        </p>
      )}
    </article>
  );
};

const history: Page<OfPost & { versions: Version[] }> = {
  path: `${PATH}/history`,
  load: async (loading) => {
    const { id } = await loadPost(loading);
    const { body } = await loading.get<StatusEdit[]>(`/api/v1/statuses/${id}/history`);
    return { id, versions: body.map(versionOf).toReversed() };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("history.title")} back />
        <div class="feed">
          {data.versions.map((version, index) => (
            <VersionView key={index} now={version} before={data.versions[index + 1]} />
          ))}
        </div>
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("history.title"), isHidden: true }),
};

const usePost = (id: string) => {
  const { store } = useApp();
  const status = store.statuses.get(id)!.value;
  return { status, path: postPath(status) };
};

/** Makes a page for one's own posts alone. */
const ownPage = (
  name: string,
  title: Key,
  Body: (props: { data: OfPost }) => preact.ComponentChildren,
): AnyPage =>
  sheetPage<OfPost>({
    path: `${PATH}/${name}`,
    load: async (loading) => {
      const { id, account } = await loadPost(loading);
      if (account.id !== loading.me?.id) throw new ApiError(404, "");
      return { id };
    },
    title: (_data, { t }) => t(title),
    Body: Body as never,
  });

const deletePage = ownPage("delete", "delete.title", ({ data }) => {
  const { t } = useApp();
  const { status, path } = usePost(data.id);
  return (
    <SendForm
      path={`statuses/${data.id}/delete`}
      back={`/@${status.account.acct}`}
      gone={path}
      done={t("delete.done")}
    >
      <p>{t("delete.text")}</p>
      <blockquote dir="auto">
        {status.spoiler_text || plainText(status.content ?? "").slice(0, 200)}
      </blockquote>
      <button class="button bad">{t("delete.yes")}</button>
    </SendForm>
  );
});

const policyOf = ({ quote_approval }: Pick<Status, "quote_approval">) =>
  QUOTE_POLICIES.find((policy) => quote_approval.automatic.includes(policy as never)) ?? "nobody";

const policyPage = ownPage("quote_policy", "quote_policy.title", ({ data }) => {
  const { t } = useApp();
  const { status, path } = usePost(data.id);
  const current = policyOf(status);
  return (
    <SendForm
      path={`statuses/${data.id}/interaction_policy`}
      back={path}
      done={t("quote_policy.done")}
      class="choices"
    >
      <fieldset>
        <legend class="invisible">{t("quote_policy.title")}</legend>
        {QUOTE_POLICIES.map((policy) => (
          <label key={policy} class="tick">
            <input
              type="radio"
              name="quote_approval_policy"
              value={policy}
              defaultChecked={policy === current}
            />
            <span>{t(`quote_policy.${policy}`)}</span>
          </label>
        ))}
      </fieldset>
      <button class="button">{t("relation.save")}</button>
    </SendForm>
  );
});

const replyPolicyPage = ownPage("reply_policy", "reply_policy.title", ({ data }) => {
  const { t } = useApp();
  const { status, path } = usePost(data.id);
  const current = replyPolicyOf(status);
  return (
    <SendForm
      path={`statuses/${data.id}/interaction_policy`}
      back={path}
      done={t("reply_policy.done")}
      class="choices"
    >
      <p class="soft small">{t("reply_policy.text")}</p>
      <fieldset>
        <legend class="invisible">{t("reply_policy.title")}</legend>
        {REPLY_POLICIES.map((policy) => (
          <label key={policy} class="tick">
            <input
              type="radio"
              name="reply_approval_policy"
              value={policy}
              defaultChecked={policy === current}
            />
            <span>{t(`settings.replies_${policy}`)}</span>
          </label>
        ))}
      </fieldset>
      <button class="button">{t("relation.save")}</button>
    </SendForm>
  );
});

const AN_HOUR_MS = 3_600_000;

const boostPage = sheetPage<OfPost & { at: string }>({
  path: `${PATH}/boost_later`,
  load: async (loading) => {
    const { id } = await loadPost(loading);
    return { id, at: new Date(Date.now() + AN_HOUR_MS).toISOString() };
  },
  title: (_data, { t }) => t("boost_later.title"),
  Body: ({ data: { id, at } }) => {
    const { t } = useApp();
    const { path } = usePost(id);
    return (
      <SendForm
        path={`statuses/${id}/reblog`}
        back={path}
        done={t("boost_later.done")}
        class="choices"
      >
        <p class="soft small">{t("boost_later.text")}</p>
        <TimeField at={at} />
        <button class="button">{t("boost_later.do")}</button>
      </SendForm>
    );
  },
});

type Filters = OfPost & { filters: PartOf<Pick<Filter, "id" | "title">> };

/** Filters shown on a page. */
const FILTERS_SHOWN = 50;

const filterPage = sheetPage<Filters>({
  path: `${PATH}/filter`,
  load: async (loading) => {
    const { id } = await loadPost(loading);
    const { body } = await loading.get<Filter[]>("/api/v2/filters");
    const { entries, ...part } = partOf(body, loading.place, FILTERS_SHOWN);
    const filters = entries.map((filter) => ({ id: filter.id, title: filter.title }));
    return { id, filters: { ...part, entries: filters } };
  },
  title: (_data, { t }) => t("menu.filter"),
  Body: ({ data }) => {
    const { t } = useApp();
    const { path } = usePost(data.id);
    const { filters } = data;
    return (
      <>
        <p>{t(filters.total > 0 ? "filter.text" : "filter.none")}</p>
        {filters.entries.map(({ id, title }) => (
          <SendForm
            key={id}
            path={`filters/${id}/statuses`}
            back={path}
            done={t("filter.done", { filter: title })}
            class="row"
          >
            <span>{title}</span>
            <button class="button plain small" name="status_id" value={data.id}>
              {t("filter.add")}
            </button>
          </SendForm>
        ))}
        <PagesOf {...filters} isSheet />
        <p>
          <a href="/settings/filters">{t("filter.manage")}</a>
        </p>
      </>
    );
  },
});

type HomeReason = {
  type: "own" | "followed" | "boosted" | "hashtag";
  account: Account | null;
  hashtag: string | null;
};
type Reasons = { reasons: HomeReason[] };

const ReasonRow = ({ reason: { type, account, hashtag } }: { reason: HomeReason }) => {
  const { t } = useApp();
  if (type === "own") return <li>{t("why.own")}</li>;
  const path = account ? profilePath(account) : `/tags/${encodeURIComponent(hashtag ?? "")}`;
  const text = account
    ? t(`why.${type === "boosted" ? "boosted" : "followed"}`, { who: `@${account.acct}` })
    : t("why.hashtag", { tag: `#${hashtag}` });
  return (
    <li>
      <a href={path}>{text}</a>
    </li>
  );
};

const whyPage = sheetPage<Reasons>({
  path: `${PATH}/why`,
  load: async (loading) => {
    const { id } = await loadPost(loading);
    const { body } = await loading.get<HomeReason[]>(`/api/v1/statuses/${id}/home_reasons`);
    return { reasons: body };
  },
  title: (_data, { t }) => t("menu.why"),
  Body: ({ data: { reasons } }) => {
    const { t } = useApp();
    if (reasons.length === 0) return <p>{t("why.none")}</p>;
    return (
      <ul class="reasons">
        {reasons.map((reason, index) => (
          <ReasonRow key={index} reason={reason} />
        ))}
      </ul>
    );
  },
});

type OfCircle = { circle: Circle | null };

/** Shows the lists of one's own post for a circle, and who got it. An answer to another post shows neither. */
const circlePage = sheetPage<OfCircle>({
  path: `${PATH}/circle`,
  load: async (loading) => {
    const { id, circle } = await loadPost(loading);
    if (!circle) throw new ApiError(404, "");
    try {
      return { circle: (await loading.get<Circle>(`/api/v1/statuses/${id}/circle`)).body };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return { circle: null };
      throw error;
    }
  },
  title: (_data, { t }) => t("circle.title"),
  Body: ({ data: { circle } }) => {
    const { t } = useApp();
    if (!circle) return <p>{t("circle.same")}</p>;
    return (
      <>
        {circle.lists.length > 0 && (
          <p>{t("circle.lists", { lists: circle.lists.map(({ title }) => title).join(", ") })}</p>
        )}
        <ul class="reasons">
          {circle.accounts.map((account) => (
            <li key={account.id}>
              <a href={profilePath(account)}>@{account.acct}</a>
            </li>
          ))}
        </ul>
      </>
    );
  },
});

export const postPartPages: AnyPage[] = [
  peoplePage("favourites", "favourited_by", "post.favourited_by", "post.no_favourites"),
  peoplePage("reblogs", "reblogged_by", "post.boosted_by", "post.no_boosts"),
  answers,
  quotes,
  history,
  deletePage,
  policyPage,
  replyPolicyPage,
  boostPage,
  filterPage,
  whyPage,
  circlePage,
];
