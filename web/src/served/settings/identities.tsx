// The pages of accounts of one person, and of an account of several people.

import type { Field } from "../forms.tsx";
import type { ActButton } from "../part-pages.ts";
import { Act, FieldForm, PASSWORD } from "../forms.tsx";
import { Below } from "../links.tsx";
import { NoticeLine } from "../notices.tsx";
import { Older, Rows } from "../rows.tsx";
import type { Row } from "../rows.tsx";
import { useText } from "../served.tsx";
import type { Access, Member, SettingsPages } from "../settings-pages.ts";
import { Timed, When } from "../times.tsx";

const IDENTITIES = "/settings/identities";

const unlink = ({ account_id, username }: Access): ActButton => ({
  action: `${IDENTITIES}/unlink`,
  label: "identities.unlink",
  of: `@${username}`,
  fields: { account_id },
});

const answers = ({ id, username, accepted_at }: Access): ActButton[] => {
  const answer = { of: `@${username}`, fields: { id } };
  const leave = `${IDENTITIES}/leave`;
  if (accepted_at) return [{ action: leave, label: "identities.leave_shared", ...answer }];
  return [
    { action: `${IDENTITIES}/accept`, label: "identities.accept", kind: "", ...answer },
    { action: leave, label: "identities.decline", ...answer },
  ];
};

const Profile = ({ username }: { username: string }) => (
  <a href={`/@${username}`}>{`@${username}`}</a>
);

/** The accounts that a person shares with others, or is invited to. */
const SharedAccounts = ({ access, isOwn }: { access: readonly Access[]; isOwn: boolean }) => {
  const t = useText();
  if (access.length === 0) return null;
  const rows = access.map((row): Row => {
    const { id, username, kind, created_at, accepted_at, needs_factor } = row;
    const since = accepted_at ? "sharing.since" : "identities.invited";
    return {
      id,
      title: <Profile username={username} />,
      badges: [[kind === "owner" ? "sharing.owner" : "sharing.author", "good"]],
      lines: [
        <Timed text={since} at={accepted_at ?? created_at} />,
        needs_factor && t("identities.factor"),
      ],
      acts: isOwn ? answers(row) : [],
    };
  });
  return (
    <>
      <h2>{t("identities.shared")}</h2>
      <p>{t("identities.shared_about")}</p>
      <Rows rows={rows} />
    </>
  );
};

const LINK_FIELDS: readonly Field[] = [
  { name: "login", label: "identities.login", autocomplete: "off" },
  { name: "password", label: "identities.password", type: "password", autocomplete: "off" },
  {
    name: "code",
    label: "identities.code",
    hint: "identities.code_hint",
    autocomplete: "off",
    optional: true,
    max: 40,
  },
  PASSWORD,
];

export const Identities = ({ data }: { data: SettingsPages["identities"] }) => {
  const t = useText();
  const { linked, shared, isOwn, accountId } = data;
  const rows = linked.map((row): Row => ({
    id: row.id,
    title: `@${row.username}`,
    lines: [
      <Timed text="identities.since" at={row.created_at} />,
      row.needs_factor && t("identities.factor"),
    ],
    acts: [isOwn && unlink(row)],
  }));
  return (
    <>
      <p>{t("identities.about")}</p>
      {!isOwn && <NoticeLine>{t("identities.own_sign_in")}</NoticeLine>}
      <Rows rows={rows} none="identities.none" />
      {isOwn && linked.length > 1 && (
        <Act
          action={`${IDENTITIES}/unlink`}
          label="identities.leave"
          fields={{ account_id: accountId }}
        />
      )}
      <SharedAccounts access={shared} isOwn={isOwn} />
      {isOwn && (
        <>
          <h2>{t("identities.link")}</h2>
          <FieldForm action={IDENTITIES} fields={LINK_FIELDS} submit="identities.link_button" />
        </>
      )}
    </>
  );
};

const SHARING = "/settings/sharing";

const memberRow = ({ id, username, role, created_at, accepted_at }: Member): Row => {
  const other = role === "owner" ? "author" : "owner";
  const of = `@${username}`;
  return {
    id,
    title: <Profile username={username} />,
    badges: [[`sharing.${role}`, "good"]],
    lines: [
      <Timed
        text={accepted_at ? "sharing.since" : "sharing.invited"}
        at={accepted_at ?? created_at}
      />,
    ],
    acts: [
      {
        action: `${SHARING}/role`,
        label: `sharing.make_${other}`,
        of,
        fields: { id, role: other },
      },
      { action: `${SHARING}/remove`, label: "sharing.remove", of, fields: { id } },
    ],
  };
};

const INVITE_FIELDS: readonly Field[] = [
  {
    name: "name",
    label: "sharing.name",
    hint: "sharing.name_hint",
    autocomplete: "off",
    max: 100,
  },
  {
    name: "role",
    label: "sharing.role",
    as: "radios",
    options: [
      ["author", "sharing.author", "sharing.author_about"],
      ["owner", "sharing.owner", "sharing.owner_about"],
    ],
  },
  { ...PASSWORD, label: "sharing.password" },
];

export const Sharing = ({ data }: { data: SettingsPages["sharing"] }) => {
  const t = useText();
  const { shared, members, isShared } = data;
  return (
    <>
      <SharedAccounts access={shared} isOwn />
      {shared.length > 0 && <h2>{t("sharing.this")}</h2>}
      <p>{t("sharing.about")}</p>
      <Rows rows={members.map(memberRow)} />
      {isShared && (
        <p>
          <a href={`${SHARING}/log`}>{t("sharing.log")}</a>
        </p>
      )}
      <h2>{t("sharing.invite")}</h2>
      <FieldForm
        action={SHARING}
        fields={INVITE_FIELDS}
        values={{ role: "author" }}
        submit="sharing.invite_button"
      />
    </>
  );
};

export const SharingLog = ({ data }: { data: SettingsPages["sharing-log"] }) => {
  const t = useText();
  const rows = data.acts.map(({ id, by_name, text, status_id, created_at }) => ({
    id,
    title: by_name ? `@${by_name}` : t("sharing.by_password"),
    lines: [
      <>
        {text} {status_id && <a href={`/@${data.username}/${status_id}`}>{t("sharing.post")}</a>}
      </>,
      <When at={created_at} />,
    ],
  }));
  return (
    <>
      <p>{t("sharing.log_about")}</p>
      <Rows rows={rows} none="sharing.log_none" />
      <Older than={data.older} label="sharing.older" />
      <Below links={[[SHARING, "sharing.title"]]} />
    </>
  );
};
