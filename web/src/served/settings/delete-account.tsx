// The page on which a person deletes their account.

import { Fields, Form, PASSWORD, UsernameHint } from "../forms.tsx";
import { NoticeLine } from "../notices.tsx";
import { Sentence, useText } from "../served.tsx";
import type { SettingsPages } from "../settings-pages.ts";

export const DeleteAccount = ({ data }: { data: SettingsPages["delete-account"] }) => {
  const t = useText();
  const { username, domain, isOnlyOwner } = data;
  const account = <strong>{`@${username}@${domain}`}</strong>;
  return (
    <>
      <p>
        <Sentence text="deletion.about" elements={{ account }} />
      </p>
      <ul>
        <li>{t("deletion.signed_out")}</li>
        <li>{t("deletion.name", { name: username })}</li>
        <li>{t("deletion.copies")}</li>
      </ul>
      {isOnlyOwner && <NoticeLine kind="bad">{t("deletion.owner")}</NoticeLine>}
      <Form action="/settings/delete">
        <UsernameHint username={username} />
        <Fields fields={[PASSWORD]} /> <button class="button bad">{t("deletion.delete")}</button>
      </Form>
    </>
  );
};
