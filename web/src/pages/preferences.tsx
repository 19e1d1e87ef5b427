// Edits preferences: how somebody posts, which apps share, and how this browser shows things.

import { QUOTE_POLICIES, REPLY_POLICIES, USUAL } from "../api/visibility.ts";
import type { Language } from "../api/entities.ts";
import { LANGUAGES, chooseLanguage } from "../../../texts/languages.ts";
import { useApp } from "../app.ts";
import { LOOK_CHOICES, lookOf } from "../look.ts";
import type { LookName } from "../look.ts";
import type { Key } from "../texts/texts.ts";
import { EXPAND_MEDIA } from "../text/reading.ts";
import { loadLanguages } from "../store/named.ts";
import type { Reading } from "../text/reading.ts";
import { CheckField, SaveButton, SelectField, SettingsForm } from "../views/settings-form.tsx";
import type { Option } from "../views/settings-form.tsx";
import { SettingsHead, SettingsMenu } from "../views/settings-menu.tsx";
import type { AnyPage, Page } from "./page.ts";

type Data = {
  /** As the API says them. */
  saved: Record<string, unknown>;
  visibility: string;
  sensitive: boolean;
  language: string;
  quotePolicy: string;
  replyPolicy: string;
  contentType: string;
  locale: string;
  reading: Reading;
  languages: Language[];
};

/** What a form shows, by the names in the API. */
const shownIn = ({ saved }: Data, begin: RegExp): object =>
  Object.fromEntries(Object.entries(saved).filter(([name]) => begin.test(name)));

const LOCALES: readonly Option[] = Object.entries(LANGUAGES);

const Posting = ({ data }: { data: Data }) => {
  const { t } = useApp();
  const visibilities = USUAL.map((each): Option => [each, t(`visibility.${each}`)]);
  const quotes = QUOTE_POLICIES.map((each): Option => [each, t(`settings.quotes_${each}`)]);
  const replies = REPLY_POLICIES.map((each): Option => [each, t(`settings.replies_${each}`)]);
  const types: Option[] = [
    ["text/plain", t("compose.plain")],
    ["text/markdown", t("compose.markdown")],
  ];
  const languages = data.languages.map(({ code, name }): Option => [code, name]);
  return (
    <section class="panel">
      <h2>{t("settings.posting")}</h2>
      <SettingsForm
        atOnce
        action="/web/act/preferences"
        done={t("settings.saved_posting")}
        drawn={shownIn(data, /^posting|^locale/)}
      >
        <SelectField
          name="posting:default:visibility"
          label={t("settings.visibility")}
          value={data.visibility}
          options={visibilities}
          hint={t("settings.visibility_hint")}
        />
        <SelectField
          name="posting:default:reply_policy"
          label={t("settings.replies")}
          value={data.replyPolicy}
          options={replies}
        />
        <SelectField
          name="posting:default:quote_policy"
          label={t("settings.quotes")}
          value={data.quotePolicy}
          options={quotes}
        />
        <SelectField
          name="posting:default:language"
          label={t("settings.language")}
          value={data.language}
          options={languages}
        />
        <SelectField
          name="posting:default:content_type"
          label={t("compose.content_type")}
          value={data.contentType}
          options={types}
        />
        <CheckField
          name="posting:default:sensitive"
          label={t("settings.sensitive")}
          isOn={data.sensitive}
        />
        <SelectField
          name="locale"
          label={t("settings.interface_language")}
          value={data.locale}
          options={LOCALES}
        />
        <SaveButton />
      </SettingsForm>
    </section>
  );
};

const MEDIA: Record<Reading["media"], Key> = {
  default: "settings.look_sensitive_cover",
  show_all: "settings.look_sensitive_show",
  hide_all: "settings.look_sensitive_hide",
};

const ReadingChoices = ({ data }: { data: Data }) => {
  const { reading } = data;
  const { t } = useApp();
  return (
    <section class="panel">
      <h2>{t("settings.reading")}</h2>
      <p class="soft small">{t("settings.reading_hint")}</p>
      <SettingsForm
        atOnce
        action="/web/act/preferences"
        done={t("settings.saved_reading")}
        drawn={shownIn(data, /^reading:(?:expand|autoplay)/)}
      >
        <SelectField
          name="reading:expand:media"
          label={t("settings.look_sensitive")}
          value={reading.media}
          options={EXPAND_MEDIA.map((each): Option => [each, t(MEDIA[each])])}
        />
        <SelectField
          name="reading:autoplay:gifs"
          label={t("settings.look_autoplay")}
          value={String(reading.autoplay)}
          options={[
            ["false", t("settings.look_autoplay_off")],
            ["true", t("settings.look_autoplay_on")],
          ]}
        />
        <CheckField
          name="reading:expand:spoilers"
          label={t("settings.spoilers")}
          isOn={reading.spoilers}
        />
        <SaveButton />
      </SettingsForm>
    </section>
  );
};

const Looks = () => {
  const { t, look } = useApp();
  const names = Object.keys(LOOK_CHOICES) as LookName[];
  return (
    <section class="panel">
      <h2>{t("settings.browser")}</h2>
      <p class="soft small">{t("settings.browser_hint")}</p>
      <SettingsForm atOnce action="/web/look" done={t("settings.saved_browser")}>
        {names.map((name) => (
          <SelectField
            key={name}
            name={name}
            label={t(`settings.look_${name}`)}
            value={lookOf(look, name)}
            options={LOOK_CHOICES[name].map((value): Option => [
              value,
              t(`settings.look_${name}_${value}` as Key),
            ])}
          />
        ))}
        <SaveButton />
      </SettingsForm>
    </section>
  );
};

const preferences: Page<Data> = {
  path: "/settings/preferences",
  isForMembers: true,
  load: async (loading) => {
    const [{ body }, languages] = await Promise.all([
      loading.get<Record<string, unknown>>("/api/v1/preferences"),
      loadLanguages(loading),
    ]);
    const text = (name: string): string => String(body[name] ?? "");
    return {
      saved: body,
      visibility: text("posting:default:visibility"),
      sensitive: body["posting:default:sensitive"] === true,
      language: text("posting:default:language"),
      quotePolicy: text("posting:default:quote_policy"),
      replyPolicy: text("posting:default:reply_policy"),
      contentType: text("posting:default:content_type"),
      locale: chooseLanguage([text("locale")]),
      reading: {
        media: EXPAND_MEDIA.find((each) => each === body["reading:expand:media"]) ?? "default",
        spoilers: body["reading:expand:spoilers"] === true,
        autoplay: body["reading:autoplay:gifs"] === true,
      },
      // They are in the page's data, as a browser would sort them in another way than what the server drew.
      languages,
    };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <SettingsHead title={t("settings.preferences")} />
        <Posting data={data} />
        <ReadingChoices data={data} />
        <Looks />
      </>
    );
  },
  Menu: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.preferences"), isHidden: true }),
};

export const preferencesPages: AnyPage[] = [preferences];
