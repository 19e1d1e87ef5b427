// The cards of signing up, and of creating the owner of a new server.

import type { ComponentChildren } from "preact";
import { useApp } from "../../app.ts";
import type { CardPages } from "../card-pages.ts";
import { EMAIL, Fields, FieldForm, Form, NEW_PASSWORD } from "../forms.tsx";
import type { Field } from "../forms.tsx";
import { Sentence, useServed, useText } from "../served.tsx";
import type { Key } from "../served.tsx";
import { Day } from "../times.tsx";

type SignUpData = CardPages["sign-up"];

/** Returns the fields of a new person. */
const usePersonFields = (): readonly Field[] => {
  const { site } = useApp();
  const { refused } = useServed();
  return [
    {
      name: "username",
      label: "field.username",
      hint: "field.username_hint",
      autocomplete: "username",
      max: 30,
      suffix: `@${site.domain}`,
      autofocus: refused === undefined,
    },
    { ...EMAIL, hint: "field.email_hint" },
    { ...NEW_PASSWORD, label: "field.password" },
  ];
};

const Invitation = ({ username }: { username: string }) => {
  const name = (
    <a href={`/@${username}`}>
      <strong>{`@${username}`}</strong>
    </a>
  );
  return (
    <p class="notice">
      <Sentence text="sign_up.invited" elements={{ name }} />
    </p>
  );
};

const Rules = ({ rules }: Pick<SignUpData, "rules">) => {
  const t = useText();
  return (
    <>
      <h2 id="rules">{t("sign_up.rules")}</h2>
      <ol class="rules">
        {rules.map(({ text, hint }, place) => (
          <li key={place}>
            {text} {hint && <span>{hint}</span>}
          </li>
        ))}
      </ol>
    </>
  );
};

/** Opens a document beside the form, so that what was entered stays. */
const Document = ({ path, text }: { path: string; text: Key }) => (
  <a href={path} target="_blank" rel="noopener">
    {useText()(text)}
  </a>
);

const termsPath = (day: string): string => `/terms-of-service/${day}`;

/** Returns the text by which people agree to the terms in force. */
const agreement = ({ rules, terms: { current } }: SignUpData) => {
  const [alone, withRules] = current
    ? (["sign_up.agree_terms", "sign_up.agree_all"] as const)
    : (["sign_up.agree_privacy", "sign_up.agree_rules"] as const);
  const elements = {
    terms: current && <Document path={termsPath(current)} text="sign_up.terms" />,
    privacy: <Document path="/privacy-policy" text="sign_up.privacy" />,
  };
  return <Sentence text={rules.length > 0 ? withRules : alone} elements={elements} />;
};

/** Announces terms that will be in force; nobody agrees to them yet. */
const nextTerms = ({ current, next }: SignUpData["terms"]) => {
  if (!next) return null;
  const text = current ? "sign_up.new_terms_next" : "sign_up.new_terms_first";
  const elements = {
    terms: <Document path={termsPath(next)} text={text} />,
    day: <Day at={new Date(next)} />,
  };
  return <Sentence text="sign_up.new_terms" elements={elements} />;
};

type AgreementProps = { children: ComponentChildren; hint: ComponentChildren };

const Agreement = ({ children, hint }: AgreementProps) => {
  const { refused } = useServed();
  const fault = refused?.faults["agreement"];
  return (
    <div class="field">
      <div class="check">
        <input
          type="checkbox"
          id="agreement"
          name="agreement"
          value="1"
          required
          checked={refused?.fields["agreement"] === "1"}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault && "agreement-fault"}
        />
        <label for="agreement">{children}</label>
      </div>
      {hint && <p class="hint">{hint}</p>}
      {fault && (
        <p class="fault" id="agreement-fault">
          {fault}
        </p>
      )}
    </div>
  );
};

export const SignUp = ({ data }: { data: SignUpData }) => {
  const t = useText();
  const person = usePersonFields();
  const { isAsked, invite, minimumAge, rules, terms } = data;
  return (
    <>
      <Form
        action="/auth/sign_up"
        hidden={{ invite_code: invite?.code, terms: terms.current ?? "" }}
      >
        {invite && <Invitation {...invite} />}
        <Fields
          fields={[
            ...person,
            minimumAge !== null && {
              name: "date_of_birth",
              type: "date",
              label: "sign_up.birth",
              hint: ["sign_up.birth_hint", { count: minimumAge }],
              autocomplete: "bday",
            },
            isAsked && {
              name: "reason",
              type: "textarea",
              label: "sign_up.reason",
              hint: "sign_up.reason_hint",
              max: 420,
            },
          ]}
        />
        {rules.length > 0 && <Rules rules={rules} />}
        <Agreement hint={nextTerms(terms)}>{agreement(data)}</Agreement>
        <button class="button">{t(isAsked ? "sign_up.apply" : "sign_up.create")}</button>
      </Form>
      <p class="below">
        {t("sign_up.have_account")} <a href="/auth/sign_in">{t("sign_in.title")}</a>
      </p>
    </>
  );
};

export const Setup = ({ data: { token } }: { data: CardPages["setup"] }) => {
  const t = useText();
  return (
    <>
      <p>{t("setup.text")}</p>
      <FieldForm
        action="/setup"
        hidden={{ token }}
        fields={usePersonFields()}
        submit="setup.create"
      />
    </>
  );
};

/** Where the server's output is read. */
const LOGS = { docker: "docker logs rookery", systemd: "journalctl -u rookery" };

/** Says that the link which creates the owner is in the server's output. */
export const AwaitsOwner = () => {
  const t = useText();
  const places = {
    docker: <code>{LOGS.docker}</code>,
    systemd: <code>{LOGS.systemd}</code>,
  };
  return (
    <>
      <p>{t("setup.awaits")}</p>
      <p>
        <Sentence text="setup.where" elements={places} />
      </p>
      <p>{t("setup.again")}</p>
    </>
  );
};
