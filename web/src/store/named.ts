// Loads what people choose by its name, in the order of the names in their language.

import type { Filter, Language, List } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { byName } from "../../../texts/lists.ts";

type Asking = { get: Get; locale: string };

export const loadLists = async ({ get, locale }: Asking): Promise<List[]> =>
  byName(locale, (await get<List[]>("/api/v1/lists")).body, ({ title }) => title);

export const loadFilters = async ({ get, locale }: Asking): Promise<Filter[]> =>
  byName(locale, (await get<Filter[]>("/api/v2/filters")).body, ({ title }) => title);

/** Loads the languages of posts, named by the server: a browser knows fewer. */
export const loadLanguages = async ({ get, locale }: Asking): Promise<Language[]> =>
  byName(locale, (await get<Language[]>("/api/v1/instance/languages")).body, ({ name }) => name);
