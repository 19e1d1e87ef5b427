// Filters: words that somebody does not want to read, where, what happens instead, and until when.

import type { Filter, FilterKeyword } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { Key } from "../texts/texts.ts";
import {
  CheckField,
  SaveButton,
  SelectField,
  SettingsForm,
  TextField,
} from "../views/settings-form.tsx";
import type { Option } from "../views/settings-form.tsx";
import { SettingsHead, SettingsMenu } from "../views/settings-menu.tsx";
import { useUntil } from "./hidden.tsx";
import type { AnyPage, Page } from "./page.ts";

const PATH = "/settings/filters";
const CONTEXTS = ["home", "notifications", "public", "thread", "account"] as const;
const ACTIONS = ["warn", "blur", "hide"] as const;
const EXPIRIES: readonly [seconds: string, text: Key][] = [
  ["", "settings.filter_never"],
  ["1800", "settings.filter_minutes"],
  ["3600", "settings.filter_hour"],
  ["86400", "settings.filter_day"],
  ["604800", "settings.filter_week"],
  ["2592000", "settings.filter_month"],
];

/** Rows for words beside those that there are: enough without scripts, and saving gives more. */
const SPARE = 2;

const KeywordRow = ({ index, keyword }: { index: number; keyword?: FilterKeyword | undefined }) => {
  const { t } = useApp();
  const name = (part: string): string => `keywords_attributes[${index}][${part}]`;
  const matches: Option[] = [
    ["true", t("settings.filter_whole")],
    ["false", t("settings.filter_part")],
  ];
  return (
    <div class="settings-keyword">
      {keyword && <input type="hidden" name={name("id")} value={keyword.id} />}
      <TextField
        name={name("keyword")}
        label={t("settings.filter_keyword")}
        value={keyword?.keyword ?? ""}
      />
      <SelectField
        name={name("whole_word")}
        label={t("settings.filter_match")}
        value={String(keyword?.whole_word ?? true)}
        options={matches}
      />
      <CheckField
        name={name("wildcards")}
        label={t("settings.filter_wildcards")}
        isOn={keyword?.wildcards ?? false}
      />
      {keyword && (
        <label class="settings-check">
          <input type="checkbox" name={name("_destroy")} value="true" />
          <span>{t("settings.filter_remove_keyword")}</span>
        </label>
      )}
    </div>
  );
};

const Contexts = ({ chosen }: { chosen: readonly string[] }) => {
  const { t } = useApp();
  return (
    <fieldset class="settings-set">
      <legend>{t("settings.filter_where")}</legend>
      {CONTEXTS.map((context) => (
        <label key={context} class="settings-check">
          <input
            type="checkbox"
            name="context[]"
            value={context}
            defaultChecked={chosen.includes(context)}
          />
          <span>{t(`settings.filter_context_${context}`)}</span>
        </label>
      ))}
    </fieldset>
  );
};

const FilterForm = ({ filter }: { filter?: Filter }) => {
  const { t } = useApp();
  const untilText = useUntil();
  const keywords = filter?.keywords ?? [];
  const rows = Array.from({ length: keywords.length + SPARE }, (_row, index) => keywords[index]);
  const ends: Option[] = filter?.expires_at ? [["keep", t("settings.filter_keep")]] : [];
  const expiries = [...ends, ...EXPIRIES.map(([value, text]): Option => [value, t(text)])];
  return (
    <SettingsForm action={`/web/act/filters${filter ? `/${filter.id}` : ""}`} back={PATH}>
      <TextField
        name="title"
        label={t("settings.filter_title")}
        value={filter?.title ?? ""}
        isRequired
      />
      {rows.map((keyword, index) => (
        <KeywordRow key={keyword?.id ?? `new-${index}`} index={index} keyword={keyword} />
      ))}
      <Contexts chosen={filter?.context ?? ["home", "notifications", "public", "thread"]} />
      <SelectField
        name="filter_action"
        label={t("settings.filter_action")}
        value={filter?.filter_action ?? "warn"}
        options={ACTIONS.map((action): Option => [action, t(`settings.filter_action_${action}`)])}
      />
      <SelectField
        name="expires_in"
        label={t("settings.filter_expiry")}
        value={filter?.expires_at ? "keep" : ""}
        options={expiries}
      />
      {filter?.expires_at && <p class="soft small">{untilText(filter.expires_at)}</p>}
      <SaveButton />
    </SettingsForm>
  );
};

const FilterRow = ({ filter }: { filter: Filter }) => {
  const untilText = useUntil();
  const words = (filter.keywords ?? []).map(({ keyword }) => keyword).join(", ");
  return (
    <a class="settings-row" href={`${PATH}/${filter.id}`}>
      <span>
        <strong>{filter.title}</strong>
        <span class="soft small">
          {words}
          {filter.expires_at && ` · ${untilText(filter.expires_at)}`}
        </span>
      </span>
    </a>
  );
};

const list: Page<{ filters: Filter[] }> = {
  path: PATH,
  isForMembers: true,
  load: async ({ get }) => ({ filters: (await get<Filter[]>("/api/v2/filters")).body }),
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <SettingsHead title={t("settings.filters")} />
        <section class="panel settings-group">
          {data.filters.length === 0 && <p class="settings-none">{t("settings.filters_empty")}</p>}
          {data.filters.map((filter) => (
            <FilterRow key={filter.id} filter={filter} />
          ))}
        </section>
        <section class="panel">
          <h2>{t("settings.filter_new")}</h2>
          {/* A new one for each filter: saving empties the form. */}
          <FilterForm key={data.filters.length} />
        </section>
      </>
    );
  },
  Beside: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.filters"), isHidden: true }),
};

const edit: Page<{ filter: Filter }> = {
  path: `${PATH}/:id(\\d+)`,
  isForMembers: true,
  load: async ({ get, place }) => ({
    filter: (await get<Filter>(`/api/v2/filters/${place.params["id"]}`)).body,
  }),
  View: ({ data: { filter } }) => {
    const { t } = useApp();
    return (
      <>
        <SettingsHead title={t("settings.filter_edit")} back={PATH} />
        <section class="panel">
          <FilterForm key={filter.keywords?.length} filter={filter} />
        </section>
        <section class="panel">
          <SettingsForm action={`/web/act/filters/${filter.id}/delete`} back={PATH}>
            <button class="button plain">{t("settings.filter_delete")}</button>
          </SettingsForm>
        </section>
      </>
    );
  },
  Beside: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.filter_edit"), isHidden: true }),
};

export const filterPages: AnyPage[] = [list, edit];
