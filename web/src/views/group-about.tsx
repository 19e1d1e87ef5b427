// Shows a local group's details on its profile: how to take part, its rules, its moderators.

import type { Group } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { profilePath, shownName } from "../elements/names.tsx";

export const GroupAbout = ({ group }: { group: Group }) => {
  const { t } = useApp();
  const { id, account, owner, moderators, rules, role } = group;
  const everybody = [...(owner ? [owner] : []), ...moderators];
  const how = account.locked ? "groups.how_request" : "groups.how";
  return (
    <section class="group-about" aria-label={t("groups.about_this")}>
      <p>{t(how, { name: `@${account.acct}` })}</p>
      {rules.length > 0 && (
        <>
          <h2>{t("groups.rules")}</h2>
          <ol>
            {rules.map((rule, index) => (
              <li key={index}>{rule}</li>
            ))}
          </ol>
        </>
      )}
      {everybody.length > 0 && (
        <p class="soft">
          {t("groups.moderated_by")}{" "}
          {everybody.map((moderator, index) => (
            <span key={moderator.id}>
              {index > 0 && ", "}
              <a href={profilePath(moderator)}>{shownName(moderator)}</a>
            </span>
          ))}
        </p>
      )}
      {role && (
        <p>
          <a class="button plain" href={`/groups/${id}`}>
            {t("groups.moderate")}
          </a>
        </p>
      )}
    </section>
  );
};
