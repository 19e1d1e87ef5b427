// Chooses the language of a post. All languages are requested when the list is about to open.

import { useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { inOrder, languageName } from "../text/language-name.ts";

type Language = { code: string; name: string };

let known: readonly Language[] | null = null;

type Props = { value: string; onChange(value: string): void };

export const LanguageSelect = ({ value, onChange }: Props) => {
  const { get, locale } = useApp();
  const [languages, setLanguages] = useState(known);
  const load = async (): Promise<void> => {
    if (languages) return;
    const { body } = await get<Language[]>("/api/v1/instance/languages");
    known = inOrder(locale, body);
    setLanguages(known);
  };
  const shown = languages ?? [{ code: value, name: languageName(locale, value) ?? value }];
  return (
    <select
      value={value}
      onFocus={() => void load().catch(() => {})}
      onPointerEnter={() => void load().catch(() => {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {shown.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
};
