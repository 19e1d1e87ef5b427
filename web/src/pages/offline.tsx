// The page that the service worker shows where the server cannot be reached and nothing was kept.

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
          <p>
            <a class="button plain" href="/home">
              {t("nav.home")}
            </a>
          </p>
        </div>
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("offline.title"), isHidden: true }),
};
