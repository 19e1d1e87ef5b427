// The pages of what somebody signs in with: address, password, codes, passkeys.

import { EMAIL, FieldForm, Fields, Form, NEW_PASSWORD, PASSWORD } from "../forms.tsx";
import { NoticeLine } from "../notices.tsx";
import { Rows } from "../rows.tsx";
import type { Row } from "../rows.tsx";
import { Sentence, useText } from "../served.tsx";
import type { SettingsPages } from "../settings-pages.ts";
import { Timed } from "../times.tsx";

export const Email = ({ data: { email, pending } }: { data: SettingsPages["email"] }) => {
  const t = useText();
  return (
    <>
      <p>
        <Sentence text="email.current" elements={{ email: <strong>{email}</strong> }} />
      </p>
      {pending && (
        <div class="notice">
          <p>
            <Sentence text="email.sent_to" elements={{ email: <strong>{pending}</strong> }} />
          </p>
          <Form action="/settings/email/cancel">
            <button class="link-button">{t("email.keep")}</button>
          </Form>
        </div>
      )}
      <FieldForm
        action="/settings/email"
        fields={[{ ...EMAIL, label: "email.new", hint: "email.hint" }, PASSWORD]}
        submit="email.change"
      />
    </>
  );
};

export const Password = ({ data: { username } }: { data: SettingsPages["password"] }) => {
  const t = useText();
  return (
    <>
      <FieldForm
        action="/settings/password"
        username={username}
        fields={[PASSWORD, NEW_PASSWORD]}
        submit="password.change"
      />
      <p class="soft small">
        {t("password.signed_out")} <a href="/auth/password/new">{t("password.forgot")}</a>
      </p>
    </>
  );
};

const TWO_FACTOR = "/settings/two_factor";

export const TwoFactorOff = () => {
  const t = useText();
  return (
    <>
      <p>{t("two_factor.about")}</p>
      <FieldForm action={`${TWO_FACTOR}/start`} fields={[PASSWORD]} submit="two_factor.set_up" />
    </>
  );
};

export const TwoFactorOn = ({ data: { left } }: { data: SettingsPages["two-factor-on"] }) => {
  const t = useText();
  return (
    <>
      <p>{t("two_factor.left", { count: left })}</p>
      <Form action={`${TWO_FACTOR}/change`}>
        <Fields fields={[PASSWORD]} />
        <div class="actions">
          <button class="button" name="act" value="codes">
            {t("two_factor.new_codes")}
          </button>
          <button class="button plain" name="act" value="off">
            {t("two_factor.turn_off")}
          </button>
        </div>
      </Form>
    </>
  );
};

/** Splits the secret into groups of four, for typing. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, "$1 ");

const CODE = {
  name: "code",
  label: "two_factor.code",
  autocomplete: "one-time-code",
  inputmode: "numeric",
  max: 10,
} as const;

export const TwoFactorStart = ({ data }: { data: SettingsPages["two-factor-start"] }) => {
  const t = useText();
  const { uri, secret, drawing, ticket } = data;
  return (
    <>
      <p>
        <Sentence
          text="two_factor.scan"
          elements={{ open: <a href={uri}>{t("two_factor.open")}</a> }}
        />
      </p>
      <div
        class="qr"
        role="img"
        aria-label={t("two_factor.qr")}
        dangerouslySetInnerHTML={{ __html: drawing }}
      />
      <p>{t("two_factor.type")}</p>
      <p>
        <code class="secret grouped">{grouped(secret)}</code>
      </p>
      <FieldForm
        action={`${TWO_FACTOR}/confirm`}
        hidden={{ ticket }}
        fields={[CODE]}
        submit="two_factor.turn_on"
      />
    </>
  );
};

export const RecoveryCodes = ({ data }: { data: SettingsPages["recovery-codes"] }) => {
  const t = useText();
  return (
    <>
      {data.isFirst && <NoticeLine kind="good">{t("two_factor.done_on")}</NoticeLine>}
      <p>{t("two_factor.codes_text")}</p>
      <ul class="codes">
        {data.codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a class="button" href={TWO_FACTOR}>
          {t("two_factor.saved")}
        </a>
      </p>
    </>
  );
};

const PASSKEYS = "/settings/passkeys";
const NAME = { name: "name", label: "passkey.name", hint: "passkey.name_hint", max: 60 } as const;

/** A script shows the form where the browser knows passkeys, and fills it. */
const AddPasskey = ({ options, ticket }: SettingsPages["passkeys"]) => {
  const t = useText();
  const data = {
    "data-passkey": "create",
    "data-options": options,
    "data-on-device": t("passkey.on_device"),
    "data-none-used": t("passkey.none_used"),
  };
  return (
    <div data-with-passkeys hidden>
      <h2>{t("passkey.add")}</h2>
      <Form action={PASSKEYS} hidden={{ ticket, credential: "" }} data={data}>
        <Fields fields={[NAME, PASSWORD]} />
        <button class="button">{t("passkey.add")}</button>
        <p class="fault" role="alert" data-fault hidden />
      </Form>
    </div>
  );
};

export const Passkeys = ({ data }: { data: SettingsPages["passkeys"] }) => {
  const t = useText();
  const rows = data.passkeys.map(({ id, name, created_at, used_at }): Row => ({
    id,
    title: name,
    lines: [
      <Timed text="passkey.added" at={created_at} />,
      used_at ? <Timed text="passkey.used" at={used_at} /> : t("passkey.unused"),
    ],
    acts: [{ action: `${PASSKEYS}/remove`, label: "passkey.remove", of: name, fields: { id } }],
  }));
  return (
    <>
      <p>{t("passkey.about")}</p>
      <Rows rows={rows} />
      <AddPasskey {...data} />
      <p class="soft" data-without-passkeys>
        {t("passkey.unsupported")}
      </p>
    </>
  );
};
