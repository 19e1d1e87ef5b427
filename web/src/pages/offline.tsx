// The page that the service worker shows where the server cannot be reached and nothing was kept. It comes as a visitor's;
// for a member it is drawn again with their menu (browser/offline.ts).

import { useApp } from "../app.ts";
import { ColumnHead } from "../views/frame.tsx";
import { OFFLINE_PATH } from "../worker/names.ts";
import type { Page } from "./page.ts";

export const offline: Page<null> = {
  path: OFFLINE_PATH,
  load: async () => null,
  View: () => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("offline.title")} />
        <div class="empty">
          <p>{t("offline.text")}</p>
          <p class="buttons">
            {/* This leads to the address that was opened, as a document. */}
            <a class="button" href="" target="_self">
              {t("fault.retry")}
            </a>
            <a class="button plain" href="/home" target="_self">
              {t("nav.home")}
            </a>
          </p>
        </div>
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("offline.title"), isHidden: true }),
};
