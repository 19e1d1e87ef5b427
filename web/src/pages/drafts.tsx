// What somebody has begun to write in this browser: open a draft again, or delete it.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Draft, Purpose } from "../compose/draft.ts";
import { MAX_DRAFTS, openDrafts } from "../compose/drafts.ts";
import { openComposer, opened } from "../compose/open.ts";
import type { Key } from "../texts/texts.ts";
import { ColumnHead } from "../views/frame.tsx";
import { Icon } from "../views/icons.tsx";
import { Tabs } from "../views/tabs.tsx";
import { Ago } from "../views/times.tsx";
import type { Page } from "./page.ts";

const TABS = [
  { path: "/drafts", text: "drafts.title" },
  { path: "/scheduled", text: "scheduled.title" },
] as const;

/** The head of the two pages of what is not posted yet. */
export const UnpostedHead = ({ shown }: { shown: (typeof TABS)[number]["path"] }) => {
  const { t } = useApp();
  return (
    <>
      <ColumnHead title={t("nav.drafts")} />
      <Tabs label={t("drafts.label")} tabs={TABS} shown={shown} />
    </>
  );
};

/** What to do where there is nothing. */
export const NothingUnposted = ({ text }: { text: string }) => {
  const { t } = useApp();
  return (
    <div class="empty">
      <p>{text}</p>
      <p>
        <a class="button" href="/compose" data-act="compose">
          {t("drafts.write")}
        </a>
      </p>
    </div>
  );
};

type Kept = { at: number; draft: Draft };

const textOf = ({ parts }: Draft): string =>
  parts
    .map(({ text, warning }) => [warning, text].filter(Boolean).join(" · "))
    .filter((text) => text.trim() !== "")
    .join(" / ");

const Facts = ({ draft: { parts } }: { draft: Draft }) => {
  const { t } = useApp();
  const media = parts.reduce((sum, part) => sum + part.media.length, 0);
  return (
    <>
      {parts.length > 1 && ` · ${t("drafts.posts", { count: parts.length })}`}
      {media > 0 && ` · ${t("drafts.media", { count: media })}`}
    </>
  );
};

const Entry = ({ kept, onDelete }: { kept: Kept; onDelete(purpose: Purpose): void }) => {
  const { t } = useApp();
  const { draft, at } = kept;
  const { purpose } = draft;
  return (
    <article class="unposted">
      <p class="soft small">
        {t(`drafts.${purpose.kind}` as Key)} · <Ago time={new Date(at).toISOString()} />
        <Facts draft={draft} />
      </p>
      <p class="unposted-text" dir="auto">
        {textOf(draft) || t("drafts.no_text")}
      </p>
      <div class="button-row">
        <button type="button" class="button small" onClick={() => openComposer({ purpose })}>
          {t("drafts.open")}
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t("drafts.delete")}
          title={t("drafts.delete")}
          onClick={() => onDelete(purpose)}
        >
          <Icon name="trash" />
        </button>
      </div>
    </article>
  );
};

/** As they are while no composer is open above the page; null: as the server draws it. */
const useKept = (): [Kept[] | null, read: () => void] => {
  const { me } = useApp();
  const [kept, setKept] = useState<Kept[] | null>(null);
  const read = (): void => setKept(openDrafts(localStorage, me!.id).listKept());
  const isOpen = opened.value !== null;
  useEffect(read, [isOpen]);
  return [kept, read];
};

const Drafts = () => {
  const { me, t } = useApp();
  const [kept, read] = useKept();
  const drop = async (purpose: Purpose): Promise<void> => {
    if (!confirm(t("drafts.delete_sure"))) return;
    const { forgetDraft } = await import("../compose/session.ts");
    forgetDraft(me!.id, purpose);
    read();
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  return (
    <>
      <UnpostedHead shown="/drafts" />
      {kept === null ? (
        <noscript>
          <p class="empty">{t("drafts.scripts")}</p>
        </noscript>
      ) : kept.length === 0 ? (
        <NothingUnposted text={t("drafts.empty")} />
      ) : (
        <div class="feed">
          {kept.map((each) => (
            <Entry
              key={JSON.stringify(each.draft.purpose)}
              kept={each}
              onDelete={(purpose) => void drop(purpose)}
            />
          ))}
          <p class="soft small unposted">{t("drafts.hint", { count: MAX_DRAFTS })}</p>
        </div>
      )}
    </>
  );
};

export const drafts: Page<null> = {
  path: "/drafts",
  isForMembers: true,
  load: async () => null,
  View: Drafts,
  head: (_data, { t }) => ({ title: t("drafts.title"), isHidden: true }),
};
