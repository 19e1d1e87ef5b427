// The earlier versions of a post, and what each has changed.

import type { StatusEdit } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { differences } from "../text/differences.ts";
import { plainText } from "../text/parse-html.ts";
import { ColumnHead } from "../views/frame.tsx";
import { Moment } from "../elements/times.tsx";
import { loadPost, POST_PATH } from "./of-post.ts";
import type { OfPost } from "./of-post.ts";
import type { Page } from "./page.ts";
import { Sentence } from "../elements/sentence.tsx";

type Version = { time: string; warning: string; text: string; media: string[]; poll: string[] };

const versionOf = (edit: StatusEdit): Version => ({
  time: edit.created_at,
  warning: edit.spoiler_text,
  text: plainText(edit.content),
  media: edit.media_attachments.map(({ description, type }) => description || type),
  poll: edit.poll?.options?.map(({ title }) => title) ?? [],
});

const Changed = ({ before, after }: { before: string; after: string }) => (
  <>
    {differences(before, after).map(({ kind, text }, index) => {
      if (kind === "added") return <ins key={index}>{text}</ins>;
      return kind === "removed" ? <del key={index}>{text}</del> : <span key={index}>{text}</span>;
    })}
  </>
);

const linesOf = ({ media, poll }: Version): string =>
  [...poll.map((option) => `○ ${option}`), ...media.map((text) => `▧ ${text}`)].join("\n");

const VersionView = ({ now, before }: { now: Version; before: Version | undefined }) => {
  const old = before ?? now;
  return (
    <article class="version">
      <h2 class="small soft">
        <Sentence
          text={before ? "history.edited" : "history.posted"}
          elements={{ time: <Moment time={now.time} /> }}
        />
      </h2>
      {(now.warning || old.warning) && (
        <p class="version-text">
          <strong>
            <Changed before={old.warning} after={now.warning} />
          </strong>
        </p>
      )}
      <p class="version-text" dir="auto">
        <Changed before={old.text} after={now.text} />
      </p>
      {(linesOf(now) || linesOf(old)) && (
        <p class="version-text soft small">
          <Changed before={linesOf(old)} after={linesOf(now)} />
        </p>
      )}
    </article>
  );
};

export const postHistory: Page<OfPost & { versions: Version[] }> = {
  path: `${POST_PATH}/history`,
  load: async (loading) => {
    const { id } = await loadPost(loading);
    const { body } = await loading.get<StatusEdit[]>(`/api/v1/statuses/${id}/history`);
    return { id, versions: body.map(versionOf).toReversed() };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("history.title")} back />
        <div class="feed">
          {data.versions.map((version, index) => (
            <VersionView key={index} now={version} before={data.versions[index + 1]} />
          ))}
        </div>
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("history.title"), isHidden: true }),
};
