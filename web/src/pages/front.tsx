// The front page for visitors: what this server is, and what is being posted here.

import type { Account, Instance, Rule, V1_Instance } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import type { Get } from "../api/get.ts";
import { FormNotice, TITLE } from "../views/frame.tsx";
import { useApp } from "../app.ts";
import { keepAccount } from "../store/store.ts";
import { FiguresLine } from "../elements/figures.tsx";
import type { Figures } from "../elements/figures.tsx";
import { RuleList } from "../elements/rule-list.tsx";
import { Feed, loadFeed } from "../views/feed.tsx";
import type { FeedData } from "../views/feed.tsx";
import { PersonRow } from "../elements/names.tsx";
import type { Loading, Page } from "./page.ts";

type Front = {
  feed: FeedData;
  isTrending: boolean;
  figures: Figures;
  rules: Rule[];
  people: string[];
};

const PEOPLE = 4;

/** Loads people who want to be found; nobody where the directory is closed. */
const loadPeople = async ({ get, store }: Loading): Promise<string[]> => {
  try {
    const { body } = await get<Account[]>("/api/v1/directory", { local: true, limit: PEOPLE });
    return body.map((account) => keepAccount(store, account));
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
};

const loadPosts = async (loading: Loading): Promise<Pick<Front, "feed" | "isTrending">> => {
  if (loading.site.trendsFirst) {
    const trending = await loadFeed(loading, "/api/v1/trends/statuses");
    if (trending.ids.length > 0) return { feed: { ...trending, next: null }, isTrending: true };
  }
  const recent = await loadFeed(loading, "/api/v1/timelines/public", { local: true });
  return { feed: { ...recent, next: null }, isTrending: false };
};

const Join = () => {
  const { site, t } = useApp();
  return (
    <p class="buttons">
      {site.registrations.enabled && (
        <a class="button" href="/auth/sign_up">
          {t("nav.sign_up")}
        </a>
      )}
      <a class="button plain" href="/auth/sign_in">
        {t("nav.sign_in")}
      </a>
    </p>
  );
};

const People = ({ ids }: { ids: readonly string[] }) => {
  const { store, t } = useApp();
  if (ids.length === 0) return null;
  return (
    <section>
      <h2 class="section">{t("front.people_here")}</h2>
      <div class="feed people-grid">
        {ids.map((id) => (
          <PersonRow key={id} account={store.accounts.get(id)!.value} />
        ))}
      </div>
      <p class="after">
        <a href="/directory">{t("front.all_people")}</a>
      </p>
    </section>
  );
};

const HouseRules = ({ rules }: { rules: readonly Rule[] }) => {
  const { t } = useApp();
  if (rules.length === 0) return null;
  return (
    <details class="prose rules-fold">
      <summary>
        <h2>{t("front.rules")}</h2>
      </summary>
      <RuleList rules={rules} />
      <p>
        <a href="/about">{t("front.all_rules")}</a>
      </p>
    </details>
  );
};

export const loadFigures = async (get: Get): Promise<Figures> => {
  const [{ body: v1 }, { body: v2 }] = await Promise.all([
    get<V1_Instance>("/api/v1/instance"),
    get<Instance>("/api/v2/instance"),
  ]);
  const { user_count, status_count } = v1.stats as Record<string, number>;
  const { users } = v2.usage as { users: { active_month: number } };
  return { people: user_count ?? 0, active: users.active_month, posts: status_count ?? 0 };
};

export const front: Page<Front> = {
  path: "/",
  load: async (loading) => {
    const [posts, figures, people, { body: instance }] = await Promise.all([
      loadPosts(loading),
      loadFigures(loading.get),
      loadPeople(loading),
      loading.get<Instance>("/api/v2/instance"),
    ]);
    return { ...posts, figures, people, rules: instance.rules };
  },
  View: ({ data }) => {
    const { site, t } = useApp();
    return (
      <>
        <FormNotice />
        <section class="welcome">
          <h1 id={TITLE}>{site.title}</h1>
          <p class="lead">{site.description || t("front.introduction", { domain: site.domain })}</p>
          <FiguresLine figures={data.figures} />
          <Join />
        </section>
        <HouseRules rules={data.rules} />
        <People ids={data.people} />
        <h2 class="section">{t(data.isTrending ? "front.trending" : "front.recent")}</h2>
        <Feed
          data={data.feed}
          label={t(data.isTrending ? "front.trending" : "front.recent")}
          empty={<p>{t("local.empty")}</p>}
        />
      </>
    );
  },
  head: (_data, { site, t }) => ({
    title: "",
    description: site.description || t("front.introduction", { domain: site.domain }),
    isLarge: true,
  }),
};
