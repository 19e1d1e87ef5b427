// Says above a page that its account is not in use any more, and offers to continue with either account.

import { currentFormToken } from "../api/session.ts";
import { usedElsewhere } from "../api/used-account.ts";
import { useApp } from "../app.ts";
import { switchPath } from "./account-menu.ts";
import { Sheet } from "../elements/sheet.tsx";

const switchBack = async (id: string): Promise<void> => {
  const form_token = await currentFormToken();
  const body = new URLSearchParams({ form_token: form_token ?? "" });
  await fetch(switchPath(id), { method: "POST", body, redirect: "manual" });
  location.reload();
};

export const Elsewhere = () => {
  const { me, t } = useApp();
  const used = usedElsewhere.value;
  if (!me || !used) return null;
  const own = `@${me.acct}`;
  const goOn = () => location.assign("/home");
  return (
    <Sheet title={t("accounts.elsewhere")} onClose={goOn}>
      <p>{t("accounts.elsewhere_text", { name: own })}</p>
      <p class="button-row">
        <button type="button" class="button" onClick={goOn}>
          {t("accounts.elsewhere_leave", { name: `@${used.acct}` })}
        </button>
        <button type="button" class="button plain" onClick={() => void switchBack(me.id)}>
          {t("accounts.elsewhere_stay", { name: own })}
        </button>
      </p>
    </Sheet>
  );
};
