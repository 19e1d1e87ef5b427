// The pages of what has access to an account: sessions of browsers, apps, and invitations to the server.

import { Copyable } from "../copyable.tsx";
import { Act, FieldForm } from "../forms.tsx";
import type { Field } from "../forms.tsx";
import { Rows } from "../rows.tsx";
import type { Row } from "../rows.tsx";
import { Sentence, useText } from "../served.tsx";
import type { Invite, SettingsPages } from "../settings-pages.ts";
import { Timed } from "../times.tsx";
import { useUses } from "../uses.ts";

const SESSIONS = "/settings/sessions";

export const Sessions = ({ data: { sessions } }: { data: SettingsPages["sessions"] }) => {
  const t = useText();
  const rows = sessions.map(({ id, browser, ip, created_at, used_at, current }): Row => ({
    id,
    title: browser,
    badges: [current && ["access.this_browser", "good"]],
    lines: [
      <Timed text="access.signed_in" values={{ ip: ip ?? t("access.no_ip") }} at={created_at} />,
      <Timed text="access.active" at={used_at} />,
    ],
    acts: [
      !current && {
        action: `${SESSIONS}/end`,
        label: "access.sign_out",
        of: browser,
        fields: { id },
      },
    ],
  }));
  return (
    <>
      <p>
        <Sentence
          text="access.sessions_text"
          elements={{ link: <a href="/settings/apps">{t("access.listed_apart")}</a> }}
        />
      </p>
      <Rows rows={rows} />
      {rows.length > 1 && <Act action={`${SESSIONS}/end_others`} label="access.end_others" />}
    </>
  );
};

const Website = ({ url, name }: { url: string; name: string }) => (
  <a href={url} rel="noopener noreferrer nofollow">
    {name}
  </a>
);

export const Apps = ({ data: { apps } }: { data: SettingsPages["apps"] }) => {
  const t = useText();
  const rows = apps.map(({ app_id, token_id, website, rights, created_at, ...app }): Row => {
    const name = app.name ?? t("access.command_line");
    return {
      id: token_id,
      title: website ? <Website url={website} name={name} /> : name,
      lines: [rights, <Timed text="access.authorized" at={created_at} />],
      acts: [
        {
          action: "/settings/apps/revoke",
          label: "access.revoke",
          of: name,
          fields: app_id ? { app_id } : { token_id },
        },
      ],
    };
  });
  return (
    <>
      <p>{t("access.apps_text")}</p>
      <Rows rows={rows} none="access.no_apps" />
    </>
  );
};

const INVITES = "/settings/invites";
const DAY = 86_400;

const INVITE_FIELDS: readonly Field[] = [
  {
    name: "max_uses",
    label: "invites.uses_label",
    options: [
      ...[1, 5, 25, 100].map((count) => [`${count}`, ["invites.for", { count }]] as const),
      ["", "invites.anybody"],
    ],
  },
  {
    name: "expires_in",
    label: "invites.expires_label",
    options: [
      [`${DAY}`, "invites.day"],
      [`${7 * DAY}`, "invites.week"],
      [`${30 * DAY}`, "invites.month"],
      ["", "invites.never"],
    ],
  },
];

const useInviteRow = (origin: string) => {
  const t = useText();
  const uses = useUses();
  return (invite: Invite): Row => {
    const { id, code, created_at, expires_at, isOver } = invite;
    return {
      id,
      title: isOver ? (
        <span class="soft">{t("invites.over")}</span>
      ) : (
        <Copyable text={`${origin}/invite/${code}`} />
      ),
      lines: [
        <Timed text="invites.line" values={{ uses: uses(invite) }} at={created_at} />,
        expires_at && !isOver && <Timed text="invites.until" at={expires_at} />,
      ],
      acts: [
        !isOver && { action: `${INVITES}/end`, label: "invites.end", of: code, fields: { id } },
      ],
    };
  };
};

export const Invites = ({ data }: { data: SettingsPages["invites"] }) => {
  const t = useText();
  const { mayInvite, origin, invites } = data;
  return (
    <>
      <p>{t(mayInvite ? "invites.may" : "invites.may_not")}</p>
      <Rows rows={invites.map(useInviteRow(origin))} />
      {mayInvite && (
        <FieldForm
          action={INVITES}
          fields={INVITE_FIELDS}
          values={{ max_uses: 1, expires_in: 7 * DAY }}
          submit="invites.make"
        />
      )}
    </>
  );
};
