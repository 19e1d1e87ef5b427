// The card on which a person authorizes an app, and the one with a code for the app.

import { withEmojis } from "../../text/rich-text.tsx";
import { Copyable } from "../copyable.tsx";
import type { CardPages } from "../card-pages.ts";
import { Fields, Form } from "../forms.tsx";
import { NoticeLine } from "../notices.tsx";
import { Sentence, useText } from "../served.tsx";

type ConsentData = CardPages["consent"];

const AppName = ({ app: { name, website } }: Pick<ConsentData, "app">) => (
  <>
    <strong>{name}</strong>
    {website && (
      <>
        {" ("}
        <a href={website} rel="noopener noreferrer nofollow">
          {new URL(website).host}
        </a>
        )
      </>
    )}
  </>
);

const Permissions = ({ permissions }: Pick<ConsentData, "permissions">) => (
  <ul class="permissions">
    {permissions.map(({ title, text }) => (
      <li key={title}>
        <strong>{title}</strong>
        {text && <span>{text}</span>}
      </li>
    ))}
  </ul>
);

export const Consent = ({ data }: { data: ConsentData }) => {
  const t = useText();
  const { app, accounts, chosen } = data;
  return (
    <>
      <div class="who">
        <div>
          <strong>{withEmojis(data.name, data.emojis)}</strong>
          <span>{accounts[0]!.handle}</span>
        </div>
      </div>
      <p>
        <Sentence text="consent.asks" elements={{ app: <AppName app={app} /> }} />
      </p>
      {data.isForStaff && <NoticeLine kind="bad">{t("consent.admin")}</NoticeLine>}
      <Permissions permissions={data.permissions} />
      <Form class="decision" action="/oauth/authorize" hidden={data.carried}>
        {accounts.length > 1 && (
          <Fields
            fields={[
              {
                name: "as",
                label: "consent.as",
                as: "radios",
                options: accounts.map(({ id, handle }) => [id, { plain: handle }]),
              },
            ]}
            values={{ as: chosen }}
          />
        )}
        <div class="actions">
          <button class="button" name="decision" value="allow">
            {t("consent.allow")}
          </button>
          <button class="button plain" name="decision" value="deny">
            {t("consent.deny")}
          </button>
        </div>
      </Form>
      <p class="below">
        {data.next}
        <br />
        {t("consent.not_you")} <a href={data.otherAccount}>{t("consent.other_account")}</a>
      </p>
    </>
  );
};

export const ConsentCode = ({ data: { code } }: { data: CardPages["consent-code"] }) => {
  const t = useText();
  return (
    <>
      <p>{t("consent.code_text")}</p>
      <p>
        <Copyable text={code} />
      </p>
    </>
  );
};
