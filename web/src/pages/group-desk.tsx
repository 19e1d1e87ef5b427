// The desk of a group's moderators: requests, posts that wait, members, a log, settings.

import type { Account, Group, GroupAct, Status } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { useApp } from "../app.ts";
import { keepAccount, keepStatuses } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import type { Key } from "../texts/texts.ts";
import { More } from "../elements/more.tsx";
import { InputField } from "../elements/fields.tsx";
import { FormFields } from "../elements/form-fields.tsx";
import { useSentBack } from "../elements/refusable.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { Icon } from "../elements/icons.tsx";
import { PersonRow, profilePath, shownName } from "../elements/names.tsx";
import { PostOf } from "../views/post.tsx";
import { Ago } from "../elements/times.tsx";
import { SettingsForm } from "../views/settings-form.tsx";
import type { Page } from "./page.ts";
import { Policies, Profile, RuleFields } from "./group-fields.tsx";

const SHOWN = 20;
const MAX_PEOPLE = 40;

type Posts = { ids: string[]; next: Record<string, string> | null };

type Desk = {
  group: Group;
  requests: string[];
  held: string[];
  posts: Posts;
  bans: string[];
  acts: GroupAct[];
  query: string;
  results: string[];
};

const keepAll = (store: Store, accounts: Account[]): string[] =>
  accounts.map((account) => keepAccount(store, account));

const search = async (get: Get, query: string): Promise<Account[]> => {
  if (!query) return [];
  return (await get<Account[]>("/api/v1/accounts/search", { q: query, limit: SHOWN })).body;
};

/** `sure` is the question before it is done, `sureText` what it brings. */
type Act = { path: string; text: Key; isPlain?: boolean; sure?: Key; sureText?: Key };

const Acts = ({ group, acts, name }: { group: Group; acts: readonly Act[]; name: string }) => {
  const { t } = useApp();
  return (
    <form class="group-acts" method="post" data-act="save">
      <FormFields />
      {acts.map(({ path, text, isPlain = true, sure, sureText }) => (
        <button
          key={path}
          class={isPlain ? "button plain small" : "button small"}
          formaction={`/web/act/groups/${group.id}/${path}`}
          aria-label={t("groups.act_of", { act: t(text), name })}
          data-sure={sure && t(sure, { name })}
          data-sure-text={sureText && t(sureText, { name })}
          data-done={t("groups.act_done", { act: t(text), name })}
        >
          {t(text)}
        </button>
      ))}
    </form>
  );
};

type People = { group: Group; ids: string[]; actsOf: (id: string) => readonly Act[] };

const People = ({ group, ids, actsOf }: People) => {
  const { store } = useApp();
  return (
    <>
      {ids.map((id) => {
        const account = store.accounts.get(id)!.value;
        return (
          <div key={id} class="row-person">
            <PersonRow account={account} />
            <Acts group={group} acts={actsOf(id)} name={shownName(account)} />
          </div>
        );
      })}
    </>
  );
};

const answers = (id: string): readonly Act[] => [
  { path: `follow_requests/${id}/authorize`, text: "groups.accept", isPlain: false },
  { path: `follow_requests/${id}/reject`, text: "groups.reject" },
];

const Requests = ({ data: { group, requests } }: { data: Desk }) => {
  const { t } = useApp();
  if (requests.length === 0) return null;
  return (
    <>
      <h2 class="section">{t("groups.requests")}</h2>
      <People group={group} ids={requests} actsOf={answers} />
    </>
  );
};

const PostRow = ({ group, id, isHeld }: { group: Group; id: string; isHeld: boolean }) => {
  const { store } = useApp();
  const status = store.statuses.get(id)?.value;
  if (!status) return null;
  const { account } = status;
  const acts: Act[] = [
    ...(isHeld
      ? [{ path: `statuses/${id}/approve`, text: "groups.approve" as const, isPlain: false }]
      : []),
    {
      path: `statuses/${id}/remove`,
      text: "groups.remove",
      sure: "groups.remove_sure",
      sureText: "question.final",
    },
    { path: `accounts/${account.id}/ban`, text: "groups.ban", sure: "groups.ban_sure" },
  ];
  return (
    <div class="group-post">
      <PostOf id={id} />
      <Acts group={group} acts={acts} name={shownName(account)} />
    </div>
  );
};

const Posts = ({ data: { group, held, posts } }: { data: Desk }) => {
  const { t } = useApp();
  return (
    <>
      {held.length > 0 && <h2 class="section">{t("groups.held_posts")}</h2>}
      {held.map((id) => (
        <PostRow key={id} group={group} id={id} isHeld />
      ))}
      <h2 class="section">{t("groups.posts")}</h2>
      {posts.ids.length === 0 && <p class="empty">{t("groups.no_posts")}</p>}
      {posts.ids.map((id) => (
        <PostRow key={id} group={group} id={id} isHeld={false} />
      ))}
      <More next={posts.next} text="people.more" />
    </>
  );
};

/** Returns what the viewer can do with a person. */
const actsOn =
  ({ group, bans }: Desk, meId: string) =>
  (id: string): readonly Act[] => {
    const isOwner = group.role === "owner";
    const path = (act: string) => `accounts/${id}/${act}`;
    if (id === group.owner?.id) return [];
    if (bans.includes(id)) return [{ path: path("unban"), text: "groups.unban" }];
    if (!group.moderators.some((moderator) => moderator.id === id))
      return [
        ...(isOwner ? [{ path: path("promote"), text: "groups.promote" as const }] : []),
        { path: path("ban"), text: "groups.ban", sure: "groups.ban_sure" },
      ];
    if (!isOwner) return id === meId ? [{ path: path("demote"), text: "groups.demote" }] : [];
    return [
      { path: path("demote"), text: "groups.demote" },
      {
        path: path("transfer"),
        text: "groups.transfer",
        sure: "groups.transfer_sure",
        sureText: "groups.transfer_text",
      },
    ];
  };

const Members = ({ data }: { data: Desk }) => {
  const { t, me } = useApp();
  const { group, bans, query, results } = data;
  const actsOf = actsOn(data, me?.id ?? "");
  const everybody = [...(group.owner ? [group.owner] : []), ...group.moderators];
  return (
    <>
      <h2 class="section">{t("groups.moderators")}</h2>
      <People group={group} ids={everybody.map(({ id }) => id)} actsOf={actsOf} />
      <form class="row-form" method="get">
        <label for="q">{t("groups.find")}</label>
        <input id="q" name="q" type="search" value={query} dir="auto" />
        <button class="button plain">{t("nav.search")}</button>
      </form>
      {query && results.length === 0 && <p class="soft section">{t("lists.nobody")}</p>}
      <People group={group} ids={results} actsOf={actsOf} />
      {bans.length > 0 && <h2 class="section">{t("groups.bans")}</h2>}
      <People group={group} ids={bans} actsOf={actsOf} />
    </>
  );
};

const Log = ({ acts }: { acts: GroupAct[] }) => {
  const { t } = useApp();
  return (
    <>
      <h2 class="section">{t("groups.log")}</h2>
      <ul class="rows group-log">
        {acts.map(({ id, action, account, target, created_at }) => (
          <li key={id}>
            <span>
              {t(`groups.did_${action}`, {
                actor: account ? `@${account.acct}` : t("groups.staff"),
                target: target ? `@${target.acct}` : "",
              })}
            </span>{" "}
            <Ago time={created_at} />
          </li>
        ))}
      </ul>
    </>
  );
};

const Settings = ({ group }: { group: Group }) => {
  const { id, account, note, rules, holds_posts } = group;
  const { display_name, locked } = account;
  const action = `/web/act/groups/${id}`;
  const { t } = useApp();
  return (
    <details class="row-form-details" open={useSentBack(action)}>
      <summary>{t("groups.settings")}</summary>
      <SettingsForm
        class="row-form"
        action={action}
        hasFiles
        done={t("groups.saved")}
        drawn={{ note, rules, holds_posts, account: { display_name, locked } }}
      >
        <Profile name={display_name} note={note ?? ""} />
        <InputField
          name="avatar"
          label={t("groups.avatar")}
          type="file"
          accept="image/*"
          class="settings-field"
        />
        <Policies locked={locked} holds_posts={holds_posts} />
        {/* The rows of rules are new when others are saved. */}
        <RuleFields key={JSON.stringify(rules)} rules={rules} />
        <button class="button">{t("lists.save")}</button>
      </SettingsForm>
    </details>
  );
};

const Deletion = ({ group: { id } }: { group: Group }) => {
  const { t } = useApp();
  return (
    <details class="row-danger">
      <summary>{t("groups.delete")}</summary>
      <SettingsForm class="" action={`/web/act/groups/${id}/delete`} back="/groups" done="">
        <p>{t("groups.delete_text")}</p>
        <button class="button bad">{t("groups.delete")}</button>
      </SettingsForm>
    </details>
  );
};

export const desk: Page<Desk> = {
  path: "/groups/:id(\\d+)",
  isForMembers: true,
  load: async ({ get, store, place }) => {
    const { id = "" } = place.params;
    const path = `/api/v1/groups/${id}`;
    const { q: query = "", max_id } = place.query;
    const [group, requests, held, posts, bans, acts, results] = await Promise.all([
      get<Group>(path),
      get<Account[]>(`${path}/follow_requests`, { limit: MAX_PEOPLE }),
      get<Status[]>(`${path}/held_statuses`, { limit: SHOWN }),
      get<Status[]>(`/api/v1/accounts/${id}/statuses`, { limit: SHOWN, max_id }),
      get<Account[]>(`${path}/bans`, { limit: MAX_PEOPLE }),
      get<GroupAct[]>(`${path}/acts`, { limit: SHOWN }),
      search(get, query),
    ]);
    const { account, owner, moderators } = group.body;
    keepAll(store, [account, ...(owner ? [owner] : []), ...moderators]);
    const boosted = posts.body.flatMap(({ reblog }) => reblog ?? []);
    return {
      group: group.body,
      requests: keepAll(store, requests.body),
      held: keepStatuses(store, held.body),
      posts: { ids: keepStatuses(store, boosted as Status[]), next: posts.next },
      bans: keepAll(store, bans.body),
      acts: acts.body,
      query,
      results: keepAll(store, results),
    };
  },
  View: ({ data }) => {
    const { t } = useApp();
    const { group } = data;
    return (
      <>
        <ColumnHead title={<bdi>{shownName(group.account)}</bdi>} back>
          <a
            class="icon-button"
            href={profilePath(group.account)}
            aria-label={t("groups.profile")}
            title={t("groups.profile")}
          >
            <Icon name="people" />
          </a>
        </ColumnHead>
        <Requests data={data} />
        <Posts data={data} />
        <Members data={data} />
        {group.role === "owner" && <Settings group={group} />}
        <Log acts={data.acts} />
        {group.role === "owner" && <Deletion group={group} />}
      </>
    );
  },
  head: ({ group: { account } }) => ({ title: shownName(account), isHidden: true }),
};
