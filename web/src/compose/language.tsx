// Chooses the language of a post.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Get } from "../api/get.ts";
import { languageName } from "../text/language-name.ts";
import { byName } from "../../../texts/lists.ts";

type Language = { code: string; name: string };

const known = signal<readonly Language[] | null>(null);

const load = async (get: Get, locale: string): Promise<void> => {
  if (known.peek()) return;
  const { body } = await get<Language[]>("/api/v1/instance/languages");
  known.value = byName(locale, body, ({ name }) => name);
};

/** Names the language as the server does, which is asked for it where the browser has no name. */
export const useLanguageName = (code: string): string => {
  const { get, locale } = useApp();
  const own = languageName(locale, code);
  useEffect(() => {
    if (own === undefined) load(get, locale).catch(() => {});
  }, [own]);
  return known.value?.find((each) => each.code === code)?.name ?? own ?? code;
};

type Props = { value: string; onChange(value: string): void };

export const LanguageSelect = ({ value, onChange }: Props) => {
  const { get, locale } = useApp();
  const name = useLanguageName(value);
  useEffect(() => void load(get, locale).catch(() => {}), []);
  const shown = known.value ?? [{ code: value, name }];
  return (
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {shown.map((each) => (
        <option key={each.code} value={each.code}>
          {each.name}
        </option>
      ))}
    </select>
  );
};
