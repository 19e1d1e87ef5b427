// The cards of signing in: with a password or a passkey, with a code, and why somebody cannot.

import type { CardPages, Held, PasskeyUse } from "../card-pages.ts";
import { Act, FieldForm, Form } from "../forms.tsx";
import { Below } from "../links.tsx";
import { useServed, useText } from "../served.tsx";

type Leading = { returnTo: string | null };

/** A script shows this where the browser knows passkeys, and fills it. */
const PasskeyForm = ({ options, ticket, returnTo }: PasskeyUse & Leading) => {
  const t = useText();
  const hidden = { ticket, credential: "", return_to: returnTo };
  const data = {
    "data-passkey": "get",
    "data-options": options,
    "data-none-used": t("passkey.none_used"),
  };
  return (
    <div data-with-passkeys hidden>
      <p class="or">{t("sign_in.or")}</p>
      <Form action="/auth/sign_in/passkey" hidden={hidden} data={data}>
        <button class="button plain">{t("sign_in.passkey")}</button>
        <p class="fault" role="alert" data-fault hidden />
      </Form>
    </div>
  );
};

const HeldAccounts = ({ held, returnTo }: { held: Held } & Leading) => {
  const t = useText();
  if (held.length === 0) return null;
  return (
    <>
      <p class="or">{t("sign_in.or")}</p>
      <div class="actions">
        {held.map(({ accountId, username }) => (
          <Act
            key={accountId}
            action={`/auth/accounts/${accountId}/switch`}
            label={["sign_in.continue", { name: `@${username}` }]}
            fields={{ return_to: returnTo }}
          />
        ))}
      </div>
    </>
  );
};

export const SignIn = ({ data }: { data: CardPages["sign-in"] }) => {
  const { returnTo, isOpen, passkey, held } = data;
  const isAgain = useServed().refused !== undefined;
  return (
    <>
      <FieldForm
        action="/auth/sign_in"
        hidden={{ return_to: returnTo }}
        fields={[
          {
            name: "login",
            label: "sign_in.login",
            autocomplete: "username",
            autofocus: !isAgain,
          },
          {
            name: "password",
            label: "field.password",
            type: "password",
            autocomplete: "current-password",
            autofocus: isAgain,
          },
        ]}
        submit="sign_in.title"
      />
      <PasskeyForm {...passkey} returnTo={returnTo} />
      <HeldAccounts held={held} returnTo={returnTo} />
      <Below
        links={[
          isOpen && ["/auth/sign_up", "sign_in.create"],
          ["/auth/password/new", "sign_in.forgot"],
          ["/auth/confirmation/new", "sign_in.no_mail"],
        ]}
      />
    </>
  );
};

const CODE = {
  name: "code",
  label: "step.code",
  hint: "step.hint",
  autocomplete: "one-time-code",
  max: 20,
  autofocus: true,
} as const;

export const SecondStep = ({ data: { returnTo, passkey } }: { data: CardPages["second-step"] }) => (
  <>
    <FieldForm action="/auth/sign_in/code" fields={[CODE]} submit="sign_in.title" />
    {passkey && <PasskeyForm {...passkey} returnTo={returnTo} />}
    <Below links={[["/auth/sign_in?force=1", "sign_in.back"]]} />
  </>
);

/** Says why somebody with the right password cannot go on, and which other accounts can. */
export const Standing = ({ data: { text, mayAppeal, held } }: { data: CardPages["standing"] }) => {
  const t = useText();
  return (
    <>
      <p>{t(text)}</p>
      {mayAppeal && (
        <div class="actions">
          <a class="button" href="/disputes/strikes">
            {t("standing.appeal")}
          </a>
          <a class="button plain" href="/settings/export">
            {t("standing.export")}
          </a>
        </div>
      )}
      <HeldAccounts held={held} returnTo={null} />
    </>
  );
};
