// Says times in the zone of this device where the server drew them in its own: hydrating mends texts, but no attributes.

import { agoInWords, moment } from "../text/time.ts";

/** Says so on pages that no script draws again. */
export const sayMomentsInOwnZone = (): void => {
  const locale = document.documentElement.lang;
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[title]"))
    time.textContent = moment(locale, time.dateTime);
};

export const sayTitlesInOwnZone = (locale: string): void => {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[title]")) {
    time.title = moment(locale, time.dateTime);
    // What is older than a week is heard as a date.
    if (time.ariaLabel) time.ariaLabel = agoInWords(locale, time.dateTime);
  }
  for (const end of document.querySelectorAll<HTMLElement>(".post-end"))
    end.title = end.textContent;
};
