// When something happened: short, with the whole local date on demand.

import { useApp } from "../app.ts";
import { ago, moment } from "../text/time.ts";

export const Ago = ({ time }: { time: string }) => {
  const { locale } = useApp();
  return (
    <time dateTime={time} title={moment(locale, time)}>
      {ago(locale, time)}
    </time>
  );
};

export const Moment = ({ time }: { time: string }) => {
  const { locale } = useApp();
  return <time dateTime={time}>{moment(locale, time)}</time>;
};
