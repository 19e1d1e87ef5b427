// The cards around links of mails: the confirmation of an address, a new password, the end of mails of a kind.

import type { CardPages, NoMail } from "../card-pages.ts";
import { EMAIL, FieldForm, Form, NEW_PASSWORD } from "../forms.tsx";
import { Below, Ways } from "../links.tsx";
import { NoticeLine } from "../notices.tsx";
import { Sentence, useText, useWords } from "../served.tsx";

export const Message = ({ data }: { data: CardPages["message"] }) => {
  const { texts, soft, buttons = [], below = [] } = data;
  const say = useWords();
  return (
    <>
      {texts.map((words, place) => (
        <p key={place}>{say(words)}</p>
      ))}
      {soft && <p class="soft small">{say(soft)}</p>}
      {buttons.length > 0 && <Ways links={buttons} />}
      <Below links={below} />
    </>
  );
};

export const Confirmed = ({ data }: { data: CardPages["confirmed"] }) => {
  const t = useText();
  const { email, username: name, standing, token } = data;
  return (
    <>
      <p>
        <Sentence
          text="confirm.done_text"
          values={{ name }}
          elements={{ email: <strong>{email}</strong> }}
        />
      </p>
      {standing === "unapproved" && <p>{t("confirm.waiting")}</p>}
      {standing === "active" && (
        <>
          <p>{t("confirm.ready")}</p>
          <FieldForm
            action="/auth/confirmation/sign_in"
            hidden={{ confirmation_token: token }}
            submit={["confirm.sign_in_as", { name }]}
          />
        </>
      )}
    </>
  );
};

export const Captcha = ({ data: { siteKey, token } }: { data: CardPages["captcha"] }) => {
  const t = useText();
  return (
    <>
      <p>{t("confirm.captcha_text")}</p>
      <Form action="/auth/confirmation/captcha" hidden={{ confirmation_token: token }}>
        <div class="field h-captcha" data-sitekey={siteKey} />
        <noscript>
          <p class="fault">{t("confirm.captcha_script")}</p>
        </noscript>
        <button class="button">{t("confirm.go_on")}</button>
      </Form>
    </>
  );
};

/** Says that nobody should wait for a mail. */
const NoMailLine = ({ contact }: NonNullable<NoMail>) => {
  const t = useText();
  const link = <a href={`mailto:${contact}`}>{contact}</a>;
  return (
    <NoticeLine>
      {contact ? (
        <Sentence text="confirm.no_server_contact" elements={{ contact: link }} />
      ) : (
        t("confirm.no_server")
      )}
    </NoticeLine>
  );
};

const ASKED = {
  confirmation: {
    action: "/auth/confirmation",
    hint: "confirm.resend_hint",
    submit: "confirm.send",
  },
  reset: { action: "/auth/password", hint: "reset.email_hint", submit: "reset.send" },
} as const;

/** Asks for the address to which a link is sent. */
export const AskForMail = ({ data: { kind } }: { data: CardPages["ask-for-mail"] }) => {
  const t = useText();
  const { action, hint, submit } = ASKED[kind];
  return (
    <>
      {kind === "reset" && <p>{t("reset.ask_text")}</p>}
      <FieldForm action={action} fields={[{ ...EMAIL, hint, autofocus: true }]} submit={submit} />
      <Below links={[["/auth/sign_in", "sign_in.back"]]} />
    </>
  );
};

export const ConfirmationSent = ({ data }: { data: CardPages["confirmation-sent"] }) => {
  const t = useText();
  const { noMail, days } = data;
  return (
    <>
      {noMail ? (
        <NoMailLine {...noMail} />
      ) : (
        <NoticeLine kind="good">{t("confirm.sent")}</NoticeLine>
      )}
      <p>{t("confirm.sent_text", { days })}</p>
      <p class="soft small">{t("confirm.no_mail")}</p>
      <Below
        links={[
          ["/auth/confirmation/new", "reset.send_again"],
          ["/auth/sign_in", "sign_in.title"],
        ]}
      />
    </>
  );
};

/** Says to which address the mail went, how to have it sent again, and how to correct a mistyped address. */
export const Unconfirmed = ({ data }: { data: CardPages["unconfirmed"] }) => {
  const t = useText();
  const { email, userId: user, ticket, noMail, days } = data;
  return (
    <>
      {noMail && <NoMailLine {...noMail} />}
      <p>
        <Sentence
          text={noMail ? "confirm.not_yet" : "confirm.went"}
          values={{ days }}
          elements={{ email: <strong>{email}</strong> }}
        />
      </p>
      {!noMail && (
        <>
          <p class="soft small">{t("confirm.went_not")}</p>
          <FieldForm
            action="/auth/confirmation"
            hidden={{ email, user }}
            submit="confirm.resend_short"
            kind="plain"
          />
        </>
      )}
      <h2>{t("confirm.wrong")}</h2>
      <FieldForm
        action="/auth/confirmation/address"
        hidden={{ user, ticket }}
        fields={[{ ...EMAIL, label: "confirm.correct" }]}
        submit="confirm.change"
        kind="plain"
      />
      <Below links={[["/auth/sign_in", "sign_in.title"]]} />
    </>
  );
};

export const ChoosePassword = ({ data }: { data: CardPages["choose-password"] }) => {
  const t = useText();
  return (
    <>
      <FieldForm
        action="/auth/password/edit"
        hidden={{ reset_password_token: data.token }}
        username={data.username}
        fields={[{ ...NEW_PASSWORD, autofocus: true }]}
        submit="reset.change"
      />
      <p class="soft small">{t("reset.signed_out")}</p>
    </>
  );
};

/** Asks first, since mail programs open links by themselves. */
export const Unsubscribe = ({ data }: { data: CardPages["unsubscribe"] }) => {
  const t = useText();
  const say = useWords();
  const name = <strong>{`@${data.username}`}</strong>;
  return (
    <>
      <p>
        <Sentence text="mails.stop" elements={{ name }} />
      </p>
      <p>
        <em>{say(data.kind)}</em>
      </p>
      <form method="post" action={data.path}>
        <button class="button">{t("mails.unsubscribe")}</button>
      </form>
    </>
  );
};
