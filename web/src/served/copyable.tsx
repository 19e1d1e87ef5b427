// A text to be used elsewhere, with a button that copies it where scripts run (servers-page.ts).

import { useApp } from "../app.ts";

export const Copyable = ({ text }: { text: string }) => {
  const { t } = useApp();
  return (
    <>
      <code class="secret">{text}</code>
      <button type="button" class="button plain" data-copied={t("copy.done")} hidden>
        <span aria-live="polite">{t("copy.do")}</span>
      </button>
    </>
  );
};
