// The views of the pages that the server draws alone. Only the server loads them: they work without scripts, and the
// browser continues nothing.

import type { FunctionComponent } from "preact";
import { CARD_VIEWS } from "./cards/views.ts";
import { NoticeLine } from "./notices.tsx";
import type { ServedPages } from "./pages.ts";
import { Parts } from "./parts.tsx";
import { useServed } from "./served.tsx";
import { SETTINGS_VIEWS } from "./settings/views.ts";
import { STAFF_VIEWS } from "./staff/views.ts";

const VIEWS: { [Name in keyof ServedPages]: FunctionComponent<{ data: ServedPages[Name] }> } = {
  ...STAFF_VIEWS,
  ...SETTINGS_VIEWS,
  ...CARD_VIEWS,
};

/** Draws the notice and the view of the page. */
export const ServedView = () => {
  const { view, parts, notice } = useServed();
  const Drawn = view && (VIEWS[view.name] as FunctionComponent<{ data: unknown }>);
  return (
    <>
      {notice && <NoticeLine kind={notice.kind}>{notice.text}</NoticeLine>}
      <Parts parts={parts} />
      {Drawn && <Drawn data={view.data} />}
    </>
  );
};
