// The pages of an account's other addresses: names of former accounts, and moving to another server.

import { FieldForm, PASSWORD } from "../forms.tsx";
import type { Field } from "../forms.tsx";
import { NoticeLine } from "../notices.tsx";
import { Rows } from "../rows.tsx";
import { Sentence, useText } from "../served.tsx";
import type { Key } from "../served.tsx";
import type { SettingsPages } from "../settings-pages.ts";
import { Timed } from "../times.tsx";
import { Act } from "../forms.tsx";

const handleField = (label: Key): Field => ({
  name: "acct",
  label,
  hint: "aliases.example",
  autocomplete: "off",
  max: 400,
});

const ALIASES = "/settings/aliases";

export const Aliases = ({ data: { aliases } }: { data: SettingsPages["aliases"] }) => {
  const t = useText();
  const rows = aliases.map(({ uri, name }) => ({
    id: uri,
    title: name,
    acts: [
      {
        action: `${ALIASES}/remove`,
        label: "aliases.remove",
        of: name,
        fields: { uri },
      } as const,
    ],
  }));
  return (
    <>
      <p>{t("aliases.about")}</p>
      <Rows rows={rows} />
      <FieldForm action={ALIASES} fields={[handleField("aliases.old")]} submit="aliases.add" />
    </>
  );
};

const MIGRATION = "/settings/migration";

export const Moved = ({ data: { url, handle } }: { data: SettingsPages["moved"] }) => {
  const t = useText();
  const account = (
    <a href={url}>
      <strong>{handle}</strong>
    </a>
  );
  return (
    <>
      <p>
        <Sentence text="move.points_to" elements={{ account }} />
      </p>
      <Act action={`${MIGRATION}/end`} label="move.again" />
      <p>{t("move.stay")}</p>
    </>
  );
};

export const Migration = ({ data }: { data: SettingsPages["migration"] }) => {
  const t = useText();
  const { username, days, nextAt } = data;
  if (nextAt)
    return (
      <NoticeLine>
        <Timed text="move.recently" at={nextAt} />
      </NoticeLine>
    );
  return (
    <>
      <p>{t("move.about")}</p>
      <ul>
        <li>{t("move.first")}</li>
        <li>{t("move.then")}</li>
        <li>{t("move.cool_down", { count: days })}</li>
      </ul>
      <FieldForm
        action={MIGRATION}
        username={username}
        fields={[handleField("move.new"), PASSWORD]}
        submit="move.move"
        kind="bad"
      />
    </>
  );
};
