// Edits filters: words that somebody does not want to read, where, what happens instead, and until when.

import { FILTER_CONTEXT, FILTER_FILTER_ACTION } from "../api/choices.ts";
import type { Filter, FilterKeyword } from "../api/entities.ts";
import { addressOf, useApp } from "../app.ts";
import { useContext } from "preact/hooks";
import { RefusedHere } from "../elements/refusable.tsx";
import { BoxField, TickField } from "../elements/fields.tsx";
import { Icon } from "../elements/icons.tsx";
import { loadFilters } from "../store/named.ts";
import { beginningOf } from "../text/summary.ts";
import type { Key } from "../texts/texts.ts";
import {
  CheckField,
  SaveButton,
  SelectField,
  SettingsForm,
  TextField,
} from "../views/settings-form.tsx";
import { PagesOf, partOf } from "../views/pages-of.tsx";
import type { PartOf } from "../views/pages-of.tsx";
import type { Option } from "../views/settings-form.tsx";
import { SettingsHead, SettingsMenu } from "../views/settings-menu.tsx";
import { useUntil } from "./hidden.tsx";
import type { AnyPage, Page } from "./page.ts";
import { listed } from "../../../texts/lists.ts";

const PATH = "/settings/filters";
const EXPIRIES: readonly [seconds: string, text: Key][] = [
  ["", "settings.filter_never"],
  ["1800", "settings.filter_minutes"],
  ["3600", "settings.filter_hour"],
  ["86400", "settings.filter_day"],
  ["604800", "settings.filter_week"],
  ["2592000", "settings.filter_month"],
];

/** Empty rows for words: enough without scripts, and saving adds more. */
const SPARE = 2;

/**
 * Entries on a page of the list, and words on that of a filter. A form changes the words that it shows, and leaves all
 * others.
 */
const FILTERS_SHOWN = 100;
const WORDS_SHOWN = 100;
/** Characters of a filter's words in the list. */
const WORDS_LENGTH = 200;

type Row = {
  index: number;
  keyword?: FilterKeyword | undefined;
  /** All that the form shows. */
  words: readonly FilterKeyword[];
  /** Of a new filter the first row is needed: without a word it would find nothing. */
  isRequired: boolean;
};

const nameIn = (index: number, part: string): string => `keywords_attributes[${index}][${part}]`;

const KeywordRow = ({ index, keyword: shown, words, isRequired }: Row) => {
  const { t } = useApp();
  const fields = useContext(RefusedHere)?.fields;
  const name = (part: string): string => nameIn(index, part);
  // A row that comes back is of the same word as before, whatever was added or removed elsewhere.
  const keyword = fields ? words.find(({ id }) => id === fields[name("id")]?.at(-1)) : shown;
  const matches: Option[] = [
    ["true", t("settings.filter_whole")],
    ["false", t("settings.filter_part")],
  ];
  return (
    <div class="settings-keyword">
      {keyword && <input type="hidden" name={name("id")} value={keyword.id} />}
      {isRequired && <input type="hidden" name={name("needed")} value="true" />}
      <TextField
        name={name("keyword")}
        label={t("settings.filter_keyword")}
        value={keyword?.keyword ?? ""}
        isRequired={isRequired}
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
        <BoxField
          name={name("_destroy")}
          label={t("settings.filter_remove_keyword")}
          value="true"
          isOn={false}
          class="settings-check"
        />
      )}
    </div>
  );
};

const Contexts = ({ chosen }: { chosen: readonly string[] }) => {
  const { t } = useApp();
  return (
    <TickField
      kind="checkbox"
      class="settings-set"
      each="settings-check"
      name="context[]"
      label={t("settings.filter_where")}
      chosen={chosen}
      options={FILTER_CONTEXT.map((context) => [context, t(`settings.filter_context_${context}`)])}
    />
  );
};

type Edited = { filter: Omit<Filter, "keywords" | "statuses">; words: PartOf<FilterKeyword> };

const FilterForm = ({ edited: { filter, words } = {} }: { edited?: Partial<Edited> }) => {
  const { t, place, refused } = useApp();
  const untilText = useUntil();
  const keywords = words?.entries ?? [];
  const sent = refused?.fields ?? {};
  const rows = [...keywords, ...Array.from({ length: SPARE }, () => undefined)];
  while (nameIn(rows.length, "keyword") in sent) rows.push(undefined);
  const ends: Option[] = filter?.expires_at ? [["keep", t("settings.filter_keep")]] : [];
  const expiries = [...ends, ...EXPIRIES.map(([value, text]): Option => [value, t(text)])];
  const { title, context, filter_action, expires_at } = filter ?? {};
  const hasMore = words !== undefined && words.total > words.size;
  return (
    <SettingsForm
      action={`/web/act/filters${filter ? `/${filter.id}` : ""}`}
      back={hasMore ? addressOf(place) : PATH}
      done={t("settings.saved_filter")}
      {...(filter && {
        drawn: { title, context, filter_action, expires_at, ...(!hasMore && { keywords }) },
      })}
    >
      <TextField
        name="title"
        label={t("settings.filter_title")}
        value={filter?.title ?? ""}
        isRequired
      />
      {rows.map((keyword, index) => (
        <KeywordRow
          key={keyword?.id ?? `new-${index}`}
          index={index}
          keyword={keyword}
          words={keywords}
          isRequired={!filter && index === 0}
        />
      ))}
      {words && <PagesOf {...words} />}
      {hasMore && <p class="soft small">{t("settings.filter_page_hint")}</p>}
      <Contexts chosen={filter?.context ?? ["home", "notifications", "public", "thread"]} />
      <SelectField
        name="filter_action"
        label={t("settings.filter_action")}
        value={filter?.filter_action ?? "warn"}
        options={FILTER_FILTER_ACTION.map((action): Option => [
          action,
          t(`settings.filter_action_${action}`),
        ])}
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

/** Words of all filters that are looked for; somebody who moved here may have more. */
const WORDS_LOOKED_FOR = 2000;
/** Letters of all filters that are looked for. */
const LETTERS_LOOKED_FOR = 50_000;

const isOverfull = (filters: readonly Filter[]): boolean => {
  const words = filters.flatMap(({ keywords = [] }) => keywords);
  const letters = words.reduce((sum, { keyword }) => sum + keyword.length, 0);
  return words.length > WORDS_LOOKED_FOR || letters > LETTERS_LOOKED_FOR;
};

/** A filter as the list shows it. */
type Listed = Pick<Filter, "id" | "title" | "expires_at"> & { words: string };

const listedIn = (locale: string, { id, title, expires_at, keywords = [] }: Filter): Listed => {
  const words = keywords.slice(0, WORDS_LENGTH).map(({ keyword }) => keyword);
  return { id, title, expires_at, words: beginningOf(listed(locale, words), WORDS_LENGTH) };
};

const FilterRow = ({ filter }: { filter: Listed }) => {
  const untilText = useUntil();
  return (
    <a class="settings-row" href={`${PATH}/${filter.id}`}>
      <span>
        <strong>{filter.title}</strong>
        <span class="soft small">
          {filter.words}
          {filter.expires_at && ` · ${untilText(filter.expires_at)}`}
        </span>
      </span>
      <Icon name="forward" />
    </a>
  );
};

const list: Page<{ filters: PartOf<Listed>; isOver: boolean }> = {
  path: PATH,
  isForMembers: true,
  load: async (loading) => {
    const { place, locale } = loading;
    const all = await loadFilters(loading);
    const { entries, ...part } = partOf(all, place, FILTERS_SHOWN);
    const filters = { ...part, entries: entries.map((filter) => listedIn(locale, filter)) };
    return { filters, isOver: isOverfull(all) };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <SettingsHead title={t("settings.filters")} />
        <section class="panel settings-group">
          {data.isOver && (
            <p class="settings-none">
              {t("settings.filters_over", { words: WORDS_LOOKED_FOR, letters: LETTERS_LOOKED_FOR })}
            </p>
          )}
          {data.filters.total === 0 && <p class="settings-none">{t("settings.filters_empty")}</p>}
          {data.filters.entries.map((filter) => (
            <FilterRow key={filter.id} filter={filter} />
          ))}
          <PagesOf {...data.filters} />
        </section>
        <section class="panel">
          <h2>{t("settings.filter_new")}</h2>
          {/* Each filter gets a new form, because saving empties it. */}
          <FilterForm key={data.filters.total} />
        </section>
      </>
    );
  },
  Menu: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.filters"), isHidden: true }),
};

const edit: Page<Edited> = {
  path: `${PATH}/:id(\\d+)`,
  isForMembers: true,
  load: async ({ get, place }) => {
    const { body } = await get<Filter>(`/api/v2/filters/${place.params["id"]}`);
    const { keywords = [], statuses: _statuses, ...filter } = body;
    return { filter, words: partOf(keywords, place, WORDS_SHOWN) };
  },
  View: ({ data }) => {
    const { t } = useApp();
    const { filter, words } = data;
    return (
      <>
        <SettingsHead title={t("settings.filter_edit")} back={PATH} />
        <section class="panel">
          {/* What has been added or removed by saving needs a new form: the rows of new words are empty again. */}
          <FilterForm
            key={[words.total, ...words.entries.map(({ id }) => id)].join(" ")}
            edited={data}
          />
        </section>
        <section class="panel">
          <SettingsForm
            action={`/web/act/filters/${filter.id}/delete`}
            back={PATH}
            done={t("settings.filter_deleted")}
          >
            <p class="settings-save">
              <button class="button plain warns">{t("settings.filter_delete")}</button>
            </p>
          </SettingsForm>
        </section>
      </>
    );
  },
  Menu: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.filter_edit"), isHidden: true }),
};

export const filterPages: AnyPage[] = [list, edit];
