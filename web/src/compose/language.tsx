// Chooses the language of a post.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import type { Language } from "../api/entities.ts";
import { loadLanguages } from "../store/named.ts";
import { languageName } from "../text/language-name.ts";

const known = signal<readonly Language[] | null>(null);

let request: Promise<void> | null = null;

/** Asks for them once; again where the server did not answer. */
const load = (app: App): void => {
  request ??= loadLanguages(app).then(
    (all) => void (known.value = all),
    () => void (request = null),
  );
};

/** Names the language as the server does, which is asked for it where the browser has no name. */
export const useLanguageName = (code: string): string => {
  const app = useApp();
  const own = languageName(app.locale, code);
  useEffect(() => {
    if (own === undefined) load(app);
  }, [own]);
  return known.value?.find((each) => each.code === code)?.name ?? own ?? code;
};

type Props = { value: string; onChange(value: string): void };

export const LanguageSelect = ({ value, onChange }: Props) => {
  const app = useApp();
  const name = useLanguageName(value);
  useEffect(() => load(app), []);
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
