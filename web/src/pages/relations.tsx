// Small pages about a member's relationship with a person: how to follow, mute, block, a note, lists.

import { useState } from "preact/hooks";
import type { Account, List, Relationship } from "../api/entities.ts";
import { ApiError } from "../api/get.ts";
import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import { fullHandle, ListName, profilePath, plainName } from "../elements/names.tsx";
import { Decision } from "../elements/decision.tsx";
import { InputField, SelectField, TickField } from "../elements/fields.tsx";
import type { Option } from "../elements/fields.tsx";
import { SendForm } from "../elements/send-form.tsx";
import { loadLanguages, loadLists } from "../store/named.ts";
import type { AnyPage, Loading } from "./page.ts";
import { loadAccount } from "./profile.tsx";
import { sheetPage } from "./sheet-page.tsx";

type Person = { id: string };

export const usePerson = (id: string) => {
  const { store, site } = useApp();
  const account = store.accounts.get(id)!.value;
  const relation = store.relationships.get(id)?.value;
  const values = { name: plainName(account), handle: fullHandle(account, site.domain) };
  return { account, relation, values, path: profilePath(account) };
};

/** `more` loads what else the page shows, what it can while the account comes. Throws ApiError. */
const personPage = <More extends object = object>(
  name: string,
  title: Key,
  Body: (props: { data: Person & More }) => preact.ComponentChildren,
  more?: (loading: Loading, account: Promise<Account>) => Promise<More>,
): AnyPage =>
  sheetPage<Person>({
    path: `/@:acct/${name}`,
    load: async (loading) => {
      const account = loadAccount(loading);
      const [{ id }, others] = await Promise.all([account, more?.(loading, account)]);
      return { id, ...others };
    },
    title: ({ id }, { t, store }) => t(title, { name: plainName(store.accounts.get(id)!.value) }),
    Body: Body as never,
  });

type Ask = {
  name: string;
  act: string;
  title: Key;
  text: Key;
  yes: Key;
  done: Key;
  warns?: boolean;
};

const ASKS: readonly Ask[] = [
  {
    name: "unfollow",
    act: "unfollow",
    title: "relation.unfollow_title",
    text: "relation.unfollow_text",
    yes: "relation.unfollow",
    done: "relation.unfollowed",
  },
  {
    name: "block",
    act: "block",
    title: "relation.block_title",
    text: "relation.block_text",
    yes: "relation.block",
    done: "relation.blocked",
    warns: true,
  },
  {
    name: "remove",
    act: "remove_from_followers",
    title: "relation.remove_title",
    text: "relation.remove_text",
    yes: "relation.remove",
    done: "relation.removed",
  },
];

const askPage = ({ name, act, title, text, yes, done, warns }: Ask): AnyPage =>
  personPage(name, title, ({ data }) => {
    const { t } = useApp();
    const { values, path } = usePerson(data.id);
    return (
      <SendForm path={`accounts/${data.id}/${act}`} back={path} done={t(done, values)}>
        <p>{t(text, values)}</p>
        <Decision back={path} {...(warns && { tone: "warns" })}>
          {t(yes, values)}
        </Decision>
      </SendForm>
    );
  });

/** Durations in seconds; 0 until it is undone. */
const DURATIONS: readonly [seconds: number, text: Key][] = [
  [0, "mute.forever"],
  [1800, "mute.half_hour"],
  [7200, "mute.two_hours"],
  [86_400, "mute.day"],
  [259_200, "mute.three_days"],
  [604_800, "mute.week"],
  [2_592_000, "mute.month"],
];

const mutePage = personPage("mute", "relation.mute_title", ({ data }) => {
  const { t } = useApp();
  const { values, path } = usePerson(data.id);
  return (
    <SendForm
      path={`accounts/${data.id}/mute`}
      back={path}
      done={t("relation.muted", values)}
      class="choices"
    >
      <p>{t("relation.mute_text", values)}</p>
      <SelectField
        name="duration"
        of={data.id}
        label={t("mute.duration")}
        value="0"
        options={DURATIONS.map(([seconds, text]) => [String(seconds), t(text)])}
      />
      <SelectField
        name="notifications"
        of={data.id}
        label={t("mute.notifications")}
        value="true"
        options={[
          ["true", t("mute.notifications_too")],
          ["false", t("mute.notifications_kept")],
        ]}
      />
      <Decision back={path}>{t("relation.mute", values)}</Decision>
    </SendForm>
  );
});

const notePage = personPage("note", "relation.note_title", ({ data }) => {
  const { t } = useApp();
  const { relation, path } = usePerson(data.id);
  return (
    <SendForm path={`accounts/${data.id}/note`} back={path} class="choices">
      <InputField
        name="comment"
        label={t("relation.note_text")}
        type="textarea"
        rows={4}
        maxLength={2000}
        value={relation?.note ?? ""}
      />
      <Decision back={path}>{t("relation.save")}</Decision>
    </SendForm>
  );
});

const LANGUAGES =
  "ar ca cs da de el en eo es fa fi fr gl he hi hu id it ja ko nl no pl pt ro ru sv tr uk vi zh";

const languagesFor = (relation: Relationship | undefined, own: (string | null)[]): string[] => [
  ...new Set(
    [...(relation?.languages ?? []), ...own, ...LANGUAGES.split(" ")].flatMap((each) => each ?? []),
  ),
];

type YesNoProps = Person & { name: string; on: boolean; texts: [Key, Key, Key] };

const YesNo = ({ name, id, on, texts: [label, yes, no] }: YesNoProps) => {
  const { t } = useApp();
  return (
    <SelectField
      name={name}
      of={id}
      label={t(label)}
      value={String(on)}
      options={[
        ["true", t(yes)],
        ["false", t(no)],
      ]}
    />
  );
};

/** Limits offered; apps may set others. */
const DAILY_LIMITS = [1, 2, 3, 5, 10, 20];

const DailyLimit = ({ id, limit }: Person & { limit: number | null }) => {
  const { t } = useApp();
  const offered = new Set([...DAILY_LIMITS, ...(limit === null ? [] : [limit])]);
  return (
    <SelectField
      name="daily_limit"
      of={id}
      label={t("follow.daily_limit")}
      value={String(limit ?? 0)}
      options={[
        ["0", t("follow.daily_all")],
        ...[...offered].map((count): Option => [String(count), t("follow.daily", { count })]),
      ]}
    />
  );
};

type Named = { languages: Option[] };

const loadOffered = async (loading: Loading, account: Promise<Account>): Promise<Named> => {
  const { store, me, locale } = loading;
  const [{ id }, all] = await Promise.all([account, loadLanguages(loading)]);
  const names = new Map(all.map(({ code, name }) => [code, name]));
  const relation = store.relationships.get(id)?.peek();
  const codes = languagesFor(relation, [me?.source.language ?? null, locale]);
  return { languages: codes.map((code): Option => [code, names.get(code) ?? code]) };
};

const Languages = ({ id, languages }: Person & Named) => {
  const { t } = useApp();
  const { relation } = usePerson(id);
  return (
    <>
      <input type="hidden" name="languages[]" value="" />
      <TickField
        kind="checkbox"
        name="languages[]"
        of={id}
        label={t("follow.languages")}
        hint={t("follow.languages_hint")}
        around="ticks"
        chosen={relation?.languages ?? []}
        options={languages}
      />
    </>
  );
};

const FollowBody = ({ data }: { data: Person & Named }) => {
  const { t } = useApp();
  const { relation, path, values } = usePerson(data.id);
  return (
    <SendForm
      path={`accounts/${data.id}/follow`}
      back={path}
      done={t("follow.saved", values)}
      class="choices"
    >
      <YesNo
        name="reblogs"
        id={data.id}
        on={relation?.showing_reblogs ?? true}
        texts={["follow.boosts", "follow.boosts_on", "follow.boosts_off"]}
      />
      <YesNo
        name="replies"
        id={data.id}
        on={relation?.showing_replies ?? true}
        texts={["follow.replies", "follow.boosts_on", "follow.boosts_off"]}
      />
      <DailyLimit id={data.id} limit={relation?.daily_limit ?? null} />
      <YesNo
        name="notify"
        id={data.id}
        on={relation?.notifying ?? false}
        texts={["follow.notify", "follow.notify_on", "follow.notify_off"]}
      />
      <Languages {...data} />
      <Decision back={path}>
        {t(relation?.following || relation?.requested ? "relation.save" : "profile.follow")}
      </Decision>
    </SendForm>
  );
};

const followPage = personPage("follow", "relation.follow_title", FollowBody, loadOffered);

const domainOf = (acct: string): string => acct.split("@")[1] ?? "";

/** Throws 404 for somebody of this server, which nobody blocks. */
const requireElsewhere = async (_loading: Loading, account: Promise<Account>): Promise<object> => {
  if (domainOf((await account).acct) === "") throw new ApiError(404, "");
  return {};
};

const DomainBody = ({ data }: { data: Person }) => {
  const { t } = useApp();
  const { account, path } = usePerson(data.id);
  const domain = domainOf(account.acct);
  return (
    <SendForm path="domain_blocks" back={path} done={t("relation.domain_blocked", { domain })}>
      <p>{t("relation.domain_text", { domain })}</p>
      <input type="hidden" name="domain" value={domain} />
      <Decision back={path} tone="final">
        {t("relation.domain", { domain })}
      </Decision>
    </SendForm>
  );
};

const domainPage = personPage(
  "block_domain",
  "relation.domain_title",
  DomainBody,
  requireElsewhere,
);

type InLists = { lists: List[]; inside: string[] };

const ListRow = ({ list, id, isInside }: { list: List; id: string; isInside: boolean }) => {
  const { t } = useApp();
  const { path } = usePerson(id);
  const [isIn, setIn] = useState(isInside);
  const text = t(isIn ? "lists.remove_from" : "lists.add_to", { list: list.title });
  return (
    <SendForm
      path={`lists/${list.id}/accounts${isIn ? "/delete" : ""}`}
      back={`${path}/lists`}
      stays
      onSent={() => setIn(!isIn)}
      class="row"
    >
      <ListName list={list} />
      <input type="hidden" name="account_ids[]" value={id} />
      <button class={isIn ? "button plain small" : "button small"} aria-label={text}>
        {t(isIn ? "lists.remove" : "lists.add")}
      </button>
    </SendForm>
  );
};

const ListsBody = ({ data }: { data: Person & InLists }) => {
  const { t } = useApp();
  if (data.lists.length === 0)
    return (
      <p>
        {t("lists.none")} <a href="/lists">{t("lists.make")}</a>
      </p>
    );
  return (
    <>
      {data.lists.map((list) => (
        <ListRow key={list.id} list={list} id={data.id} isInside={data.inside.includes(list.id)} />
      ))}
    </>
  );
};

const loadInside = async (loading: Loading, account: Promise<Account>): Promise<InLists> => {
  const [lists, { body }] = await Promise.all([
    loadLists(loading),
    account.then(({ id }) => loading.get<List[]>(`/api/v1/accounts/${id}/lists`)),
  ]);
  return { lists, inside: body.map(({ id }) => id) };
};

const listsPage = personPage("lists", "lists.title", ListsBody, loadInside);

export const relationPages: AnyPage[] = [
  ...ASKS.map(askPage),
  mutePage,
  notePage,
  followPage,
  domainPage,
  listsPage,
];
