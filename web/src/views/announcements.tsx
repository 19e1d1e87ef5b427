// Shows announcements of the server's staff at the top of home, until they are dismissed; with reactions.

import type { Announcement, Reaction } from "../api/entities.ts";
import { currentOf } from "../store/announcements.ts";
import { useApp } from "../app.ts";
import { RichText } from "../text/rich-text.tsx";
import { ActButton } from "../elements/act-button.tsx";
import { days, moment, span } from "../text/time.ts";
import { Ago } from "../elements/times.tsx";
import { Icon } from "../elements/icons.tsx";
import { Sentence } from "../elements/sentence.tsx";

/** Reactions offered in addition to those that others chose. */
export const OFFERED = ["👍", "❤️", "🎉", "😂", "🤔", "😢"];

const ReactionButton = ({ id, reaction }: { id: string; reaction: Reaction }) => {
  const { t } = useApp();
  const { name, count, me: isMine = false, url } = reaction;
  return (
    <ActButton
      class="reaction"
      kind="announcements"
      id={id}
      act={`reactions/${encodeURIComponent(name)}${isMine ? "/delete" : ""}`}
      label={t("announcements.react", { emoji: name })}
      pressed={isMine}
    >
      {url ? <img class="emoji" src={url} alt="" width="20" height="20" /> : <span>{name}</span>}
      {count > 0 && <span class="count">{count}</span>}
    </ActButton>
  );
};

/** Says when it was published, and when the announced event begins and ends. */
const When = ({ announcement }: { announcement: Announcement }) => {
  const { locale, t } = useApp();
  const { published_at: published, starts_at: start, ends_at: end, all_day } = announcement;
  const between = all_day ? days : span;
  return (
    <>
      {start && (
        <p class="when">
          <time dateTime={start}>{between(locale, start, end)}</time>
        </p>
      )}
      {!start && end && (
        <p class="when">{t("announcements.until", { time: moment(locale, end) })}</p>
      )}
      <p class="soft small">
        <Sentence text="announcements.published" elements={{ time: <Ago time={published} /> }} />
      </p>
    </>
  );
};

export const AnnouncementCard = ({ announcement }: { announcement: Announcement }) => {
  const { t } = useApp();
  const { id, content, emojis, reactions } = announcement;
  const used = new Set(reactions.map(({ name }) => name));
  const offered = OFFERED.filter((name) => !used.has(name));
  return (
    <article class="announcement" aria-label={t("announcements.title")}>
      <div class="text" dir="auto">
        <RichText html={content} emojis={emojis} />
      </div>
      <When announcement={announcement} />
      <div class="reactions">
        {reactions.map((reaction) => (
          <ReactionButton key={reaction.name} id={id} reaction={reaction} />
        ))}
        <details class="offered">
          <summary aria-label={t("announcements.add")} title={t("announcements.add")}>
            <Icon name="smile" />
          </summary>
          <div class="offered-list">
            {offered.map((name) => (
              <ReactionButton key={name} id={id} reaction={{ name, count: 0 }} />
            ))}
          </div>
        </details>
        <ActButton
          class="button plain small"
          kind="announcements"
          id={id}
          act="dismiss"
          label={t("announcements.dismiss")}
        >
          {t("announcements.dismiss")}
        </ActButton>
      </div>
    </article>
  );
};

/** `loaded` are those of the page; later ones and changes are shown as well. */
export const Announcements = ({ loaded }: { loaded: readonly Announcement[] }) => (
  <>
    {currentOf(loaded).map((each) => (
      <AnnouncementCard key={each.id} announcement={each} />
    ))}
  </>
);
