// Draws the event that a post announces: when and where it is, and who comes.

import { ANSWERS } from "../acts/event.ts";
import type { EventAnswer, PostEvent } from "../acts/event.ts";
import type { Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { StoredStatus } from "../store/store.ts";
import { short, span } from "../text/time.ts";
import { ActButton } from "../elements/act-button.tsx";
import { Icon } from "../elements/icons.tsx";

type Shown = Status | StoredStatus;

type OfAnswer = { event: PostEvent; answer: EventAnswer };

const DAY_MS = 86_400_000;

/** Whether the event is over, by the server's rule: without a stated end, a day after it began. */
const isOver = ({ starts_at: start, ends_at: end }: PostEvent): boolean =>
  Date.now() >= (end ? Date.parse(end) : Date.parse(start) + DAY_MS);

const Answer = ({ event, answer }: OfAnswer) => {
  const { locale, t } = useApp();
  return (
    <>
      {event.answer === answer && <span aria-hidden="true">✓</span>} {t(`event.${answer}`)}{" "}
      <span class="count">{short(locale, event[`${answer}_count`])}</span>
    </>
  );
};

const AnswerButton = ({ id, event, answer }: OfAnswer & { id: string }) => {
  const { locale, t } = useApp();
  const isOwn = event.answer === answer;
  return (
    <ActButton
      class="reaction"
      kind="statuses"
      id={id}
      act={isOwn ? "event/answer/delete" : "event/answer"}
      label={`${t(`event.${answer}`)} ${short(locale, event[`${answer}_count`])}`}
      pressed={isOwn}
      {...(!isOwn && { name: "answer", value: answer })}
    >
      <Answer event={event} answer={answer} />
    </ActButton>
  );
};

/** Draws the answers, of which at most one is pressed; pressing it again takes it back. */
const Answers = ({ id, event }: { id: string; event: PostEvent }) => {
  const { t } = useApp();
  return (
    <div class="event-answers">
      <span class="soft" aria-hidden="true">
        {t("event.question")}
      </span>
      <div class="reactions" role="group" aria-label={t("event.question")}>
        {ANSWERS.map((answer) => (
          <AnswerButton key={answer} id={id} event={event} answer={answer} />
        ))}
      </div>
    </div>
  );
};

const Counts = ({ event }: { event: PostEvent }) => {
  const { t } = useApp();
  return (
    <ul class="reactions" aria-label={t("event.answers")}>
      {ANSWERS.map((answer) => (
        <li key={answer}>
          <Answer event={event} answer={answer} />
        </li>
      ))}
    </ul>
  );
};

type WhenProps = { event: PostEvent; hasEnded: boolean };

const When = ({ event: { starts_at: start, ends_at: end }, hasEnded }: WhenProps) => {
  const { locale, t } = useApp();
  return (
    <p class="event-line">
      <Icon name="calendar" />
      <span>
        <time dateTime={start}>{span(locale, start, end)}</time>
        {hasEnded && <strong class="event-over">{t("event.over")}</strong>}
      </span>
    </p>
  );
};
type Props = {
  status: Shown;
  event: PostEvent;
  /** Page of who answered, for the author. */
  answersPath: string | null;
};

export const EventView = ({ status: { id, account }, event, answersPath }: Props) => {
  const { me, t } = useApp();
  const { name, place } = event;
  const hasEnded = isOver(event);
  return (
    <section class="event" aria-label={t("event.label", { name })}>
      <p class="event-name" dir="auto">
        {name}
      </p>
      <When event={event} hasEnded={hasEnded} />
      {place && (
        <p class="event-line">
          <Icon name="place" />
          <span dir="auto">{place}</span>
        </p>
      )}
      {me && !hasEnded ? <Answers id={id} event={event} /> : <Counts event={event} />}
      {account.acct.includes("@") && <p class="soft small">{t("event.here")}</p>}
      <p class="event-links small">
        {!me && !hasEnded && (
          <a href={`/interact/${id}?act=answer`} rel="nofollow">
            {t("event.answer")}
          </a>
        )}
        <a href={event.ics_url} download>
          {t("event.calendar")}
        </a>
        {answersPath && <a href={answersPath}>{t("event.who")}</a>}
      </p>
    </section>
  );
};
