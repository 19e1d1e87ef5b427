// Lists drafts on the server and in this browser, which can be opened or deleted.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { addressOf, useApp } from "../app.ts";
import type { App } from "../app.ts";
import { keepFocus } from "../window/keep-focus.ts";
import { on } from "../window/live.ts";
import { ask } from "../window/questions.ts";
import type { Draft, Purpose } from "../compose/draft.ts";
import { openDrafts, revision } from "../compose/browser-drafts.ts";
import { draftName, textsOf } from "../compose/draft.ts";
import { keepLeft, untilWritten } from "../compose/kept.ts";
import type { ServerDraft } from "../compose/kept.ts";
import type { SentStatus } from "../compose/restore.ts";
import { openComposer } from "../compose/open.ts";
import { beginningOf } from "../text/summary.ts";
import type { Key } from "../texts/texts.ts";
import { ColumnHead } from "../views/frame.tsx";
import { More } from "../elements/more.tsx";
import { Icon } from "../elements/icons.tsx";
import { SettingsForm } from "../views/settings-form.tsx";
import { Tabs } from "../elements/tabs.tsx";
import { Ago } from "../elements/times.tsx";
import type { Page } from "./page.ts";

const TABS = [
  { path: "/drafts", text: "drafts.title" },
  { path: "/scheduled", text: "scheduled.title" },
] as const;

/** Draws the head of the pages of drafts and scheduled posts. */
export const UnpostedHead = ({ shown }: { shown: (typeof TABS)[number]["path"] }) => {
  const { t } = useApp();
  return (
    <>
      <ColumnHead title={t("nav.drafts")} />
      <Tabs label={t("drafts.label")} tabs={TABS} shown={shown} />
    </>
  );
};

/** Says what to do where there is nothing. */
export const NothingUnposted = ({ text }: { text: string }) => {
  const { t } = useApp();
  return (
    <div class="empty">
      <p>{text}</p>
      <p>
        <a class="button" href="/compose" data-act="compose" role="button" aria-haspopup="dialog">
          {t("drafts.write")}
        </a>
      </p>
    </div>
  );
};

/** A draft of this browser, with the milliseconds of its last change. */
type Local = { at: number; draft: Draft };
/** What the list shows of a draft, which may be much longer. */
type Shown = { label: Key; at: string; text: string; posts: number; media: number };
type Kept = { id: string; shown: Shown };
type Data = { kept: Kept[]; next: Record<string, string> | null };

/** Drafts on a page of the list. */
const LIMIT = 40;
/** Characters of text; a little more than the visible lines of a draft have room for. */
const TEXT_LENGTH = 500;

const textOf = (texts: (string | null | undefined)[]): string =>
  beginningOf(texts.filter((text) => text?.trim()).join(" / "), TEXT_LENGTH);

const ofLocal = ({ at, draft: { purpose, parts, isWaiting } }: Local): Shown => ({
  label: isWaiting ? "drafts.waiting" : `drafts.${purpose.kind}`,
  at: new Date(at).toISOString(),
  text: textOf(textsOf(parts)),
  posts: parts.length,
  media: parts.reduce((sum, part) => sum + part.media.length, 0),
});

const labelOf = ({ in_reply_to_id: answered, quoted_status_id: quoted }: SentStatus): Key =>
  answered ? "drafts.reply" : quoted ? "drafts.quote" : "drafts.new";

const ofServer = ({ statuses, updated_at: at }: ServerDraft): Shown => ({
  label: labelOf(statuses[0] ?? {}),
  at,
  text: textOf(
    statuses.map(({ status, spoiler_text: warning, event }) =>
      [warning, status, event?.name].filter(Boolean).join(" · "),
    ),
  ),
  posts: statuses.length,
  media: statuses.reduce((sum, { media_ids: ids }) => sum + (ids?.length ?? 0), 0),
});

const Entry = ({
  shown: { label, at, text, posts, media },
  purpose,
  children,
}: {
  shown: Shown;
  purpose: Purpose;
  children: ComponentChildren;
}) => {
  const { t } = useApp();
  return (
    <article class="unposted">
      <p class="soft small">
        {t(label)} · <Ago time={at} />
        {posts > 1 && ` · ${t("drafts.thread", { count: posts })}`}
        {media > 0 && ` · ${t("drafts.media", { count: media })}`}
      </p>
      <p class="unposted-text" dir="auto">
        {text || t("drafts.no_text")}
      </p>
      <div class="button-row">
        <button
          type="button"
          class="button small needs-scripts"
          onClick={() => openComposer({ purpose })}
        >
          {t("drafts.open")}
        </button>
        {children}
      </div>
    </article>
  );
};

/**
 * Deletes copies of drafts that the server has no more, because another app posted or deleted them; drafts that it
 * never got stay.
 */
const forgetGone = (accountId: string, { kept, next }: Data): void => {
  if (next) return;
  const drafts = openDrafts(localStorage, accountId);
  for (const draft of drafts.list()) {
    const isGone = draft.kept && !kept.some(({ id }) => id === draft.kept!.id);
    if (isGone && !draft.isAhead) drafts.forget(draft.purpose);
  }
};

/**
 * Returns the browser's drafts; none where the server draws the page, and until it is known which of them the server
 * has as well.
 */
const useLocal = (data: Data, reload: () => void): Local[] => {
  const app = useApp();
  const { id } = app.me!;
  const [isKnown, setKnown] = useState(false);
  const [local, setLocal] = useState<Local[]>([]);
  useEffect(() => {
    const known = keepLeft(app).then((isMore) => isMore && reload());
    known.catch(() => {}).finally(() => setKnown(true));
  }, []);
  useEffect(() => forgetGone(id, data), [data]);
  useEffect(() => {
    if (isKnown) setLocal(openDrafts(localStorage, id).listKept());
  }, [revision.value, isKnown]);
  return local;
};

const loadDrafts = async ({ get, place }: Pick<App, "get" | "place">): Promise<Data> => {
  const { max_id } = place.query;
  const { body, next } = await get<ServerDraft[]>("/api/v1/drafts", { limit: LIMIT, max_id });
  const kept = body.map((draft) => ({ id: draft.id, shown: ofServer(draft) }));
  return { kept, next: body.length < LIMIT ? null : next };
};

/** Returns the server's drafts in their present state, since other apps change them, too, and what loads them again. */
const useServer = (data: Data): [Data, () => void] => {
  const app = useApp();
  const [current, setCurrent] = useState(data);
  useEffect(() => setCurrent(data), [data]);
  const load = (): void =>
    void untilWritten()
      .then(() => loadDrafts(app))
      .then(setCurrent, () => {});
  useEffect(() => on("drafts_changed", load), []);
  return [current, load];
};

/** A row of the list, whose name stays the same when the server gets the draft. */
type Row = { name: string; purpose: Purpose; shown: Shown; keptId: string | null };

const ofServerAnd = (local: Local | undefined, { id, shown }: Kept): Row => {
  const purpose = local?.draft.purpose ?? { kind: "draft", id };
  const latest = local?.draft.isAhead ? ofLocal(local) : shown;
  return { name: draftName(purpose), purpose, shown: latest, keptId: id };
};

/** Returns the drafts that this browser alone has, and those of the server. */
const rowsOf = ({ kept, next }: Data, local: readonly Local[]): Row[] => {
  const copyOf = (id: string) => local.find(({ draft }) => draft.kept?.id === id);
  const isThere = ({ draft }: Local) => kept.some(({ id }) => id === draft.kept?.id);
  const isHere = ({ draft }: Local) => !draft.kept || (draft.isAhead && !next);
  const alone = local.filter((each) => isHere(each) && !isThere(each));
  return [
    ...alone.map((each): Row => {
      const { purpose } = each.draft;
      return { name: draftName(purpose), purpose, shown: ofLocal(each), keptId: null };
    }),
    ...kept.map((each) => ofServerAnd(copyOf(each.id), each)),
  ];
};

const Drafts = ({ data }: { data: Data }) => {
  const { me, place, t } = useApp();
  const [current, reload] = useServer(data);
  const rows = rowsOf(current, useLocal(current, reload));
  const { next } = current;
  const yes = t("drafts.delete");
  const drop = async (purpose: Purpose): Promise<void> => {
    if (!(await ask({ title: t("drafts.delete_sure"), text: t("question.final"), yes }))) return;
    const { forgetDraft } = await import("../compose/session.ts");
    const keep = keepFocus();
    forgetDraft(me!.id, purpose);
    requestAnimationFrame(keep);
  };
  const label = { "aria-label": yes, title: yes };
  return (
    <>
      <UnpostedHead shown="/drafts" />
      {rows.length === 0 ? (
        <NothingUnposted text={t("drafts.empty")} />
      ) : (
        <div class="feed">
          {rows.map(({ name, purpose, shown, keptId }) => (
            <Entry key={name} shown={shown} purpose={purpose}>
              {keptId === null ? (
                <button
                  type="button"
                  class="icon-button"
                  {...label}
                  onClick={() => void drop(purpose)}
                >
                  <Icon name="trash" />
                </button>
              ) : (
                <SettingsForm
                  action={`/web/act/drafts/${keptId}/delete`}
                  back={addressOf(place)}
                  done={t("drafts.deleted")}
                  sure={t("drafts.delete_sure")}
                  sureText={t("question.final")}
                >
                  <button class="icon-button" {...label}>
                    <Icon name="trash" />
                  </button>
                </SettingsForm>
              )}
            </Entry>
          ))}
          <p class="soft small unposted">{t("drafts.hint")}</p>
        </div>
      )}
      <More next={next} text="pages.next" path="/drafts" />
    </>
  );
};

export const drafts: Page<Data> = {
  path: "/drafts",
  isForMembers: true,
  load: async (loading) => {
    await untilWritten();
    return loadDrafts(loading);
  },
  View: Drafts,
  head: (_data, { t }) => ({ title: t("drafts.title"), isHidden: true }),
};
