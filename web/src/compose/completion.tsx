// Suggests handles, hashtags and emojis beside the line in which one is typed, as a list of options that the text field
// points to (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).

import { useEffect, useRef, useState } from "preact/hooks";
import type { Account, Search } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { useApp } from "../app.ts";
import { FloatingList } from "../elements/floating-list.tsx";
import { Name, smallPicture } from "../elements/names.tsx";
import { allEmojis, findEmojis } from "./emojis.ts";
import { lineAt } from "./text-line.ts";
import { complete, tokenAt } from "./token.ts";
import type { Token } from "./token.ts";

type Suggestion = {
  key: string;
  /** Text that is inserted. */
  value: string;
  account?: Account;
  picture?: string;
  label: string;
  more?: string;
};

const MAX = 6;
const WAIT_MS = 150;

const people = async (get: Get, query: string): Promise<Suggestion[]> => {
  const { body } = await get<Account[]>("/api/v1/accounts/search", { q: query, limit: MAX });
  return body.map((account) => ({
    key: account.id,
    value: `@${account.acct}`,
    account,
    picture: smallPicture(account),
    label: `@${account.acct}`,
  }));
};

const tags = async (get: Get, query: string): Promise<Suggestion[]> => {
  const params = { q: query, type: "hashtags", limit: MAX };
  const { body } = await get<Search>("/api/v2/search", params);
  return body.hashtags.map(({ name }) => ({ key: name, value: `#${name}`, label: `#${name}` }));
};

const emojis = async (get: Get, query: string, locale: string): Promise<Suggestion[]> =>
  findEmojis(await allEmojis(get, locale), query)
    .slice(0, MAX)
    .map(({ name, text, url }) => ({
      key: name,
      value: text,
      label: url ? `:${name}:` : text,
      ...(url ? { picture: url } : { more: `:${name}:` }),
    }));

const SOURCES = { "@": people, "#": tags, ":": emojis };

type Field = {
  /** Text of the field. */
  text: string;
  onChange(text: string, cursor: number): void;
};

export type Completion = ReturnType<typeof useCompletion>;

/** Returns what the text field needs: its listeners and attributes, and the list that belongs to it. */
export const useCompletion = (id: string, { text, onChange }: Field) => {
  const { get, locale } = useApp();
  const [token, setToken] = useState<Token | null>(null);
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([]);
  const [index, setIndex] = useState(0);
  const turn = useRef(0);
  const close = (): void => {
    turn.current += 1;
    setToken(null);
    setSuggestions([]);
  };
  useEffect(() => {
    if (!token) return;
    const own = (turn.current += 1);
    const timer = setTimeout(async () => {
      const next = await SOURCES[token.kind](get, token.query, locale).catch(() => []);
      if (own !== turn.current) return;
      setSuggestions(next);
      setIndex(0);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [token?.kind, token?.query, token?.start]);
  const pick = (suggestion: Suggestion): void => {
    if (!token) return;
    const done = complete(text, token, suggestion.value);
    close();
    onChange(done.text, done.cursor);
  };
  const look = (field: HTMLTextAreaElement): void => {
    const { selectionStart, selectionEnd, value } = field;
    const next = selectionStart === selectionEnd ? tokenAt(value, selectionStart) : null;
    if (next) setToken(next);
    else if (token) close();
  };
  const isOpen = suggestions.length > 0;
  /** Whether the list handled the key. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.isComposing) return false;
    const count = suggestions.length;
    if (event.key === "ArrowDown") setIndex((index + 1) % count);
    else if (event.key === "ArrowUp") setIndex((index + count - 1) % count);
    else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab")
      pick(suggestions[index]!);
    else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  // The role is set only while a list is open. HTML and its types do not allow it for a textarea, but without it the
  // field cannot tell assistive technology that a list is open.
  const combobox: object = {
    role: "combobox",
    "aria-expanded": true,
    "aria-controls": id,
    "aria-activedescendant": `${id}-${index}`,
  };
  const attributes = {
    "aria-autocomplete": "list" as const,
    "aria-haspopup": "listbox" as const,
    ...(isOpen && combobox),
  };
  const end = token?.end ?? 0;
  return {
    id,
    attributes,
    look,
    close,
    onKeyDown,
    pick,
    suggestions,
    index,
    choose: setIndex,
    end,
  };
};

const Row = ({ account, picture, label, more }: Suggestion) => (
  <>
    {picture && (
      <img class={account ? "avatar" : "emoji"} src={picture} alt="" width="28" height="28" />
    )}
    {account && (
      <strong>
        <Name account={account} />
      </strong>
    )}
    <span class={account ? "handle" : undefined}>{label}</span>
    {more && <span class="soft">{more}</span>}
  </>
);

type SuggestionsProps = { completion: Completion; field: HTMLTextAreaElement | null };

export const Suggestions = ({ completion, field }: SuggestionsProps) => {
  const { t } = useApp();
  const { id, suggestions, index, choose, end, pick, close } = completion;
  if (suggestions.length === 0 || !field) return null;
  return (
    <>
      <FloatingList
        id={id}
        label={t("compose.suggestions")}
        field={field}
        lineOf={() => lineAt(field, end)}
        onClose={close}
      >
        {suggestions.map((suggestion, at) => (
          <li
            key={suggestion.key}
            id={`${id}-${at}`}
            class="menu-item suggestion"
            role="option"
            aria-selected={at === index}
            // Only a mouse that moves chooses, not one that the list opens below.
            onPointerMove={() => at !== index && choose(at)}
            onClick={() => pick(suggestion)}
          >
            <Row {...suggestion} />
          </li>
        ))}
      </FloatingList>
      <span class="invisible" role="status">
        {t("compose.suggested", { count: suggestions.length })}
      </span>
    </>
  );
};
