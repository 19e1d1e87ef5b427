// Draws when something happened: short, with the whole local date on demand.

import { useApp } from "../app.ts";
import { age, ago, agoInWords, moment } from "../text/time.ts";

export const Ago = ({ time }: { time: string }) => {
  const { locale } = useApp();
  return (
    <time dateTime={time} title={moment(locale, time)}>
      {ago(locale, time)}
    </time>
  );
};

/** Draws an age in a list, where every row has one; it is heard in whole words. */
export const Age = ({ time }: { time: string }) => {
  const { locale } = useApp();
  return (
    <time
      class="age"
      dateTime={time}
      title={moment(locale, time)}
      aria-label={agoInWords(locale, time)}
    >
      {age(locale, time)}
    </time>
  );
};

export const Moment = ({ time }: { time: string }) => {
  const { locale } = useApp();
  return <time dateTime={time}>{moment(locale, time)}</time>;
};
