// The first steps of a new member: people and hashtags to follow, the rules, a profile, a first post.

import { useState } from "preact/hooks";
import type { Account, Instance, Rule, Tag } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { TagName } from "../elements/tag-name.tsx";
import { useZoneOfDevice } from "../window/zone.ts";
import { keepAccount } from "../store/store.ts";
import { loadSuggested } from "../store/suggested.ts";
import { plainText } from "../text/parse-html.ts";
import { ActButton } from "../elements/act-button.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { FollowButton } from "../views/follow-button.tsx";
import { PersonRow } from "../elements/names.tsx";
import { PictureInput } from "../elements/picture-input.tsx";
import { CheckField, SettingsForm, TextField } from "../views/settings-form.tsx";
import type { Page } from "./page.ts";

type TagRow = { name: string; isFollowed: boolean; people: number };
type Welcome = { ids: string[]; tags: TagRow[]; rules: Rule[] };

const tagRow = ({ name, following, history }: Tag): TagRow => ({
  name,
  isFollowed: following ?? false,
  people: history.reduce((sum, { accounts }) => sum + Number(accounts), 0),
});

const PEOPLE = 12;

const TagButton = ({ tag }: { tag: TagRow }) => {
  const { t, send } = useApp();
  const [isOn, setOn] = useState(tag.isFollowed);
  const act = isOn ? "unfollow" : "follow";
  const onClick = (event: Event): void => {
    event.preventDefault();
    setOn(!isOn);
    const path = `/api/v1/tags/${encodeURIComponent(tag.name)}/${act}`;
    send("POST", path).catch(() => setOn(isOn));
  };
  return (
    <ActButton
      class={isOn ? "chip on" : "chip"}
      kind="tags"
      id={encodeURIComponent(tag.name)}
      act={act}
      label={t("welcome.follow_tag", { tag: tag.name })}
      pressed={isOn}
      onPress={onClick}
    >
      <TagName name={tag.name} />
    </ActButton>
  );
};

const Person = ({ account }: { account: Account }) => {
  const note = plainText(account.note).slice(0, 140);
  return (
    <div class="suggested">
      <PersonRow account={account}>
        <FollowButton account={account} isSmall />
      </PersonRow>
      {note && (
        <p class="soft small" dir="auto">
          {note}
        </p>
      )}
    </div>
  );
};

/** Edits name and picture, without leaving the page. */
const You = () => {
  const { me, t } = useApp();
  if (!me) return null;
  return (
    <section class="panel">
      <p>{t("welcome.you_text")}</p>
      <SettingsForm
        action="/web/act/accounts/update_credentials"
        back="/welcome"
        done={t("settings.saved_profile")}
        label={t("welcome.you")}
        hasFiles
      >
        <PictureInput key={me.avatar_static} kind="avatar" src={me.avatar_static} alt="" />
        <TextField name="display_name" label={t("settings.name")} value={me.display_name} />
        <CheckField
          name="discoverable"
          label={t("settings.discoverable")}
          isOn={me.discoverable !== false}
        />
        <div class="button-row">
          <button class="button">{t("welcome.save")}</button>
          <a class="button plain" href="/settings/profile">
            {t("welcome.more_profile")}
          </a>
        </div>
      </SettingsForm>
    </section>
  );
};

/** Says what is already in home. */
const AtHome = ({ ids }: { ids: readonly string[] }) => {
  const { store, t } = useApp();
  const count = ids.filter((id) => store.relationships.get(id)?.value.following).length;
  return (
    <p role="status" class="section soft">
      {count === 0 ? t("welcome.following_none") : t("welcome.following", { count })}
    </p>
  );
};

const View: Page<Welcome>["View"] = ({ data }) => {
  const { t, site, store, locale, place } = useApp();
  useZoneOfDevice();
  return (
    <>
      <ColumnHead title={t("welcome.title", { server: site.title })} />
      {place.query["done"] === "confirmed" && (
        <p class="notice" role="status">
          {t("welcome.confirmed")}
        </p>
      )}
      <section class="prose">
        <p class="lead">{t("welcome.text")}</p>
      </section>
      <h2 class="section">{t("welcome.you")}</h2>
      <You />
      <h2 class="section">{t("welcome.people")}</h2>
      {data.ids.length === 0 ? (
        <div class="empty">
          <p>{t("welcome.nobody")}</p>
          <p>
            <a class="button plain" href="/search">
              {t("welcome.search")}
            </a>
          </p>
        </div>
      ) : (
        <>
          <div class="feed">
            {data.ids.map((id) => (
              <Person key={id} account={store.accounts.get(id)!.value} />
            ))}
          </div>
          <AtHome ids={data.ids} />
        </>
      )}
      {data.tags.length > 0 && (
        <>
          <h2 class="section">{t("welcome.tags")}</h2>
          <p class="chips">
            {data.tags.map((tag) => (
              <TagButton key={tag.name} tag={tag} />
            ))}
          </p>
        </>
      )}
      {data.rules.length > 0 && (
        <>
          <h2 class="section">{t("welcome.rules")}</h2>
          <ol class="rules">
            {data.rules.map(({ id, text, hint, translations }) => (
              <li key={id}>
                {translations?.[locale]?.text ?? text}
                {hint && <p class="soft small">{translations?.[locale]?.hint ?? hint}</p>}
              </li>
            ))}
          </ol>
        </>
      )}
      <h2 class="section">{t("welcome.last")}</h2>
      <section class="panel">
        <p>{t("welcome.last_text")}</p>
        <p class="button-row">
          <a class="button" href={`/compose?${new URLSearchParams({ text: "#introduction " })}`}>
            {t("welcome.first_post")}
          </a>
          <a class="button plain" href="/home">
            {t("welcome.home")}
          </a>
        </p>
      </section>
    </>
  );
};

export const welcome: Page<Welcome> = {
  path: "/welcome",
  isForMembers: true,
  load: async (loading) => {
    const { get, store } = loading;
    const [people, tags, instance] = await Promise.all([
      loadSuggested(loading, PEOPLE),
      get<Tag[]>("/api/v1/trends/tags", { limit: 15 }),
      get<Instance>("/api/v2/instance"),
    ]);
    const ids = people.map(({ account }) => keepAccount(store, account));
    return { ids, tags: tags.body.map(tagRow), rules: instance.body.rules };
  },
  View,
  head: (_data, { t, site }) => ({
    title: t("welcome.title", { server: site.title }),
    isHidden: true,
  }),
};
