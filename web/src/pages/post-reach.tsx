// Shows whom a post reaches: why it is in somebody's home, and who is in the circle that it was written for.

import type { Account, Circle } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useApp } from "../app.ts";
import { profilePath } from "../elements/names.tsx";
import { loadPost, POST_PATH } from "./of-post.ts";
import type { AnyPage } from "./page.ts";
import { sheetPage } from "./sheet-page.tsx";
import { byName, listed } from "../../../texts/lists.ts";

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
  path: `${POST_PATH}/why`,
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

/** Shows the lists of one's own post for a circle, and who got it. A reply to another post shows neither. */
const circlePage = sheetPage<OfCircle>({
  path: `${POST_PATH}/circle`,
  load: async (loading) => {
    const { id, circle } = await loadPost(loading);
    if (!circle) throw new ApiError(404, "");
    try {
      const { lists, accounts } = (await loading.get<Circle>(`/api/v1/statuses/${id}/circle`)).body;
      const circle = {
        lists: byName(loading.locale, lists, ({ title }) => title),
        accounts: byName(loading.locale, accounts, ({ acct }) => acct),
      };
      return { circle };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return { circle: null };
      throw error;
    }
  },
  title: (_data, { t }) => t("circle.title"),
  Body: ({ data: { circle } }) => {
    const { t, locale } = useApp();
    if (!circle) return <p>{t("circle.same")}</p>;
    const titles = circle.lists.map(({ title }) => title);
    return (
      <>
        {circle.lists.length > 0 && <p>{t("circle.lists", { lists: listed(locale, titles) })}</p>}
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

export const postReachPages: AnyPage[] = [whyPage, circlePage];
