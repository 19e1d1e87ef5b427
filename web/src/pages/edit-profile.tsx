// Edits the profile: who somebody is, with pictures cut in place, and who can find them.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { FeaturedTag, Profile } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { useField } from "../elements/fields.tsx";
import { ReadAtFocus } from "../elements/read-at-focus.tsx";
import { profilePath } from "../elements/names.tsx";
import { PictureInput } from "../elements/picture-input.tsx";
import { ProfileFields } from "../views/profile-fields.tsx";
import type { EditedField } from "../views/profile-fields.tsx";
import { CheckField, SaveButton, SettingsForm, TextField } from "../views/settings-form.tsx";
import { SettingsHead, SettingsMenu } from "../views/settings-menu.tsx";
import type { AnyPage, Page } from "./page.ts";
import { byName } from "../../../texts/lists.ts";

type Data = {
  profile: Profile;
  fields: EditedField[];
  attribution: string[];
  tags: FeaturedTag[];
  limits: Record<string, number>;
  /** Number of loads; the form shows what was saved. */
  version: number;
};

const PROFILE = "/web/act/accounts/update_credentials";
const PICTURES = ["avatar", "header"] as const;
type PictureKind = (typeof PICTURES)[number];

/** Id of the form that removes the picture. */
const removalOf = (kind: PictureKind): string => `remove-${kind}`;

const Picture = ({ kind, profile }: { kind: PictureKind; profile: Profile }) => {
  const { t } = useApp();
  return (
    <fieldset class="settings-set">
      <legend>{t(`settings.${kind}`)}</legend>
      <PictureInput
        kind={kind}
        src={profile[`${kind}_static`] ?? ""}
        alt={profile[`${kind}_description`]}
      />
      <TextField
        name={`${kind}_description`}
        label={t("settings.picture_description")}
        value={profile[`${kind}_description`]}
        maxLength={150}
      />
      {profile[kind] && (
        <p>
          <button class="button plain small" form={removalOf(kind)}>
            {t("settings.picture_remove")}
          </button>
        </p>
      )}
    </fieldset>
  );
};

/** Draws the forms that remove pictures: Enter in a field of the profile's own form presses that one's button. */
const Removals = () => {
  const { t } = useApp();
  return PICTURES.map((kind) => (
    <SettingsForm
      key={kind}
      id={removalOf(kind)}
      class=""
      action={`/web/act/profile/${kind}/delete`}
      done={t("settings.saved_profile")}
    />
  ));
};

const Introduction = ({ profile, limit }: { profile: Profile; limit: number }) => {
  const { t } = useApp();
  const { valueOr } = useField({ name: "note" });
  const [left, setLeft] = useState(limit - [...valueOr(profile.note)].length);
  const words = left < 0 ? t("compose.over", { count: -left }) : t("compose.left", { count: left });
  return (
    <TextField
      name="note"
      label={t("settings.bio")}
      type="textarea"
      rows={4}
      value={profile.note}
      onInput={(event) => setLeft(limit - [...event.currentTarget.value].length)}
      hint={
        <>
          <span aria-hidden="true" class={left < 0 ? "too-long" : undefined}>
            {words}
          </span>
          <ReadAtFocus words={words} />
        </>
      }
    />
  );
};

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="panel">
    <h2>{title}</h2>
    {children}
  </section>
);

const SHOWN = [
  "display_name",
  "note",
  "avatar_description",
  "header_description",
  "attribution_domains",
] as const;
const FLAGS = ["locked", "bot", "discoverable", "indexable", "hide_collections"] as const;

const Flags = ({ profile }: { profile: Profile }) => {
  const { t } = useApp();
  return (
    <Part title={t("settings.privacy")}>
      {FLAGS.map((flag) => (
        <CheckField
          key={flag}
          name={flag}
          label={t(`settings.${flag}`)}
          isOn={profile[flag] === true}
        />
      ))}
    </Part>
  );
};

const Attribution = ({ domains }: { domains: string[] }) => {
  const { t, me, site } = useApp();
  return (
    <section class="panel">
      <TextField
        name="attribution_domains"
        label={t("settings.attribution")}
        type="textarea"
        rows={3}
        isExact
        value={domains.join("\n")}
        hint={
          <>
            {t("settings.attribution_hint")}{" "}
            <code>{`<meta name="fediverse:creator" content="@${me?.username}@${site.domain}">`}</code>
          </>
        }
      />
    </section>
  );
};

const Tags = ({ tags }: { tags: FeaturedTag[] }) => {
  const { t } = useApp();
  return (
    <Part title={t("settings.tags")}>
      <p class="soft small">{t("settings.tags_hint")}</p>
      {tags.map(({ id, name }) => (
        <SettingsForm
          key={id}
          action={`/web/act/featured_tags/${id}/delete`}
          done={t("settings.tag_removed", { name })}
        >
          <button class="button plain small" aria-label={t("settings.tag_remove", { name })}>
            #{name} ×
          </button>
        </SettingsForm>
      ))}
      <SettingsForm
        key={`add-${tags.length}`}
        action="/web/act/featured_tags"
        done={t("settings.tag_added")}
      >
        <TextField name="name" label={t("settings.tag_name")} isRequired maxLength={100} />
        <p>
          <button class="button plain">{t("settings.tag_add")}</button>
        </p>
      </SettingsForm>
    </Part>
  );
};

/** What the form shows; of fields without when they were verified. */
const drawnOf = (profile: Profile) => ({
  ...Object.fromEntries([...SHOWN, ...FLAGS].map((name) => [name, profile[name]])),
  fields: profile.fields.map(({ name, value }) => ({ name, value })),
});

const View = ({ data }: { data: Data }) => {
  const { t, me } = useApp();
  const { profile, fields, attribution, tags, limits, version } = data;
  return (
    <>
      <SettingsHead title={t("settings.profile")} />
      {me && (
        <p class="section">
          <a href={profilePath(me)}>{t("settings.preview")}</a>
        </p>
      )}
      <SettingsForm
        key={version}
        action={PROFILE}
        hasFiles
        done={t("settings.saved_profile")}
        drawn={drawnOf(profile)}
      >
        <section class="panel">
          <TextField name="display_name" label={t("settings.name")} value={profile.display_name} />
          <Introduction profile={profile} limit={limits["max_note_length"] ?? 500} />
        </section>
        <Part title={t("settings.pictures")}>
          {PICTURES.map((kind) => (
            <Picture key={kind} kind={kind} profile={profile} />
          ))}
        </Part>
        <Part title={t("settings.fields")}>
          <ProfileFields fields={fields} most={limits["max_profile_fields"] ?? 4} />
        </Part>
        <Flags profile={profile} />
        <Attribution domains={attribution} />
        <SaveButton />
      </SettingsForm>
      <Removals />
      <Tags tags={tags} />
    </>
  );
};

let versions = 0;

const editProfile: Page<Data> = {
  path: "/settings/profile",
  isForMembers: true,
  load: async ({ get, locale }) => {
    const [{ body: profile }, { body: all }, { body: instance }] = await Promise.all([
      get<Profile>("/api/v1/profile"),
      get<FeaturedTag[]>("/api/v1/featured_tags"),
      get<{ configuration: { accounts: Record<string, number> } }>("/api/v2/instance"),
    ]);
    const limits = instance.configuration.accounts;
    const { fields, attribution_domains: attribution } = profile;
    const tags = byName(locale, all, ({ name }) => name);
    versions += 1;
    return { profile, fields, attribution, tags, limits, version: versions };
  },
  View,
  Menu: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.profile"), isHidden: true }),
};

export const editProfilePages: AnyPage[] = [editProfile];
