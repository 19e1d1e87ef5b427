// Says that what is shown was kept on this device, and since when.

import { keptSince } from "../store/kept-since.ts";
import { moment } from "../text/time.ts";
import type { Translate } from "../texts/texts.ts";

export const OfflineNote = ({ t, locale }: { t: Translate; locale: string }) => {
  const time = keptSince.value;
  if (time === null) return null;
  return (
    <p class="offline-note" role="status">
      {t("offline.kept", { time: moment(locale, time) })}
    </p>
  );
};
