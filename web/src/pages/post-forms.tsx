// The small forms about one post: its author deletes it or says who may reply to and quote it; anybody filters it or
// boosts it later.

import { QUOTE_POLICIES, REPLY_POLICIES, replyPolicyOf } from "../api/visibility.ts";
import type { Filter, Status } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useApp } from "../app.ts";
import { loadFilters } from "../store/named.ts";
import { plainText } from "../text/parse-html.ts";
import type { Key } from "../texts/texts.ts";
import { PagesOf, partOf } from "../views/pages-of.tsx";
import type { PartOf } from "../views/pages-of.tsx";
import { Decision } from "../elements/decision.tsx";
import { TickField } from "../elements/fields.tsx";
import { SendForm } from "../elements/send-form.tsx";
import { TimeField } from "../elements/time-field.tsx";
import { loadPost, POST_PATH, usePost } from "./of-post.ts";
import type { OfPost } from "./of-post.ts";
import type { AnyPage } from "./page.ts";
import { sheetPage } from "./sheet-page.tsx";

/** Makes a page for one's own posts alone. */
const ownPage = (
  name: string,
  title: Key,
  Body: (props: { data: OfPost }) => preact.ComponentChildren,
): AnyPage =>
  sheetPage<OfPost>({
    path: `${POST_PATH}/${name}`,
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
      <Decision back={path} tone="final">
        {t("delete.yes")}
      </Decision>
    </SendForm>
  );
});

const policyOf = ({ quote_approval }: Pick<Status, "quote_approval">) =>
  QUOTE_POLICIES.find((policy) => quote_approval.automatic.includes(policy as never)) ?? "nobody";

const policyPage = ownPage("quote_policy", "quote_policy.title", ({ data }) => {
  const { t } = useApp();
  const { status, path } = usePost(data.id);
  return (
    <SendForm
      path={`statuses/${data.id}/interaction_policy`}
      back={path}
      done={t("quote_policy.done")}
      class="choices"
    >
      <TickField
        kind="radio"
        name="quote_approval_policy"
        label={t("quote_policy.title")}
        isTitled
        chosen={[policyOf(status)]}
        options={QUOTE_POLICIES.map((policy) => [policy, t(`quote_policy.${policy}`)])}
      />
      <Decision back={path}>{t("relation.save")}</Decision>
    </SendForm>
  );
});

const replyPolicyPage = ownPage("reply_policy", "reply_policy.title", ({ data }) => {
  const { t } = useApp();
  const { status, path } = usePost(data.id);
  return (
    <SendForm
      path={`statuses/${data.id}/interaction_policy`}
      back={path}
      done={t("reply_policy.done")}
      class="choices"
    >
      <p class="soft small">{t("reply_policy.text")}</p>
      <TickField
        kind="radio"
        name="reply_approval_policy"
        label={t("reply_policy.title")}
        isTitled
        chosen={[replyPolicyOf(status)]}
        options={REPLY_POLICIES.map((policy) => [policy, t(`settings.replies_${policy}`)])}
      />
      <Decision back={path}>{t("relation.save")}</Decision>
    </SendForm>
  );
});

const AN_HOUR_MS = 3_600_000;

const boostPage = sheetPage<OfPost & { at: string }>({
  path: `${POST_PATH}/boost_later`,
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
        <Decision back={path}>{t("boost_later.do")}</Decision>
      </SendForm>
    );
  },
});

type Filters = OfPost & { filters: PartOf<Pick<Filter, "id" | "title">> };

/** Filters shown on a page. */
const FILTERS_SHOWN = 50;

const filterPage = sheetPage<Filters>({
  path: `${POST_PATH}/filter`,
  load: async (loading) => {
    const { id } = await loadPost(loading);
    const all = await loadFilters(loading);
    const { entries, ...part } = partOf(all, loading.place, FILTERS_SHOWN);
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

export const postFormPages: AnyPage[] = [
  deletePage,
  policyPage,
  replyPolicyPage,
  boostPage,
  filterPage,
];
