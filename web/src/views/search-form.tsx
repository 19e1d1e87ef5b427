// The search field: on the page of the results, and beside the others.

import { useApp } from "../app.ts";
import { Icon } from "../elements/icons.tsx";

export const SearchForm = ({ id = "q", q = "" }: { id?: string; q?: string }) => {
  const { t } = useApp();
  return (
    <form class="search-form" method="get" action="/search" role="search">
      <label class="invisible" for={id}>
        {t("search.label")}
      </label>
      <input
        id={id}
        name="q"
        type="search"
        dir="auto"
        key={q}
        defaultValue={q}
        placeholder={t("search.placeholder")}
        maxLength={500}
        autocomplete="off"
        enterkeyhint="search"
      />
      <button class="icon-button" aria-label={t("nav.search")} title={t("nav.search")}>
        <Icon name="search" />
      </button>
    </form>
  );
};
