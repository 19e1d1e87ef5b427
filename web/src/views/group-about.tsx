// Shows a local group's details on its profile: how to take part, its rules, its moderators.

import type { Account, Group } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { profilePath, shownName } from "../elements/names.tsx";
import type { Store } from "../store/store.ts";
import { Sentence } from "../elements/sentence.tsx";
import { Listed } from "../elements/listed.tsx";

type PostProps = { account: Pick<Account, "acct">; isSmall?: boolean };

/** Draws the button of members that begins a post for the group: one for everybody that mentions it. */
export const PostToGroup = ({ account, isSmall = false }: PostProps) => {
  const { t } = useApp();
  const text = `@${account.acct} `;
  return (
    <a
      class={isSmall ? "button plain small" : "button plain"}
      href={`/compose?${new URLSearchParams({ text, visibility: "public" })}`}
      data-act="compose"
      data-text={text}
      data-visibility="public"
      role="button"
      aria-haspopup="dialog"
    >
      {t(isSmall ? "groups.post" : "groups.post_to")}
    </a>
  );
};

const isMemberOf = (store: Store, { id }: Pick<Account, "id">): boolean =>
  store.relationships.get(id)?.value.following ?? false;

/** Draws it on the profile of a group that the viewer has joined, here or elsewhere. */
export const GroupPost = ({ account }: { account: Account }) => {
  const { store } = useApp();
  if (!account.group || !isMemberOf(store, account)) return null;
  return (
    <p class="group-post-to">
      <PostToGroup account={account} />
    </p>
  );
};

export const GroupAbout = ({ group }: { group: Group }) => {
  const { t, store } = useApp();
  const { id, account, owner, moderators, rules, role } = group;
  const everybody = [...(owner ? [owner] : []), ...moderators];
  const toJoin = account.locked ? "groups.how_request" : "groups.how";
  const links = everybody.map((moderator) => (
    <a href={profilePath(moderator)}>{shownName(moderator)}</a>
  ));
  const how = isMemberOf(store, account) ? "groups.how_member" : toJoin;
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
          <Sentence text="groups.moderated_by" elements={{ names: <Listed all={links} /> }} />
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
