// Draws a post that was not accepted below a temporary error, in a form that sends it again.

import { useApp } from "../app.ts";
import type { Again } from "../app.ts";
import { FileFields } from "../compose/plain-fields.tsx";

export const SendAgain = ({ action, fields: { status = "", ...others }, files }: Again) => {
  const { t } = useApp();
  const hidden = Object.entries(others).filter(([name]) => !name.startsWith("description_"));
  return (
    <form
      class="settings-form panel"
      method="post"
      action={action}
      encType={files ? "multipart/form-data" : undefined}
    >
      {hidden.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p>{t(files ? "compose.kept_text_alone" : "compose.kept_text")}</p>
      <label class="settings-field">
        <span>{t("compose.text")}</span>
        <textarea name="status" rows={8} dir="auto" defaultValue={status} />
      </label>
      {files && <FileFields {...files} texts={others} />}
      <p>
        <button class="button">{t("compose.send_again")}</button>
      </p>
    </form>
  );
};
