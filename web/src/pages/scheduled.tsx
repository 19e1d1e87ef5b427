// Lists scheduled posts and boosts: they can be rescheduled, taken back for editing, or deleted.

import { useState } from "preact/hooks";
import { scheduledVisibility } from "../api/visibility.ts";
import type { HeldStatus, ScheduledStatus } from "../api/entities.ts";
import { addressOf, useApp } from "../app.ts";
import { wordsFor } from "../text/fault.ts";
import { More } from "../elements/more.tsx";
import { Icon } from "../elements/icons.tsx";
import { SettingsForm } from "../views/settings-form.tsx";
import { TimeField } from "../elements/time-field.tsx";
import { Ago, Moment } from "../elements/times.tsx";
import { NothingUnposted, UnpostedHead } from "./drafts.tsx";
import type { Page } from "./page.ts";
import { Sentence } from "../elements/sentence.tsx";

type Data = {
  posts: ScheduledStatus[];
  /** Posts that wait for a moderator, newest first. */
  held: HeldStatus[];
  next: Record<string, string> | null;
};

/** Posts on a page of the list. */
const LIMIT = 40;

const Media = ({ media }: { media: ScheduledStatus["media_attachments"] }) => {
  const { t } = useApp();
  return (
    <p class="unposted-media">
      {media.map(({ id, preview_url: source, description, type }) =>
        source ? (
          <img
            key={id}
            src={source}
            alt={description ?? t(`media.${type}`)}
            width="72"
            height="72"
          />
        ) : (
          <span key={id}>{description ?? t(`media.${type}`)}</span>
        ),
      )}
    </p>
  );
};

const Entry = ({ post }: { post: ScheduledStatus }) => {
  const app = useApp();
  const { t, place } = app;
  const { id, params, media_attachments: media, scheduled_at: at } = post;
  const path = `/web/act/scheduled_statuses/${id}`;
  const isBoost = params.reblog_of_id !== undefined;
  const [isTaken, setTaken] = useState(false);
  const [fault, setFault] = useState("");
  const edit = async (): Promise<void> => {
    const { unschedule } = await import("../compose/unschedule.ts");
    try {
      await unschedule(app, post);
      setTaken(true);
    } catch (error) {
      setFault(wordsFor(t, error));
    }
  };
  if (isTaken) return null;
  return (
    <article class="unposted">
      <p class="soft small">
        <Sentence
          text={isBoost ? "scheduled.boost_at" : "scheduled.at"}
          elements={{ time: <Moment time={at} /> }}
        />
        {" · "}
        {t(`visibility.${scheduledVisibility(params)}`)}
        {params.thread && ` · ${t("drafts.thread", { count: params.thread.length + 1 })}`}
      </p>
      <p class="unposted-text" dir="auto">
        {isBoost ? (
          <a href={params.text}>{params.text}</a>
        ) : (
          [params.spoiler_text, params.text, params.event?.["name"]].filter(Boolean).join(" · ") ||
          t("drafts.no_text")
        )}
      </p>
      {media.length > 0 && <Media media={media} />}
      {fault && <p role="alert">{fault}</p>}
      <div class="unposted-acts">
        <SettingsForm action={path} back={addressOf(place)} done={t("scheduled.saved")}>
          <TimeField at={at} of={id} />
          <button class="button plain small">{t("scheduled.save")}</button>
        </SettingsForm>
        {!isBoost && (
          <button
            type="button"
            class="button plain small needs-scripts"
            title={t("scheduled.edit_hint")}
            onClick={() => void edit()}
          >
            {t("scheduled.edit")}
          </button>
        )}
        <SettingsForm
          action={`${path}/delete`}
          back={addressOf(place)}
          done={t("scheduled.deleted")}
          sure={t("scheduled.delete_sure")}
          sureText={t("question.final")}
        >
          <button
            class="icon-button"
            aria-label={t("scheduled.delete")}
            title={t("scheduled.delete")}
          >
            <Icon name="trash" />
          </button>
        </SettingsForm>
      </div>
    </article>
  );
};

const Held = ({ posts }: { posts: readonly HeldStatus[] }) => {
  const { me, t } = useApp();
  return (
    <section class="feed" aria-labelledby="held">
      <header class="unposted">
        <h2 id="held">{t("drafts.held")}</h2>
        <p class="soft small">{t("drafts.held_about")}</p>
      </header>
      {posts.map(
        ({ id, text, spoiler_text: warning, created_at: at, edited_status_id: edited }) => (
          <article key={id} class="unposted">
            <p class="soft small">
              <Ago time={at} />
              {edited && (
                <>
                  {" · "}
                  <a href={`/@${me!.acct}/${edited}`}>{t("drafts.held_edit")}</a>
                </>
              )}
            </p>
            <p class="unposted-text" dir="auto">
              {[warning, text].filter(Boolean).join(" · ") || t("drafts.no_text")}
            </p>
          </article>
        ),
      )}
    </section>
  );
};

export const scheduled: Page<Data> = {
  path: "/scheduled",
  isForMembers: true,
  load: async ({ get, place }) => {
    const { max_id } = place.query;
    const [{ body, next }, held] = await Promise.all([
      get<ScheduledStatus[]>("/api/v1/scheduled_statuses", { limit: LIMIT, max_id }),
      max_id === undefined ? get<HeldStatus[]>("/api/v1/held_statuses") : { body: [] },
    ]);
    const posts = body.toSorted((a, b) => a.scheduled_at.localeCompare(b.scheduled_at));
    return { posts, held: held.body, next: body.length < LIMIT ? null : next };
  },
  View: ({ data: { posts, held, next } }) => {
    const { t } = useApp();
    return (
      <>
        <UnpostedHead shown="/scheduled" />
        {held.length > 0 && <Held posts={held} />}
        {posts.length + held.length === 0 && <NothingUnposted text={t("scheduled.empty")} />}
        {posts.length > 0 && (
          <div class="feed">
            {posts.map((post) => (
              <Entry key={post.id} post={post} />
            ))}
          </div>
        )}
        <More next={next} text="pages.next" path="/scheduled" />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("scheduled.title"), isHidden: true }),
};
