// Draws a post that was not accepted below a temporary error, in a form that sends it again.

import { useApp } from "../app.ts";

export type Again = { action: string; fields: Partial<Record<string, string>> };

export const SendAgain = ({ action, fields: { status = "", ...others } }: Again) => {
  const { t } = useApp();
  return (
    <form class="settings-form panel" method="post" action={action}>
      {Object.entries(others).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p>{t("compose.kept_text")}</p>
      <label class="settings-field">
        <span>{t("compose.text")}</span>
        <textarea name="status" rows={8} dir="auto" defaultValue={status} />
      </label>
      <p>
        <button class="button">{t("compose.send_again")}</button>
      </p>
    </form>
  );
};
